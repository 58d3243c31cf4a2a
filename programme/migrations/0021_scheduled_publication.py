"""What is to be published or withdrawn at a moment to come, and the address that followers know."""

import django.db.models.deletion
import programme.models.fields
from django.conf import settings
from django.db import migrations, models

from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0019_previous_place'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.CreateModel(
            name='ScheduledPublication',
            fields=[
                ('event', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, primary_key=True, related_name='plan', serialize=False, to='programme.event')),
                ('status', models.CharField(choices=[('draft', 'draft'), ('published', 'published')], max_length=10)),
                ('due', models.DateTimeField()),
                ('name', programme.models.fields.Line(blank=True, max_length=200)),
                ('missed', models.CharField(blank=True, choices=[('author', 'whoever planned it may no longer publish'), ('occasions', 'it has no occasion')], max_length=10)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['due', 'event'],
                'default_permissions': (),
                'indexes': [models.Index(fields=['missed', 'due'], name='scheduled_publication_due')],
            },
        ),
        migrations.AddField(
            model_name='revision',
            name='base_url',
            field=models.CharField(blank=True, db_default='', default='', max_length=500),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
