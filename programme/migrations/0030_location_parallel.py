"""Whether occasions may overlap at a location, which is one room where it has none."""

from django.db import migrations, models

import programme.models.locations
from programme.triggers import install as triggers


def mark(apps, schema_editor):
    """Mark what is online, and what has no address where others have one, in the latest versions, too."""
    location, versions = (apps.get_model('programme', name) for name in ('Location', 'HistoricalLocation'))
    has_addresses = location.objects.exclude(address='').exists()
    chosen = models.Q(online=True) | (models.Q(address='') if has_addresses else models.Q())
    for model in (location, versions):
        model.objects.filter(chosen).update(parallel=True)


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0029_face'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name='historicallocation',
            name='parallel',
            field=programme.models.locations.ParallelField(blank=True, db_default=False, default=None, help_text='Occasions may overlap here, as in a park: no double booking. Rooms say it themselves. A new location that is online or has no address is marked by itself.', verbose_name='several at once'),
        ),
        migrations.AddField(
            model_name='location',
            name='parallel',
            field=programme.models.locations.ParallelField(blank=True, db_default=False, default=None, help_text='Occasions may overlap here, as in a park: no double booking. Rooms say it themselves. A new location that is online or has no address is marked by itself.', verbose_name='several at once'),
        ),
        migrations.RunPython(mark, migrations.RunPython.noop),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
