"""When anything was last withdrawn, and when each year's programme was first published."""

from django.db import migrations, models

from programme.triggers import install as triggers
from programme.triggers.dialects import DIALECTS

# What was published and is gone: deleted, or of an event that was withdrawn when it was last modified.
BEGIN_WITHDRAWALS = """
UPDATE programme_revision SET withdrawn_at = (
    SELECT max(gone.at) FROM (
        SELECT max(gone_at) AS at FROM programme_goneoccasion
        UNION ALL
        SELECT max(last_modified) FROM programme_event WHERE published_at IS NOT NULL AND status <> 'published'
    ) AS gone
)
"""
BEGIN_YEARS = """
INSERT INTO programme_publishedyear (start, published_at)
SELECT known.year, min(known.published_at)
FROM (SELECT {year} AS year, published_at FROM programme_occasion WHERE published_at IS NOT NULL) AS known
GROUP BY known.year
"""


def begin(_apps, schema_editor):
    schema_editor.execute(BEGIN_WITHDRAWALS, params=None)
    schema_editor.execute(
        BEGIN_YEARS.format(year=DIALECTS[schema_editor.connection.vendor].year), params=None
    )


class Migration(migrations.Migration):

    dependencies = [
        ("programme", "0008_occasion_marks"),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name="revision",
            name="withdrawn_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.CreateModel(
            name="PublishedYear",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("start", models.DateTimeField(unique=True)),
                ("published_at", models.DateTimeField()),
            ],
        ),
        migrations.RunPython(begin, migrations.RunPython.noop),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
