"""The roles, and for everybody who could edit events before them the permissions that it takes now."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

ROLES = [
    "Programme: administrator",
    "Programme: chief editor",
    "Programme: editor",
    "Programme: area editor",
]
NAMES = {
    "publish_event": "Can publish and withdraw events",
    "edit_every_area": "Can edit events of every area",
}
# What could be done with either of these could be done in every area, and events be published.
_EVENTS = ["add_event", "change_event", "delete_event"]
_OCCASIONS = ["add_occasion", "change_occasion", "delete_occasion"]


def make_roles(apps: Any, schema_editor: Any) -> None:
    """Make the groups; what they may is set after every migration, once all permissions are there."""
    groups = apps.get_model("auth", "Group").objects.using(schema_editor.connection.alias)
    for name in ROLES:
        groups.get_or_create(name=name)


def carry_over(apps: Any, schema_editor: Any) -> None:
    """Give the new permissions to whom the old ones allowed as much, users and groups alike."""
    using = schema_editor.connection.alias
    _grant(apps, using, "edit_every_area", [*_EVENTS, *_OCCASIONS])
    _grant(apps, using, "publish_event", _EVENTS)


def _grant(apps: Any, using: str, codename: str, instead_of: list[str]) -> None:
    held = Q(content_type__app_label="programme", codename__in=instead_of)
    old = apps.get_model("auth", "Permission").objects.using(using).filter(held)
    users = apps.get_model("auth", "User").objects.using(using).filter(user_permissions__in=old).distinct()
    groups = apps.get_model("auth", "Group").objects.using(using).filter(permissions__in=old).distinct()
    if not (users or groups):
        return
    new = _permission(apps, using, codename)
    for user in users:
        user.user_permissions.add(new)
    for group in groups:
        group.permissions.add(new)


def _permission(apps: Any, using: str, codename: str) -> Any:
    # Django makes it only after the last migration.
    types = apps.get_model("contenttypes", "ContentType").objects.using(using)
    event, _new = types.get_or_create(app_label="programme", model="event")
    permissions = apps.get_model("auth", "Permission").objects.using(using)
    permission, _new = permissions.get_or_create(
        content_type=event, codename=codename, defaults={"name": NAMES[codename]}
    )
    return permission


class Migration(migrations.Migration):
    dependencies = [
        ("programme", "0003_history"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="event",
            options={
                "ordering": ["title", "id"],
                "permissions": list(NAMES.items()),
                "verbose_name": "event",
                "verbose_name_plural": "events",
            },
        ),
        migrations.CreateModel(
            name="AreaEditor",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "area",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="editors",
                        to="programme.area",
                        verbose_name="area",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="edited_areas",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "verbose_name": "area of an editor",
                "verbose_name_plural": "areas of editors",
                "constraints": [
                    models.UniqueConstraint(fields=("user", "area"), name="area_editor_is_unique")
                ],
            },
        ),
        migrations.RunPython(make_roles, migrations.RunPython.noop, elidable=False),
        migrations.RunPython(carry_over, migrations.RunPython.noop, elidable=False),
    ]
