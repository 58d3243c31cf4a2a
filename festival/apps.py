"""The app of the project: management commands, and system checks."""

from django.apps import AppConfig


class FestivalConfig(AppConfig):
    name = "festival"

    def ready(self) -> None:
        # These need the models or register checks.
        from festival.configuration import checks  # noqa: F401, PLC0415
        from festival.server import deployment_checks  # noqa: F401, PLC0415
