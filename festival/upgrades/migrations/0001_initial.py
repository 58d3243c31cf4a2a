"""Which versions have migrated the database."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="MigratedVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.CharField(max_length=50, unique=True)),
                ("compatible_with", models.CharField(max_length=50)),
                ("migrated_at", models.DateTimeField()),
            ],
        ),
    ]
