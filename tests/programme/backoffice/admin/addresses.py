"""Addresses of the admin."""

from programme.models import Event

EVENTS = "/admin/programme/event/"
AREAS, LOCATIONS = "/admin/programme/area/", "/admin/programme/location/"


def change_address(event: Event) -> str:
    return f"{EVENTS}{event.pk}/change/"
