"""The change log: at which revision each event was last changed."""

from django.db import migrations, models

import programme.models.festival
from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ("programme", "0010_festival_terms"),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.CreateModel(
            name="ChangedEvent",
            fields=[
                ("event_id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("revision", models.BigIntegerField()),
            ],
            options={"indexes": [models.Index(fields=["revision"], name="changed_event_revision")]},
        ),
        migrations.AddField(
            model_name="revision",
            name="lineage",
            field=models.CharField(
                db_default=programme.models.festival.RandomText(), editable=False, max_length=32
            ),
        ),
        migrations.AddIndex(
            model_name="goneoccasion",
            index=models.Index(fields=["event_id"], name="gone_occasion_event"),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
