"""Marks of change of single occasions, and the start that a moved one had before."""

import programme.models.fields
from django.db import migrations, models

from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0007_festival_theme'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name='historicaloccasion',
            name='change_info',
            field=programme.models.fields.Line(blank=True, db_default='', default='', help_text='This occasion alone.', max_length=500, verbose_name='what has changed'),
        ),
        migrations.AddField(
            model_name='historicaloccasion',
            name='changed_at',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='marked as changed'),
        ),
        migrations.AddField(
            model_name='historicaloccasion',
            name='previous_start',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='previous start'),
        ),
        migrations.AddField(
            model_name='occasion',
            name='change_info',
            field=programme.models.fields.Line(blank=True, db_default='', default='', help_text='This occasion alone.', max_length=500, verbose_name='what has changed'),
        ),
        migrations.AddField(
            model_name='occasion',
            name='changed_at',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='marked as changed'),
        ),
        migrations.AddField(
            model_name='occasion',
            name='previous_start',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='previous start'),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
