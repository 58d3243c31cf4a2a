"""The app of the programme, and the back office as the project's admin site."""

from django.apps import AppConfig, apps
from django.contrib.admin import apps as admin
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class ProgrammeConfig(AppConfig):
    """Registers the admin; after every migration installs triggers and roles, and analyses the tables."""

    name = "programme"
    verbose_name = _("Programme")

    def ready(self) -> None:
        # Processes that serve readers have neither.
        if not apps.is_installed("festival.accounts"):
            return
        # Models can be imported only now, and so can what names them.
        import programme.backoffice.admin  # noqa: PLC0415
        import programme.publishing.followers  # noqa: F401, PLC0415
        from programme.backoffice.roles import update_roles  # noqa: PLC0415
        from programme.models.statistics import analyse_migrated  # noqa: PLC0415
        from programme.triggers.install import install  # noqa: PLC0415

        post_migrate.connect(install, sender=self)
        # After Django's own receiver, which makes the permissions.
        post_migrate.connect(update_roles, sender=self)
        post_migrate.connect(analyse_migrated, sender=self)


class BackOfficeConfig(admin.AdminConfig):
    default = False
    default_site = "programme.backoffice.site.BackOfficeSite"
