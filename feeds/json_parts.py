"""The parts of JSON elements: tables of single values, most of them as bytes.

Fields are copied from attributes of the same name and converted by their types.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, TypeVar, get_args

import msgspec
from msgspec import Raw
from msgspec.structs import fields

from feeds import interface, vocabulary
from feeds.festival_time import FestivalTime, build_day_id
from feeds.grouping import Occasions
from feeds.memoization import memoize
from feeds.programme import Programme
from feeds.vocabulary import Identity, LanguageCode, Occasion, Site, Text, Value
from feeds.wording import format_clock, format_day, format_opening_hours, format_time_span

Table = TypeVar("Table", bound=interface.JsonTable)


def translatable(text: Text) -> interface.Translatable:
    return interface.Translatable(en=text.en or None, sv=text.sv or None)


def build_urls(identity: Identity, site: Site) -> interface.Translatable:
    return interface.Translatable(*(site.occasion_url(identity, each) for each in ("en", "sv")))


def _none_if_empty(text: str) -> str | None:
    return text or None


# The attributes whose names differ from those of the tables' fields.
OTHERWISE_NAMED = {"accessibilityInfo": "accessibility", "isOnline": "online", "location": "location_name"}


def name_attribute(field: str) -> str:
    """Return the name of the attribute from which a table's field is copied."""
    return OTHERWISE_NAMED.get(field) or re.sub("[A-Z]+", r"_\g<0>", field).lower()


# The conversion of a field by its type in the value and in the table; None: unchanged.
_CONVERSIONS: dict[tuple[Any, Any], Callable[[Any], Any] | None] = {
    (bool, bool): None,
    (int, int): None,
    (float | None, float | None): None,
    (str, str): None,
    (str, str | None): _none_if_empty,
    (Text, interface.Translatable): translatable,
    (date, str): date.isoformat,
    (time | None, str | None): lambda clock: clock and f"{clock:%H:%M:%S}",
    (tuple[vocabulary.Stream, ...], list[interface.Stream]): lambda streams: [
        build_table(interface.Stream, each) for each in streams
    ],
}


@cache
def _plan(
    table: type[Table], value: type[Value], others: tuple[str, ...]
) -> Callable[[Any, Iterable[Any]], Table]:
    """Return the function that builds a table from a value, and from the values of `others`."""
    types = {field.name: field.type for field in fields(value)}
    plain = [field for field in fields(table) if field.name not in others]
    attributes = [name_attribute(field.name) for field in plain]
    conversions = [
        _CONVERSIONS[types[attribute], field.type] for attribute, field in zip(attributes, plain, strict=True)
    ]
    get = attrgetter(*attributes)
    # Most fields are of this kind: calling a function for each would double the time.
    optional = [place for place, convert in enumerate(conversions) if convert is _none_if_empty]
    converted = [
        (place, convert) for place, convert in enumerate(conversions) if convert not in (None, _none_if_empty)
    ]
    places = [*(field.name for field in plain), *others]
    arrange = itemgetter(*(places.index(field.name) for field in fields(table)))

    def build(read: Value, stated: Iterable[Any]) -> Table:
        values = [*get(read), *stated]
        for place in optional:
            values[place] = values[place] or None
        for place, convert in converted:
            values[place] = convert(values[place])
        return table(*arrange(values))

    return build


def build_table(table: type[Table], value: Value, **others: Any) -> Table:
    """Return a table with the fields of a value, and with others, which take precedence."""
    built: Table = _plan(table, type(value), tuple(others))(value, others.values())
    return built


encode = msgspec.json.Encoder().encode

# Marks a hole of a frame: a byte that JSON always escapes.
HOLE = b"\0"
HOLES = {field.name: Raw(HOLE) for field in fields(interface.Event) if Raw in get_args(field.type)}


@memoize
def write_frame(
    event: vocabulary.Event,
    change_info: str,
    changed_at: datetime | None,
    recurring: bool,
    festival: FestivalTime,
) -> list[bytes]:
    table = build_table(
        interface.Event,
        event,
        **HOLES,
        recurring=recurring,
        changeInfo=change_info or None,
        changeTimestamp=_timestamp(changed_at, festival) if changed_at else None,
        lastModified=_timestamp(event.last_modified, festival),
    )
    return encode(table).split(HOLE)


class Counts(NamedTuple):
    """The numbers of events and of their occasions."""

    events: int
    occasions: int

    @property
    def fields(self) -> dict[str, int]:
        return {"eventCount": self.events, "occationCount": self.occasions}


def _count(occasions: Occasions) -> Counts:
    return Counts(len({each.event.id for each in occasions}), len(occasions))


def count_organized(programme: Programme, organizer: vocabulary.Organizer) -> Counts:
    return _count(programme.index.find_having("organizer", organizer))


@memoize
def write_organizer(organizer: vocabulary.Organizer, counts: Counts) -> bytes:
    return encode(build_table(interface.Organizer, organizer, **counts.fields))


def build_area(
    programme: Programme, area: vocabulary.Area | vocabulary.SubArea, language: LanguageCode
) -> interface.Area | interface.SubArea:
    parameter = "subarea" if isinstance(area, vocabulary.SubArea) else "area"
    occasions = programme.index.find_having(parameter, area)
    days = _days(programme, area, programme.index.count_days(parameter, area), language)
    if isinstance(area, vocabulary.SubArea):
        # As `?area=…&subarea=…` with the sub area's own area counts.
        counts = _count(tuple(each for each in occasions if each.event.area.id == area.area_id))
        return build_table(interface.SubArea, area, **counts.fields, days=days)
    counts = _count(occasions)
    in_sub_areas = _count(tuple(each for each in occasions if each.event.sub_area))
    return build_table(
        interface.Area,
        area,
        **counts.fields,
        days=days,
        subAreaEventCount=in_sub_areas.events,
        subAreaOccationCount=in_sub_areas.occasions,
    )


def build_areas(programme: Programme) -> list[interface.Area | interface.SubArea]:
    return [build_area(programme, area, "sv") for area in programme.listed_areas]


def _days(
    programme: Programme,
    area: vocabulary.Area | vocabulary.SubArea,
    per_day: Mapping[date, int],
    language: LanguageCode,
) -> list[interface.AreaDay]:
    entered = programme.list_days(area) if isinstance(area, vocabulary.Area) else []
    by_date = {day.date: day for day in entered}
    every = (by_date.get(day) or vocabulary.AreaDay(day) for day in sorted({*by_date, *per_day}))
    return [
        build_table(
            interface.AreaDay,
            day,
            name=format_day(day.date, language),
            openTimeSpan=format_opening_hours(day.opens, day.closes),
            ticketOpenTimespan=format_opening_hours(day.ticket_opens, day.ticket_closes),
            occationCount=per_day.get(day.date, 0),
        )
        for day in every
    ]


def build_occasion(
    programme: Programme, occasion: Occasion, today: date, language: LanguageCode
) -> interface.Occation:
    site, span = programme.site, programme.span(occasion)
    return interface.Occation(
        id=occasion.id,
        dayID=build_day_id(span.day),
        date=span.start.date(),
        startTime=span.start.time(),
        endTime=span.end.time(),
        stream=build_table(interface.Stream, occasion.stream) if occasion.stream else None,
        start=format_clock(span.start),
        timeSpan=format_time_span(span, today, language),
        url=build_urls(occasion.identity, site),
    )


@memoize
def write_location(place: vocabulary.Place) -> bytes:
    location, room = place.location, place.room
    table = build_table(
        interface.Location,
        location,
        room=room.name if room else None,
        fullName=place.full_name,
        floor=(room.floor or None) if room else None,
        roomAccessibilityInfo=translatable(room.accessibility if room else vocabulary.Text()),
    )
    return encode(table)


def _timestamp(instant: datetime, festival: FestivalTime) -> datetime | str:
    """Return a value that msgspec writes with six fractional digits and an offset."""
    local = festival.local(instant)
    # msgspec writes six times as fast as Python, but no fraction of zero, and Z for an offset of zero.
    if local.microsecond and local.utcoffset():
        return local
    return festival.timestamp(instant)
