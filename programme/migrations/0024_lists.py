"""Lists of occasions that editors make, and what is on them."""

import django.db.models.deletion
import django.db.models.functions.datetime
import programme.models.fields
import simple_history.models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0023_facts'),
    ]

    operations = [
        migrations.CreateModel(
            name='HistoricalOccasionList',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('title_sv', programme.models.fields.Line(max_length=200, verbose_name='title in Swedish')),
                ('title_en', programme.models.fields.Line(blank=True, max_length=200, verbose_name='title in English')),
                ('text_sv', programme.models.fields.Prose(blank=True, help_text='Above the list on its page.', verbose_name='text in Swedish')),
                ('text_en', programme.models.fields.Prose(blank=True, verbose_name='text in English')),
                ('published', models.BooleanField(default=False, help_text='Readers see the list, and what is published of it.', verbose_name='published')),
                ('history_user_id', models.BigIntegerField(null=True)),
                ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField()),
                ('history_change_reason', models.CharField(max_length=100, null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('edit', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='programme.edit')),
            ],
            options={
                'verbose_name': 'historical list',
                'verbose_name_plural': 'historical lists',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='OccasionList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title_sv', programme.models.fields.Line(max_length=200, verbose_name='title in Swedish')),
                ('title_key', programme.models.fields.FoldedKey('title_sv', editable=False, max_length=800)),
                ('title_en', programme.models.fields.Line(blank=True, max_length=200, verbose_name='title in English')),
                ('text_sv', programme.models.fields.Prose(blank=True, help_text='Above the list on its page.', verbose_name='text in Swedish')),
                ('text_en', programme.models.fields.Prose(blank=True, verbose_name='text in English')),
                ('published', models.BooleanField(default=False, help_text='Readers see the list, and what is published of it.', verbose_name='published')),
                ('saved_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='saved')),
            ],
            options={
                'verbose_name': 'list',
                'verbose_name_plural': 'lists',
                'ordering': ['title_sv', 'id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('title_sv', ''), _negated=True), name='occasion_list_has_a_title'), models.UniqueConstraint(models.F('title_key'), name='occasion_list_is_unique', violation_error_message='There is a list with this title already.')],
            },
        ),
        migrations.CreateModel(
            name='HistoricalListItem',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('history_user_id', models.BigIntegerField(null=True)),
                ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField()),
                ('history_change_reason', models.CharField(max_length=100, null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('edit', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='programme.edit')),
                ('event', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='programme.event', verbose_name='event with all of its occasions')),
                ('occasion', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='programme.occasion', verbose_name='occasion')),
                ('on_list', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='programme.occasionlist', verbose_name='list')),
            ],
            options={
                'verbose_name': 'historical item of a list',
                'verbose_name_plural': 'historical items of lists',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='ListItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='list_items', to='programme.event', verbose_name='event with all of its occasions')),
                ('occasion', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='list_items', to='programme.occasion', verbose_name='occasion')),
                ('on_list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='programme.occasionlist', verbose_name='list')),
            ],
            options={
                'verbose_name': 'item of a list',
                'verbose_name_plural': 'items of lists',
                'ordering': ['on_list', 'id'],
                'constraints': [models.UniqueConstraint(models.F('on_list'), models.F('event'), condition=models.Q(('event', None), _negated=True), name='listed_event_is_unique', violation_error_message='The event is on the list already.'), models.UniqueConstraint(models.F('on_list'), models.F('occasion'), condition=models.Q(('occasion', None), _negated=True), name='listed_occasion_is_unique', violation_error_message='The occasion is on the list already.')],
            },
        ),
    ]
