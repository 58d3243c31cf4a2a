"""When occasions were moved whose former start is kept."""

from django.db import migrations, models

from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ("programme", "0014_accepted_problems"),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name="historicaloccasion",
            name="moved_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="occasion",
            name="moved_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
