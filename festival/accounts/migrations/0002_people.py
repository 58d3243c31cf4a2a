"""What an account has beside Django's user: last day, language, latest link."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

KINDS = [
    ("signed-in", "signed in"),
    ("signed-out", "signed out"),
    ("failed", "wrong password"),
    ("factor-failed", "wrong second step"),
    ("blocked", "blocked: too many attempts"),
    ("unlocked", "unlocked"),
    ("password", "password set"),
    ("factor-added", "second step added"),
    ("factor-removed", "second step removed"),
    ("created", "account created"),
    ("deleted", "account deleted"),
    ("rights", "rights changed"),
    ("invited", "invited"),
    ("link", "link for a password made"),
    ("last-day", "last day changed"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
                ("language", models.CharField(blank=True, db_default="", default="", max_length=10)),
                ("last_day", models.DateField(null=True, verbose_name="last day")),
                ("link_at", models.DateTimeField(null=True)),
                ("is_undelivered", models.BooleanField(db_default=False, default=False)),
            ],
            options={
                "permissions": [("invite_people", "Can invite people")],
                "default_permissions": (),
            },
        ),
        migrations.AlterField(
            model_name="accountevent",
            name="kind",
            field=models.CharField(choices=KINDS, max_length=20, verbose_name="what happened"),
        ),
    ]
