"""Collects what documents say of areas, organizers, places and the like, which stand in many events."""

import datetime as dt
import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Any

from django.db.models import BooleanField, IntegerField, Model, TimeField
from msgspec.structs import fields as list_fields

from feeds import interface
from feeds.interface import JsonTable
from feeds.json_parts import name_attribute
from feeds.vocabulary import LANGUAGES, LanguageCode
from programme.exchange.readers.fields import (
    Report,
    as_dict,
    as_dicts,
    fit_line,
    parse_web_address,
    read_text,
)
from programme.exchange.readers.interface.documents import Table, View
from programme.exchange.values import NamedProperties, NameKey, StreamNames, build_name_key
from programme.models import (
    Area,
    AreaDay,
    EventType,
    Language,
    Location,
    Organizer,
    Room,
    Stream,
    SubArea,
)
from programme.models.cleaning import clean_line, clean_prose
from programme.models.fields import Color, Line, Link

# As large as JavaScript reads exactly; and the database counts on from the largest.
_LARGEST_ID = 2**52
# The interface's tables that are not called like their rows.
_TABLES: dict[type[Model], type[JsonTable]] = {Room: interface.ProgrammeRoom}


def read_id(table: Table) -> int:
    """Return the ID of a table, 0 without a usable one."""
    found = table.get("id")
    return found if type(found) is int and 0 < found < _LARGEST_ID else 0


def read_clock(text: str) -> dt.time | None:
    try:
        return dt.time.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return None


def read_fields(model: type[Model], views: list[View], report: Report | None = None) -> dict[str, Any]:
    """Return what tables of all languages state of the fields that a model has, too; Swedish ones go first.

    Texts of Translatables are those of the language; of all others the first table's count.
    """
    values = {}
    for name, attribute, languages in _list_plain_fields(model):
        for language in languages or [None]:
            field = model._meta.get_field(f"{attribute}_{language}" if language else attribute)
            texts = (_text_in(view, view.table.get(name), language) for view in views if language)
            value = next(filter(None, texts), "") if language else views[0].table.get(name)
            values[field.name] = _read_value(field, value, report)
    return values


@cache
def _list_plain_fields(model: type[Model]) -> list[tuple[str, str, tuple[LanguageCode, ...]]]:
    """Return the fields of a table that a model stores: in the table, in the model, and its languages."""
    fields = (each for each in model._meta.concrete_fields if each.editable and not each.is_relation)
    stored = {each.name for each in fields if not each.primary_key}
    found: list[tuple[str, str, tuple[LanguageCode, ...]]] = []
    for field in list_fields(_TABLES.get(model) or getattr(interface, model.__name__)):
        attribute = name_attribute(field.name)
        if attribute in stored:
            found.append((field.name, attribute, ()))
        elif f"{attribute}_sv" in stored:
            found.append((field.name, attribute, LANGUAGES))
    return found


def _read_value(field: Any, value: Any, report: Report | None) -> Any:
    """Return a value as a field of a model stores it, or what it stores where nothing usable is stated."""
    if isinstance(field, BooleanField):
        return value is True
    if isinstance(field, IntegerField):
        usable = type(value) is int and value >= 0 and (not field.choices or value in dict(field.flatchoices))
        return value if usable else 0
    text = value if isinstance(value, str) else ""
    if isinstance(field, TimeField):
        return read_clock(text)
    if isinstance(field, Color):
        return _read_color(text)
    if isinstance(field, Link):
        return parse_web_address(text, report)
    return fit_line(field.model, field.name, text) if isinstance(field, Line) else clean_prose(text)


def _read_color(text: str) -> str:
    color = text.strip().lower()
    if re.fullmatch("#[0-9a-f]{3}", color):
        color = "#" + "".join(digit * 2 for digit in color[1:])
    return color if re.fullmatch(Color.pattern, color) else ""


def _text_in(view: View, value: Any, language: LanguageCode) -> str:
    """Return the text of a Translatable; a plain one is in the language that was asked for."""
    if isinstance(value, str):
        return value if view.language == language else ""
    return read_text(as_dict(value), language)


class PropertyReader:
    """Reads each thing once, from all languages; what stands in a document first is taken."""

    def __init__(self) -> None:
        self.found: dict[NameKey, NamedProperties] = {}

    def _note(self, key: NameKey, views: list[View], fields: dict[str, Any], **more: Any) -> None:
        self.found.setdefault(key, NamedProperties(read_id(views[0].table), fields, **more))

    def read_area(self, model: type[Area | SubArea], views: list[View], *above: str) -> str:
        """Return the name of an area, or of a sub area of one."""
        name, key = _read_name(model, views), build_name_key(model, *above, _read_name(model, views))
        if name and key not in self.found:
            table, fields = views[0].table, read_fields(model, views)
            full_name = "" if fields["full_name"] == name else fields["full_name"]
            streams = tuple(filter(None, map(read_stream, as_dicts(table.get("streams")))))
            days = _read_days(table) if model is Area else {}
            fields |= {"name": name, "full_name": full_name}
            self._note(key, views, fields, streams=streams, days=days)
        return name

    def read_organizer(self, views: list[View]) -> str:
        name = _read_name(Organizer, views)
        key = build_name_key(Organizer, name)
        if name and key not in self.found:
            self._note(key, views, read_fields(Organizer, views) | {"name": name})
        return name

    def read_type(self, views: list[View]) -> str:
        fields = _read_names(EventType, views)
        if name := fields["name_sv"]:
            self._note(build_name_key(EventType, name), views, fields)
        return str(name)

    def read_language(self, views: list[View]) -> str:
        fields = _read_names(Language, views)
        if code := fields["code"]:
            self._note(build_name_key(Language, code), views, fields if fields["name_sv"] else {})
        return str(code)

    def read_place(self, views: list[View]) -> tuple[str, str, str]:
        """Return the names of a location, its address and a room; '' where there is none."""
        if not views:
            return "", "", ""
        fields, within = read_fields(Location, views), read_fields(Room, list(map(_list_room, views)))
        address, room = fields["address"], within["name"]
        location = fields["name"] or address
        if not location:
            return "", "", ""
        self._note(build_name_key(Location, address, location), views, fields | {"name": location})
        if room:
            self._note(build_name_key(Room, address, location, room), views, within)
        return location, address, room


def _list_room(view: View) -> View:
    """Return what a table of a location says of the room."""
    table = view.table
    name, accessibility = table.get("room"), table.get("roomAccessibilityInfo")
    return view._replace(table=table | {"name": name, "accessibilityInfo": accessibility})


def read_stream(table: Table) -> StreamNames | None:
    fields = read_fields(Stream, [View("sv", table)])
    name, url = fields["name"], fields["url"]
    return (name or url[:200], url, fields["source"]) if url else None


def read_area_views(elements: Iterable[View]) -> list[list[View]]:
    """Return the areas of areas.json in their order, each with its tables in all languages."""
    by_id: dict[int, list[View]] = {}
    for number, view in enumerate(elements):
        by_id.setdefault(read_id(view.table) or -number, []).append(view)
    return list(by_id.values())


def _read_name(model: type[Model], views: list[View]) -> str:
    """Return a name, in one line that fits; a short name may be missing beside a full one."""
    table = views[0].table if views else {}
    return fit_line(model, "name", clean_line(read_text(table, "name")) or read_text(table, "fullName"))


def _read_names(model: type[Model], views: list[View]) -> dict[str, Any]:
    """Return the fields of a row with a name in each language, of which the Swedish one goes for both."""
    fields = read_fields(model, views or [View("sv", {})])
    return fields | {"name_sv": fields["name_sv"] or fields["name_en"]}


def _read_days(table: Table) -> dict[dt.date, dict[str, Any]]:
    """Return what was entered for the days of an area: days that only have occasions say nothing."""
    days = {}
    for each in as_dicts(table.get("days")):
        fields = read_fields(AreaDay, [View("sv", each)])
        entered = any(value not in (None, "") for value in fields.values())
        if entered or not each.get("occationCount"):
            with suppress(ValueError):
                days[dt.date.fromisoformat(read_text(each, "date"))] = fields
    return days
