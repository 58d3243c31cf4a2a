"""The app of the project: management commands, system checks, and what follows from signals."""

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class FestivalConfig(AppConfig):
    name = "festival"

    def ready(self) -> None:
        # These need the models or register checks.
        from festival.configuration import checks  # noqa: F401, PLC0415
        from festival.server import deployment_checks  # noqa: F401, PLC0415
        from festival.upgrades.versions import record_version  # noqa: PLC0415

        post_migrate.connect(record_version, sender=apps.get_app_config("upgrades"))
