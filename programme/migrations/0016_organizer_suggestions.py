"""What organizers suggest about their own events, and the links with which they do."""

import django.db.models.deletion
from django.db import migrations, models

import programme.models.fields


class Migration(migrations.Migration):

    dependencies = [
        ("programme", "0015_moved_at"),
    ]

    operations = [
        migrations.CreateModel(
            name="OrganizerLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="e-mail address")),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("valid_until", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField()),
                (
                    "organizer",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="programme.organizer",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        models.F("digest"),
                        condition=models.Q(("digest", ""), _negated=True),
                        name="organizer_link_by_digest",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Suggestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sent_at", models.DateTimeField()),
                ("changes", models.JSONField(default=dict)),
                ("message", programme.models.fields.Prose(blank=True)),
                ("decided_at", models.DateTimeField(null=True)),
                ("reason", programme.models.fields.Prose(blank=True)),
                (
                    "event",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="programme.event",
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="suggestions",
                        to="programme.organizerlink",
                    ),
                ),
            ],
            options={
                "ordering": ["sent_at", "id"],
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        models.F("event"),
                        models.F("link"),
                        condition=models.Q(("decided_at", None)),
                        name="one_suggestion_waits_for_event",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SuggestedImage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", programme.models.fields.Line(max_length=200)),
                ("content", models.BinaryField()),
                (
                    "suggestion",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="image",
                        to="programme.suggestion",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
    ]
