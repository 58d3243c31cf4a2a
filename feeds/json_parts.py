"""The parts of JSON elements: tables of single values, most of them as bytes."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, get_args

import msgspec
from msgspec import Raw
from msgspec.structs import fields

from feeds import interface, vocabulary
from feeds.festival_time import FestivalTime, build_day_id
from feeds.memoization import memoize
from feeds.programme import Programme
from feeds.table_building import build_table, translatable
from feeds.tallies import Counts
from feeds.vocabulary import LanguageCode, Occasion
from feeds.wording import format_clock, format_day, format_opening_hours, format_time_span

encode = msgspec.json.Encoder().encode

# Marks a hole of a frame: a byte that is not in JSON, which escapes it.
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


@memoize
def write_organizer(organizer: vocabulary.Organizer, counts: Counts) -> bytes:
    return encode(
        build_table(interface.Organizer, organizer, eventCount=counts.events, occationCount=counts.occasions)
    )


def build_area(programme: Programme, area: vocabulary.Area, language: LanguageCode) -> interface.Area:
    in_sub_areas = programme.tallies.count("in_sub_areas", area.id)
    return build_table(
        interface.Area,
        area,
        **_shared_fields(programme, "area", area, language),
        subAreaEventCount=in_sub_areas.events,
        subAreaOccationCount=in_sub_areas.occasions,
    )


def build_sub_area(
    programme: Programme, sub_area: vocabulary.SubArea, language: LanguageCode
) -> interface.SubArea:
    shared = _shared_fields(programme, "sub_area", sub_area, language)
    return build_table(interface.SubArea, sub_area, **shared)


def _shared_fields(
    programme: Programme, kind: str, area: vocabulary.Area | vocabulary.SubArea, language: LanguageCode
) -> dict[str, Any]:
    counts = programme.tallies.count(kind, area.id)
    entered = area.days if isinstance(area, vocabulary.Area) else ()
    return {
        "location": area.location_name or None,
        "eventCount": counts.events,
        "occationCount": counts.occasions,
        "days": _days(entered, programme.tallies.days.get((kind, area.id), {}), language),
        "streams": [build_table(interface.Stream, stream) for stream in area.streams],
    }


def _days(
    entered: tuple[vocabulary.AreaDay, ...], per_day: Mapping[date, int], language: LanguageCode
) -> list[interface.AreaDay]:
    by_date = {day.date: day for day in entered}
    return [
        _day(by_date.get(day) or vocabulary.AreaDay(day), per_day.get(day, 0), language)
        for day in sorted({*by_date, *per_day})
    ]


def _day(day: vocabulary.AreaDay, count: int, language: LanguageCode) -> interface.AreaDay:
    return build_table(
        interface.AreaDay,
        day,
        date=day.date.isoformat(),
        name=format_day(day.date, language),
        openTimeSpan=format_opening_hours(day.opens, day.closes),
        ticketOpenTimespan=format_opening_hours(day.ticket_opens, day.ticket_closes),
        occationCount=count,
    )


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
        url=interface.Translatable(
            en=site.occasion_url(occasion.identity, "en"), sv=site.occasion_url(occasion.identity, "sv")
        ),
    )


@memoize
def write_location(place: vocabulary.Place) -> bytes:
    location, room = place.location, place.room
    table = build_table(
        interface.Location,
        location,
        isOnline=location.online,
        room=room.name if room else None,
        fullName=place.full_name,
        floor=(room.floor or None) if room else None,
        accessibilityInfo=translatable(location.accessibility),
        roomAccessibilityInfo=translatable(room.accessibility if room else vocabulary.Text()),
    )
    return encode(table)


def write_language(language: vocabulary.Language) -> bytes:
    return encode(build_table(interface.Language, language))


def write_event_type(event_type: vocabulary.EventType) -> bytes:
    return encode(build_table(interface.EventType, event_type))


def _timestamp(instant: datetime, festival: FestivalTime) -> datetime | str:
    """Return a value that is encoded with six fractional digits and an offset."""
    local = festival.local(instant)
    # msgspec writes ten times as fast as Python, but no fraction of zero, and Z for an offset of zero.
    if local.microsecond and local.utcoffset():
        return local
    return local.isoformat(timespec="microseconds")
