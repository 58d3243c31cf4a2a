"""Editions of the festival, and whether an area is part of the current one."""

import django.db.models.deletion
import django.db.models.functions.datetime
import programme.models.fields
import simple_history.models
from django.db import migrations, models

from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0026_facts_of_rooms'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name='area',
            name='current',
            field=models.BooleanField(db_default=True, default=True, help_text='Apps see the area even while the edition has nothing in it.', verbose_name='part of the current edition'),
        ),
        migrations.AddField(
            model_name='historicalarea',
            name='current',
            field=models.BooleanField(db_default=True, default=True, help_text='Apps see the area even while the edition has nothing in it.', verbose_name='part of the current edition'),
        ),
        migrations.CreateModel(
            name='Edition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(help_text='2026, say: edition=2026.', unique=True, verbose_name='in addresses')),
                ('name_sv', programme.models.fields.Line(max_length=200, verbose_name='name in Swedish')),
                ('name_en', programme.models.fields.Line(blank=True, max_length=200, verbose_name='name in English')),
                ('first_day', models.DateField(verbose_name='first day')),
                ('last_day', models.DateField(verbose_name='last day')),
                ('current_from', models.DateField(blank=True, help_text='On this day the public programme changes over to this edition by itself.', null=True, verbose_name='current from')),
                ('current_since', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='current since')),
                ('saved_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='saved')),
            ],
            options={
                'verbose_name': 'edition',
                'verbose_name_plural': 'editions',
                'ordering': ['first_day', 'id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('last_day__gte', models.F('first_day'))), name='edition_ends_after_its_start', violation_error_message='The last day must not be before the first.')],
            },
        ),
        migrations.CreateModel(
            name='HistoricalEdition',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('slug', models.SlugField(help_text='2026, say: edition=2026.', verbose_name='in addresses')),
                ('name_sv', programme.models.fields.Line(max_length=200, verbose_name='name in Swedish')),
                ('name_en', programme.models.fields.Line(blank=True, max_length=200, verbose_name='name in English')),
                ('first_day', models.DateField(verbose_name='first day')),
                ('last_day', models.DateField(verbose_name='last day')),
                ('current_from', models.DateField(blank=True, help_text='On this day the public programme changes over to this edition by itself.', null=True, verbose_name='current from')),
                ('current_since', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='current since')),
                ('history_user_id', models.BigIntegerField(null=True)),
                ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField()),
                ('history_change_reason', models.CharField(max_length=100, null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('edit', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='programme.edit')),
            ],
            options={
                'verbose_name': 'historical edition',
                'verbose_name_plural': 'historical editions',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
