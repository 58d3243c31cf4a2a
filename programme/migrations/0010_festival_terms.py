"""The festival's town and country, the licence of its programme, its terms and its contact."""

import django.core.validators
import programme.models.fields
from django.db import migrations

from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0009_withdrawals_and_years'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name='festival',
            name='contact_email',
            field=programme.models.fields.Line(blank=True, db_default='', default='', max_length=254, validators=[django.core.validators.EmailValidator()], verbose_name="the contact's e-mail"),
        ),
        migrations.AddField(
            model_name='festival',
            name='contact_name',
            field=programme.models.fields.Line(blank=True, db_default='', default='', help_text='Whom developers ask about the API: an office rather than a person. It is public.', max_length=200, verbose_name='contact'),
        ),
        migrations.AddField(
            model_name='festival',
            name='country',
            field=programme.models.fields.CountryCode(blank=True, db_default='', default='', help_text='Two letters: SE is Sweden, FI is Finland. Search engines want it in every address.', verbose_name='country'),
        ),
        migrations.AddField(
            model_name='festival',
            name='license_name',
            field=programme.models.fields.Line(blank=True, db_default='', default='', help_text="What others may do with the programme: CC BY 4.0, say. Feeds and the API's page show it.", max_length=200, verbose_name='licence'),
        ),
        migrations.AddField(
            model_name='festival',
            name='license_url',
            field=programme.models.fields.Link(blank=True, db_default='', default='', max_length=1000, verbose_name="the licence's web page"),
        ),
        migrations.AddField(
            model_name='festival',
            name='terms_url',
            field=programme.models.fields.Link(blank=True, db_default='', default='', help_text='The web page with the terms for those who build on the API.', max_length=1000, verbose_name='terms of use'),
        ),
        migrations.AddField(
            model_name='festival',
            name='town',
            field=programme.models.fields.Line(blank=True, db_default='', default='', help_text='For search engines: the town of every address that names none.', max_length=100, verbose_name='town'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='contact_email',
            field=programme.models.fields.Line(blank=True, db_default='', default='', max_length=254, validators=[django.core.validators.EmailValidator()], verbose_name="the contact's e-mail"),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='contact_name',
            field=programme.models.fields.Line(blank=True, db_default='', default='', help_text='Whom developers ask about the API: an office rather than a person. It is public.', max_length=200, verbose_name='contact'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='country',
            field=programme.models.fields.CountryCode(blank=True, db_default='', default='', help_text='Two letters: SE is Sweden, FI is Finland. Search engines want it in every address.', verbose_name='country'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='license_name',
            field=programme.models.fields.Line(blank=True, db_default='', default='', help_text="What others may do with the programme: CC BY 4.0, say. Feeds and the API's page show it.", max_length=200, verbose_name='licence'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='license_url',
            field=programme.models.fields.Link(blank=True, db_default='', default='', max_length=1000, verbose_name="the licence's web page"),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='terms_url',
            field=programme.models.fields.Link(blank=True, db_default='', default='', help_text='The web page with the terms for those who build on the API.', max_length=1000, verbose_name='terms of use'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='town',
            field=programme.models.fields.Line(blank=True, db_default='', default='', help_text='For search engines: the town of every address that names none.', max_length=100, verbose_name='town'),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
