"""Locations have coordinates."""

from django.core import validators
from django.db import migrations, models

from programme.triggers import install as triggers


def degrees(name, most):
    bounds = [validators.MinValueValidator(-most), validators.MaxValueValidator(most)]
    text = 'Such as 57.708870. Or paste both, or the address of a map, here.' if name == 'latitude' else ''
    return models.DecimalField(
        name, max_digits=9, decimal_places=6, null=True, blank=True, validators=bounds, help_text=text
    )


FIELDS = {'latitude': degrees('latitude', 90), 'longitude': degrees('longitude', 180)}
MODELS = ('location', 'historicallocation')


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0021_scheduled_publication'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        *(
            migrations.AddField(model_name=model, name=name, field=field.clone())
            for model in MODELS
            for name, field in FIELDS.items()
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
