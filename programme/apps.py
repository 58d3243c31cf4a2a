"""The app: keeps its database triggers in place after every migration."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class ProgrammeConfig(AppConfig):
    name = "programme"
    verbose_name = _("Programme")

    def ready(self) -> None:
        from programme.triggers import install  # noqa: PLC0415 - needs the models to be loaded

        post_migrate.connect(install, sender=self)
