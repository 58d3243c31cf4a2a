"""Events have several types, in order."""

from django.db import migrations, models

from programme.triggers import install as triggers

NUMBERS = range(2, 7)


def further(number):
    return models.ForeignKey(
        null=True, blank=True, on_delete=models.PROTECT, related_name=f'events_{number}',
        to='programme.eventtype', verbose_name=f'type {number}',
    )


def of_version(number):
    # Without an index, as all that versions refer to.
    return models.ForeignKey(
        null=True, blank=True, on_delete=models.DO_NOTHING, related_name='+', db_constraint=False,
        db_index=False, to='programme.eventtype', verbose_name=f'type {number}',
    )


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0024_lists'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        *(
            migrations.AddField(model_name=model, name=f'type_{number}', field=field(number))
            for model, field in (('event', further), ('historicalevent', of_version))
            for number in NUMBERS
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
