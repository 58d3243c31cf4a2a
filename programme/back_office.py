"""The back office: Django's admin under the product's name, with its lists in the order of the work."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

# What editors open most comes first; the models of other apps follow in groups of their own.
GROUPS = [
    (_("Programme"), ["Event", "Occasion", "Organizer", "EventType", "Language"]),
    (_("Places"), ["Area", "SubArea", "Location", "Stream"]),
    (_("The festival"), ["Festival"]),
]


class BackOffice(AdminSite):
    site_header = site_title = _("Festival programme")
    index_title = _("Back office")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        apps = super().get_app_list(request, app_label)
        ours = [app for app in apps if app["app_label"] == "programme"]
        others = [app for app in apps if app["app_label"] != "programme"]
        return [group for app in ours for group in _groups(app)] + others


def _groups(app: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the app as one group for each heading under which the user may see anything."""
    models = {model["object_name"]: model for model in app["models"]}
    groups = [
        app | {"name": heading, "models": [models[name] for name in names if name in models]}
        for heading, names in GROUPS
    ]
    return [group for group in groups if group["models"]]


class BackOfficeConfig(AdminConfig):
    default_site = "programme.back_office.BackOffice"
