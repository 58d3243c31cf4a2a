"""The admin: lists and forms of each model, registered when the app is ready."""

from django.contrib.admin.templatetags import admin_list
from django.utils.translation import gettext

from programme.backoffice.admin import editions, events, festival, lists, occasions, places, users

__all__ = ["editions", "events", "festival", "lists", "occasions", "places", "users"]


def say_yes_or_no(value: bool | None) -> str:
    """Return the word for a field that is only read; Django draws a red cross, "False" to who hears it."""
    return "–" if value is None else gettext("Yes") if value else gettext("No")


# Django offers no other way: it imports the function wherever it shows a value.
setattr(admin_list, "_boolean_icon", say_yes_or_no)  # noqa: B010 - the stubs do not know it
