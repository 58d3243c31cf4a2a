"""The app that records in the database which versions have migrated it."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class UpgradesConfig(AppConfig):
    name = "festival.upgrades"

    def ready(self) -> None:
        from festival.upgrades.versions import record_version  # noqa: PLC0415 - needs the models

        post_migrate.connect(record_version, sender=self)
