"""The place of an occasion: a location or one of its rooms, chosen in one box, or named and made with it."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from feeds.names import order_name
from feeds.nearness import NearNames
from programme.backoffice.forms.base import PreloadedAutocomplete
from programme.backoffice.forms.named import NEW, describe_choice, find_stored
from programme.models import Location, Occasion, Room
from programme.models.cleaning import clean_line
from programme.models.parsing import parse_int

# Offered at once.
PAGE = 20
# After the name of the box: that of the field beside it.
_TYPED = "-typed"
# Between a location and its room, as shown and as typed.
_DASH = re.compile(r"\s+[–-]\s+")

# A location, and a room of it.
Place = tuple[Location | None, Room | None]


def place_key(location: int | None, room: int | None) -> str:
    """Return `r` or `l` with the ID of the room, or of a location without one; '' of no place."""
    return f"r{room}" if room else f"l{location}" if location else ""


def _key_of(place: Place) -> str:
    location, room = place
    return place_key(location.pk if location else None, room.pk if room else None)


def name_place(location: Any, room: Any) -> str:
    """Return `Stadshuset – Fullmäktigesalen`; of a location alone its address, too."""
    return f"{location.name} – {room.name}" if room else str(location or "")


def list_names(location: Any, room: Any) -> str:
    """Return all that a place is called, in one text."""
    return f"{name_place(location, room)} {(room or location).other_names}"


def find_place(key: str) -> Place:
    number = parse_int(key[1:])
    if number is not None and key[0] == "l":
        return Location.objects.filter(pk=number).first(), None
    rooms = Room.objects.select_related("location")
    room = rooms.filter(pk=number).first() if number is not None and key[0] == "r" else None
    return (room.location, room) if room else (None, None)


def describe_gone(key: str) -> str:
    """Return that a place is deleted, with the name that it had last."""
    number, is_room = parse_int(key[1:]), key[:1] == "r"
    room = Room.history.filter(id=number).order_by("history_id").last() if is_room else None
    location = Location.history.filter(id=room.location_id if room else number).order_by("history_id").last()
    if location is None or (is_room and room is None):
        return gettext("This place is no longer here. Choose another one.")
    name = f"{location.name} – {room.name}" if room else location.name
    return gettext("%(name)s is no longer here. Choose another place.") % {"name": name}


class PlaceInput(PreloadedAutocomplete):
    """A box that searches locations and rooms together; without a script the name is typed beside it."""

    url_name = "%s:places"
    stored: Place = (None, None)

    def __init__(self) -> None:
        super().__init__(Occasion._meta.get_field("location"), admin.site)

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        return format_html(
            '{}<noscript><input name="{}" aria-label="{}" placeholder="{}"></noscript>',
            super().render(name, value, attrs, renderer),
            f"{name}{_TYPED}",
            *[_("Another place")] * 2,
        )

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        typed = str(data.get(f"{name}{_TYPED}") or "").strip()
        return f"{NEW}{typed}" if typed else super().value_from_datadict(data, files, name)

    def optgroups(self, name: str, value: Any, attr: Any = None) -> list[Any]:  # noqa: ARG002 - Django's hook
        options = [self.create_option(name, "", "", False, 0)]
        for key in filter(None, value):
            is_stored = key == _key_of(self.stored)
            label = name_place(*(self.stored if is_stored else find_place(key)))
            options.append(self.create_option(name, key, label or describe_choice(key), True, 1))
        return [(None, options, 0)]


class PlaceField(forms.Field):
    widget = PlaceInput
    default_error_messages = {"unknown": _("There is no place of this name.")}
    # Whether a location, and a room, that are named may be made.
    may_make = (False, False)

    def to_python(self, value: Any) -> Place:
        text = str(value or "")
        if not text:
            return None, None
        is_named = text.startswith(NEW)
        place = self.find_named(text.removeprefix(NEW)) if is_named else find_place(text)
        if place[0] is None:
            raise ValidationError(self.error_messages["unknown"] if is_named else describe_gone(text))
        return place

    def find_named(self, text: str) -> Place:
        """Return the stored rows of a name, or rows that are to be stored; none that may not be made."""
        whole = Location(name=clean_line(text))
        named = find_stored(whole)
        name, *more = [whole.name] if named else _DASH.split(whole.name, maxsplit=1)
        location: Any = named or find_stored(Location(name=name)) or Location(name=name)
        room: Any = next((Room(name=each, location=location) for each in more), None)
        room = (room and location.pk and find_stored(room)) or room
        for row, may in zip((location, room), self.may_make, strict=True):
            if row is None or row.pk:
                continue
            if not may:
                return None, None
            try:
                row.clean_fields(exclude=["location"])
            except ValidationError as refused:
                raise ValidationError(refused.messages) from None
        return location, room

    def has_changed(self, initial: Any, data: Any) -> bool:
        return (initial or "") != (data or "")

    def describe(self, value: Any) -> str:
        """Return in words what is stored or sent."""
        key = str(value or "")
        return name_place(*find_place(key)) or describe_choice(key)


def load_places() -> list[Place]:
    rooms = [(each.location, each) for each in Room.objects.select_related("location")]
    return [*((each, None) for each in Location.objects.all()), *rooms]


def list_options(places: Iterable[Place]) -> list[dict[str, str]]:
    """Return what a box offers of places, in the order of their names."""
    named = [(_key_of(place), name_place(*place)) for place in places]
    return [{"id": key, "text": text} for key, text in sorted(named, key=lambda each: order_name(each[1]))]


def find_near(name: str, places: list[Place]) -> list[Place]:
    """Return the places that a name may mean, also by their other names."""
    named: dict[str, list[Place]] = defaultdict(list)
    for location, room in places:
        place: Any = room or location
        for each in (place.name, *place.other_names.splitlines()):
            named[each].append((location, room))
    return [place for each in NearNames(named).find(name) for place in named[each]]
