"""Notes of change have an English text beside the Swedish one."""

import programme.models.fields
from django.db import migrations

from programme.triggers import install as triggers

NOTE = programme.models.fields.Line(blank=True, db_default='', default='', max_length=500, verbose_name='what has changed, in English')
MODELS = ('event', 'historicalevent', 'occasion', 'historicaloccasion')


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0017_news'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        *(migrations.AddField(model_name=name, name='change_info_en', field=NOTE.clone()) for name in MODELS),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
