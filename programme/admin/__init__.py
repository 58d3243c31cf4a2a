"""The back office: the forms and lists in which editors keep the programme."""

from programme.admin import events, festival, kinds, places, users

__all__ = ["events", "festival", "kinds", "places", "users"]
