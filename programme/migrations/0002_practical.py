"""The practical page: its text, and the map with what it shows in words."""

import programme.models.fields
from django.db import migrations, models

from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name='festival',
            name='map',
            field=models.ImageField(blank=True, db_default='', default='', max_length=300, upload_to='festival/', verbose_name='map'),
        ),
        migrations.AddField(
            model_name='festival',
            name='map_alt_en',
            field=programme.models.fields.Line(blank=True, db_default='', default='', max_length=500, verbose_name='the map in words, in English'),
        ),
        migrations.AddField(
            model_name='festival',
            name='map_alt_sv',
            field=programme.models.fields.Line(blank=True, db_default='', default='', help_text='For those who cannot see it: where the entrances, toilets and first aid are.', max_length=500, verbose_name='the map in words, in Swedish'),
        ),
        migrations.AddField(
            model_name='festival',
            name='practical_en',
            field=programme.models.fields.Prose(blank=True, db_default='', default='', verbose_name='text in English'),
        ),
        migrations.AddField(
            model_name='festival',
            name='practical_sv',
            field=programme.models.fields.Prose(blank=True, db_default='', default='', help_text='Toilets, first aid, contact. The page is in the menu once there is a text. A line that begins with # is a heading, with - an item of a list; web addresses, mail addresses and [words](https://example.org) are links.', verbose_name='text in Swedish'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='map',
            field=models.TextField(blank=True, db_default='', default='', max_length=300, verbose_name='map'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='map_alt_en',
            field=programme.models.fields.Line(blank=True, db_default='', default='', max_length=500, verbose_name='the map in words, in English'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='map_alt_sv',
            field=programme.models.fields.Line(blank=True, db_default='', default='', help_text='For those who cannot see it: where the entrances, toilets and first aid are.', max_length=500, verbose_name='the map in words, in Swedish'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='practical_en',
            field=programme.models.fields.Prose(blank=True, db_default='', default='', verbose_name='text in English'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='practical_sv',
            field=programme.models.fields.Prose(blank=True, db_default='', default='', help_text='Toilets, first aid, contact. The page is in the menu once there is a text. A line that begins with # is a heading, with - an item of a list; web addresses, mail addresses and [words](https://example.org) are links.', verbose_name='text in Swedish'),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
