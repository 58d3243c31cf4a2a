"""Problems that editors have accepted."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import programme.models.fields


class Migration(migrations.Migration):

    dependencies = [
        ("programme", "0012_occasion_uids"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AcceptedProblem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=40)),
                ("rows", models.TextField()),
                ("key", models.CharField(max_length=64, unique=True)),
                ("reason", programme.models.fields.Line(max_length=300)),
                ("name", programme.models.fields.Line(blank=True, max_length=200)),
                ("accepted_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"default_permissions": ()},
        ),
    ]
