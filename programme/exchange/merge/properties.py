"""Gives new rows what a file states of them beside their names: a new area its colour, texts and days."""

from collections.abc import Callable, Iterable
from typing import Any

from django.db import models

from feeds.names import fold
from programme.exchange.merge.context import ImportContext
from programme.exchange.values import NamedProperties, NameKey
from programme.models import (
    Area,
    AreaDay,
    Day,
    EventType,
    Language,
    Location,
    Organizer,
    Room,
    SubArea,
)

_DAYS = "_stated_days"
# The names of new rows, by model.
_KINDS: dict[type[models.Model], tuple[str, Callable[[Any], Iterable[str]]]] = {
    Area: ("area", lambda row: [fold(row.name)]),
    SubArea: ("sub_area", lambda row: map(fold, (row.area.name, row.name))),
    Location: ("location", lambda row: [row.address, fold(row.name)]),
    Room: ("room", lambda row: [row.location.address, fold(row.location.name), fold(row.name)]),
    Organizer: ("organizer", lambda row: [fold(row.name)]),
    EventType: ("type", lambda row: [fold(row.name_sv)]),
    Language: ("language", lambda row: [fold(row.code)]),
}


def build_name_key(row: models.Model) -> NameKey:
    """Return the key of a new row among the properties that a file states."""
    kind, names = _KINDS.get(type(row), ("", lambda _row: []))
    return (kind, *names(row))


def describe_rows(context: ImportContext) -> None:
    """Set the fields of new rows. Rows that are stored already keep what editors have entered for them."""
    properties = context.contents.properties
    if not properties:
        return
    for named in list(context.directory.kinds().values()):
        for row in named.created:
            if stated := properties.get(build_name_key(row)):
                for name, value in stated.fields.items():
                    setattr(row, name, value)
                _attach_streams(context, row, stated)
    _order(context.directory.areas.created, list(properties))


def create_area_days(areas: list[Area]) -> None:
    """Create what was stated for the days of new areas."""
    days = [
        AreaDay(area=area, day=Day.on(date), **fields)
        for area in areas
        for date, fields in vars(area).get(_DAYS, {}).items()
    ]
    AreaDay.objects.bulk_create(days)


def find_new_areas(context: ImportContext) -> list[Area]:
    """Return the new areas that a file describes, also those without events, if the user may add them."""
    directory, rights = context.directory, context.options.rights
    if context.options.area or (rights and not rights.has_permission("add_area")):
        return []
    for key, stated in context.contents.properties.items():
        if key[0] == "area":
            area = directory.find_area(stated.fields["name"])
            if area.pk is None:
                setattr(area, _DAYS, stated.days)
    return [area for area in directory.areas.created if hasattr(area, _DAYS)]


def _attach_streams(context: ImportContext, row: models.Model, stated: NamedProperties) -> None:
    """Give an area or sub area its streams; one that is stored already belongs where it is."""
    for names in stated.streams:
        stream = context.directory.find_stream(names)
        if stream.pk is None and isinstance(row, (Area, SubArea)):
            setattr(stream, "area" if isinstance(row, Area) else "sub_area", row)


def _order(areas: list[Area], keys: list[NameKey]) -> None:
    """Put new areas behind the stored ones, in the file's order."""
    places = {key: number for number, key in enumerate(keys)}
    ordered = sorted(areas, key=lambda area: places.get(build_name_key(area), len(places)))
    for number, area in enumerate(ordered):
        area.sort_order += number
