"""What is internal of an event: a note and a contact."""

import django.core.validators
import programme.models.fields
from django.db import migrations

from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0003_other_names'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name='event',
            name='internal_contact',
            field=programme.models.fields.Line(blank=True, db_default='', default='', max_length=200, verbose_name='contact'),
        ),
        migrations.AddField(
            model_name='event',
            name='internal_email',
            field=programme.models.fields.Line(blank=True, db_default='', default='', max_length=254, validators=[django.core.validators.EmailValidator()], verbose_name="the contact's e-mail"),
        ),
        migrations.AddField(
            model_name='event',
            name='internal_note',
            field=programme.models.fields.Prose(blank=True, db_default='', default='', help_text='For the office and the crew. It is printed on run sheets.', verbose_name='internal note'),
        ),
        migrations.AddField(
            model_name='event',
            name='internal_phone',
            field=programme.models.fields.Line(blank=True, db_default='', default='', max_length=100, verbose_name="the contact's telephone"),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='internal_contact',
            field=programme.models.fields.Line(blank=True, db_default='', default='', max_length=200, verbose_name='contact'),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='internal_email',
            field=programme.models.fields.Line(blank=True, db_default='', default='', max_length=254, validators=[django.core.validators.EmailValidator()], verbose_name="the contact's e-mail"),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='internal_note',
            field=programme.models.fields.Prose(blank=True, db_default='', default='', help_text='For the office and the crew. It is printed on run sheets.', verbose_name='internal note'),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='internal_phone',
            field=programme.models.fields.Line(blank=True, db_default='', default='', max_length=100, verbose_name="the contact's telephone"),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
