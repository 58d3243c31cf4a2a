"""The admin: lists and forms of each model, registered when the app is ready."""

from programme.backoffice.admin import classification, events, festival, occasions, places, users

__all__ = ["classification", "events", "festival", "occasions", "places", "users"]
