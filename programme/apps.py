"""The app: keeps its database triggers and its roles in place after every migration."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class ProgrammeConfig(AppConfig):
    name = "programme"
    verbose_name = _("Programme")

    def ready(self) -> None:
        from programme import roles, triggers  # noqa: PLC0415 - need the models to be loaded

        post_migrate.connect(triggers.install, sender=self)
        # After Django's own receiver, which makes the permissions.
        post_migrate.connect(roles.keep, sender=self)
