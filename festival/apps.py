"""The project as an app: its commands, and its checks of the settings."""

from django.apps import AppConfig


class FestivalConfig(AppConfig):
    name = "festival"

    def ready(self) -> None:
        from festival import checks  # noqa: F401, PLC0415 - registers them
