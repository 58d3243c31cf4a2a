"""Events, occasions and locations have facts by which visitors choose."""

from django.db import migrations, models

from programme.models.facts import FactField
from programme.models.fields import Link
from programme.triggers import install as triggers

FACTS = {
    'event': ('audience', 'age', 'free', 'booking', 'access'),
    'occasion': ('booking', 'access'),
    'location': ('access',),
}


def list_fields(model):
    for name in FACTS[model]:
        yield name, FactField(name, blank=True, default='', db_default='', max_length=300)
    if model != 'location':
        yield 'booking_url', Link('booking link', blank=True, default='', db_default='', max_length=1000)
        yield 'booking_from', models.DateTimeField('booking opens', null=True, blank=True)


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0022_location_coordinates'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        *(
            migrations.AddField(model_name=f'{kind}{model}', name=name, field=field)
            for model in FACTS
            for kind in ('', 'historical')
            for name, field in list_fields(model)
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
