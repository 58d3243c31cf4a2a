"""The place that a moved occasion had before, beside the start."""

import programme.models.fields
from django.db import migrations

from programme.triggers import install as triggers

PLACE = programme.models.fields.Line(blank=True, db_default='', default='', editable=False, max_length=500, verbose_name='previous place')


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0018_change_notes_in_english'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        *(migrations.AddField(model_name=name, name='previous_place', field=PLACE.clone()) for name in ('occasion', 'historicaloccasion')),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
