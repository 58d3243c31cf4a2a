"""Rooms have facts by which visitors choose, too."""

from django.db import migrations

from programme.models.facts import FactField
from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0025_further_types'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        *(
            migrations.AddField(
                model_name=model,
                name='access',
                field=FactField('access', blank=True, default='', db_default='', max_length=300),
            )
            for model in ('room', 'historicalroom')
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
