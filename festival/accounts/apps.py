"""The app of the editors' accounts: signing in, its limits, the second step, and their log."""

from django.apps import AppConfig, apps
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "festival.accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        from festival.accounts import log  # noqa: F401, PLC0415 - connects its receivers

        # Its name stands in breadcrumbs.
        apps.get_app_config("auth").verbose_name = self.verbose_name
