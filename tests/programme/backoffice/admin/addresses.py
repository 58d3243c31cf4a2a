"""Addresses of the admin."""

from programme.models import Event

EVENTS = "/admin/programme/event/"
AREAS = "/admin/programme/area/"


def change_address(event: Event) -> str:
    return f"{EVENTS}{event.pk}/change/"
