"""What a file states of rows beside their names, such as an area's colour, texts and days.

New rows get all of it, and stored ones what has changed since the last import and was not edited here.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.db import models
from django.db.models import prefetch_related_objects

from feeds.names import fold
from programme.exchange.merge.changes import PlannedChange, find_changes, set_values
from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.three_way import ThreeWayMerge
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


def describe_rows(context: ImportContext) -> list[PlannedChange]:
    """Set the fields of new rows, and return what changes of stored ones."""
    properties = context.contents.properties
    if not properties:
        return []
    changes: list[PlannedChange] = []
    for named in list(context.directory.kinds().values()):
        for row in named.created:
            if stated := properties.get(build_name_key(row)):
                set_values(row, stated.fields)
                _attach_streams(context, row, stated)
                if stated.fields:
                    context.memory.remember(row, stated.fields)
        if context.permissions.may_change(named.model):
            stored = named.list_stored()
            if named.model is Area:
                prefetch_related_objects(stored, "days__day")
            for row in stored:
                if stated := properties.get(build_name_key(row)):
                    changes += _describe_stored(context, row, stated)
    _order(context.directory.areas.created, list(properties))
    return changes


def _describe_stored(
    context: ImportContext, row: models.Model, stated: NamedProperties
) -> Iterator[PlannedChange]:
    yield from _merge(context, row, stated.fields)
    if stated.days and isinstance(row, Area):
        for each in row.days.all():
            yield from _merge(context, each, stated.days.get(each.day.date, {}))


def _merge(context: ImportContext, row: models.Model, stated: dict[str, Any]) -> Iterator[PlannedChange]:
    values, _kept = context.memory.merge(row, stated)
    if stated:
        context.memory.remember(row, stated)
    if changes := find_changes(row, values):
        set_values(row, values)
        yield PlannedChange(row, changes)


def save_described(changes: list[PlannedChange]) -> None:
    by_model = defaultdict(list)
    for change in changes:
        by_model[type(change.row)].append(change)
    for model, found in by_model.items():
        fields = sorted({name for change in found for name in change.fields})
        model.objects.bulk_update([change.row for change in found], fields)


def create_area_days(areas: list[Area], memory: ThreeWayMerge) -> None:
    """Create what was stated for the days of new areas."""
    days = []
    for area in areas:
        for date, fields in vars(area).get(_DAYS, {}).items():
            days.append(AreaDay(area=area, day=Day.on(date), **fields))
            memory.remember(days[-1], fields)
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
