"""The app of the project: management commands and system checks."""

from django.apps import AppConfig


class FestivalConfig(AppConfig):
    name = "festival"

    def ready(self) -> None:
        from festival.configuration import checks  # noqa: F401, PLC0415 - registers the checks
        from festival.monitoring import receivers  # noqa: PLC0415 - needs the models
        from festival.server import deployment_checks  # noqa: F401, PLC0415 - registers the checks

        receivers.connect()
