"""The app of the project: management commands, system checks, and what follows from signals."""

from typing import Any

from django.apps import AppConfig, apps
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.db.models.signals import post_migrate

from festival.metrics import SIGN_INS


class FestivalConfig(AppConfig):
    name = "festival"

    def ready(self) -> None:
        # These need the models or register checks.
        from festival.configuration import checks  # noqa: F401, PLC0415
        from festival.server import deployment_checks  # noqa: F401, PLC0415
        from festival.upgrades.versions import record_version  # noqa: PLC0415

        post_migrate.connect(record_version, sender=apps.get_app_config("upgrades"))
        user_logged_in.connect(count_sign_in)
        user_login_failed.connect(count_failure)


def count_sign_in(**_signal: Any) -> None:
    SIGN_INS.labels("succeeded").inc()


def count_failure(**_signal: Any) -> None:
    SIGN_INS.labels("failed").inc()
