"""What an account has beside Django's user, and the table of the database cache."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CacheEntry",
            fields=[
                ("cache_key", models.CharField(max_length=255, primary_key=True, serialize=False)),
                ("value", models.TextField()),
                ("expires", models.DateTimeField(db_index=True)),
            ],
            options={
                "db_table": "accounts_cache",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="Account",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="account",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("last_day", models.DateField(null=True, verbose_name="last day")),
                ("link_at", models.DateTimeField(null=True)),
                ("is_undelivered", models.BooleanField(default=False)),
            ],
            options={
                "permissions": [("invite_people", "Can invite people")],
                "default_permissions": (),
            },
        ),
    ]
