"""The UIDs that occasions had in another service's calendar."""

from django.db import migrations

import programme.models.fields
from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ("programme", "0011_change_log"),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name="goneoccasion",
            name="uid",
            field=programme.models.fields.Line(blank=True, db_default="", default="", max_length=500),
        ),
        migrations.AddField(
            model_name="historicaloccasion",
            name="uid",
            field=programme.models.fields.Line(
                blank=True, db_default="", default="", editable=False, max_length=500
            ),
        ),
        migrations.AddField(
            model_name="occasion",
            name="uid",
            field=programme.models.fields.Line(
                blank=True, db_default="", default="", editable=False, max_length=500
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
