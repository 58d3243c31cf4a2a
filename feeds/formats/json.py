"""JSON: an array with one Event object per occasion, and the array of areas."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, TypeVar, get_args
from weakref import proxy

import msgspec
from msgspec import Raw
from msgspec.structs import fields

from feeds import interface, tombstones, vocabulary
from feeds.festival_time import FestivalTime, build_day_id
from feeds.formats.base import Format
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.programme import NOTHING, Counts, Programme
from feeds.snapshot import Snapshot
from feeds.table_building import build_table, translatable
from feeds.vocabulary import LanguageCode, Occasion, Text, Value
from feeds.wording import format_clock, format_day, format_opening_hours, format_time_span

Thing = TypeVar("Thing", bound=Value)

encode = msgspec.json.Encoder().encode

# Marks a hole of a frame: a byte that is not in JSON, which escapes it.
HOLE = b"\0"
HOLES = {field.name: Raw(HOLE) for field in fields(interface.Event) if Raw in get_args(field.type)}
BOOLEANS = {True: b"true", False: b"false"}


class JsonFormat(Format):
    extension = "json"
    media_types = ("application/json", "text/json")
    rank = 10
    label = Text(sv="JSON", en="JSON")
    purpose = Text(sv="för appar och egna program", en="for apps and programs of your own")

    @classmethod
    def prepare(cls, programme: Programme) -> None:
        for occasions in programme.by_event.values():
            for occasion in occasions:
                _frame(occasion.event, *_mark(occasion), len(occasions) > 1, programme.site.time)
        for organizer in {occasion.event.organizer for occasion in programme.occasions}:
            if organizer:
                _organizer(organizer, programme.counts["organizer", organizer.id])
        for place in {occasion.place for occasion in programme.occasions}:
            if place:
                _location(place)

    def write_events(self, listing: Listing) -> bytes:
        snapshot, elements = listing.snapshot, _elements(listing.snapshot, listing.language)
        array: list[bytes] = []
        for occasion in listing.occasions:
            array.append(b",")
            array += elements.get_pieces(occasion, snapshot.is_updated(occasion))
        for removed in listing.removed or ():
            array += (b",", encode(tombstones.build_table(removed, listing.site.time)))
        array[:1] = [b"["]
        array.append(b"]")
        return b"".join(array)

    def write_areas(self, snapshot: Snapshot) -> bytes:
        return encode([_area(snapshot.programme, area, "sv") for area in snapshot.programme.areas])


def _elements(snapshot: Snapshot, language: LanguageCode) -> "ElementCache":
    programme, today = snapshot.programme, snapshot.date
    return programme.cached_on(
        today, (ElementCache, language), lambda: ElementCache(programme, today, language)
    )


class ElementCache:
    """The elements of the array on one date in one language, which are written on first use.

    An element is a sequence of bytes, most of which it shares with others: the frame of its event and its
    mark of change, and in the holes of the frame the area, organizer, location and so on, and the occasion's
    own fields.
    """

    def __init__(self, programme: Programme, today: date, language: LanguageCode) -> None:
        # The programme holds its elements. A reference cycle would keep it in memory until the next full
        # garbage collection, and programmes are large.
        self.programme = proxy(programme)
        self.today = today
        self.language = language
        self._pieces: dict[tuple[int, bool], tuple[bytes, ...]] = {}
        self._parts: dict[Value, bytes] = {}

    def get_pieces(self, occasion: Occasion, updated: bool) -> tuple[bytes, ...]:
        key = (occasion.identity.id, updated)
        if key not in self._pieces:
            self._write_event(self.programme.by_event[occasion.event.id], updated)
        return self._pieces[key]

    def _write_event(self, occasions: tuple[Occasion, ...], updated: bool) -> None:
        """Write the elements of one event, which differ in a few holes alone."""
        event = occasions[0].event
        recurring, festival = len(occasions) > 1, self.programme.site.time
        described = [encode(_occasion(self.programme, each, self.today, self.language)) for each in occasions]
        every = b"".join((b"[", b",".join(described), b"]"))
        area = self._part(event.area, self._area)
        sub_area = self._part(event.sub_area, self._sub_area)
        organizer = self._part(event.organizer, self._organizer)
        language, event_type = self._part(event.language, _language), self._part(event.type, _event_type)
        for occasion, description in zip(occasions, described, strict=True):
            cut = _frame(event, *_mark(occasion), recurring, festival)
            location = self._part(occasion.place, _location)
            self._pieces[occasion.identity.id, updated] = (
                *(cut[0], area, cut[1], sub_area, cut[2], organizer, cut[3]),
                *(BOOLEANS[occasion.cancelled], cut[4], language, cut[5], event_type, cut[6]),
                *(location, cut[7], description, cut[8], every, cut[9], BOOLEANS[updated], cut[10]),
            )

    def _part(self, thing: Thing | None, write: Callable[[Thing], bytes]) -> bytes:
        if thing is None:
            return b"null"
        part = self._parts.get(thing)
        if part is None:
            part = self._parts[thing] = write(thing)
        return part

    def _area(self, area: vocabulary.Area) -> bytes:
        return encode(_area(self.programme, area, self.language))

    def _organizer(self, organizer: vocabulary.Organizer) -> bytes:
        return _organizer(organizer, self.programme.counts["organizer", organizer.id])

    def _sub_area(self, sub_area: vocabulary.SubArea) -> bytes:
        shared = _shared_fields(self.programme, "sub_area", sub_area, self.language)
        return encode(build_table(interface.SubArea, sub_area, **shared))


def _mark(occasion: Occasion) -> tuple[str, datetime | None]:
    return occasion.change_info, occasion.changed_at


@memoize
def _frame(
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
def _organizer(organizer: vocabulary.Organizer, counts: Counts) -> bytes:
    return encode(
        build_table(interface.Organizer, organizer, eventCount=counts.events, occationCount=counts.occasions)
    )


def _area(programme: Programme, area: vocabulary.Area, language: LanguageCode) -> interface.Area:
    in_sub_areas = programme.counts.get(("in_sub_areas", area.id), NOTHING)
    return build_table(
        interface.Area,
        area,
        **_shared_fields(programme, "area", area, language),
        subAreaEventCount=in_sub_areas.events,
        subAreaOccationCount=in_sub_areas.occasions,
    )


def _shared_fields(
    programme: Programme, kind: str, area: vocabulary.Area | vocabulary.SubArea, language: LanguageCode
) -> dict[str, Any]:
    counts = programme.counts.get((kind, area.id), NOTHING)
    entered = area.days if isinstance(area, vocabulary.Area) else ()
    return {
        "location": area.location_name or None,
        "eventCount": counts.events,
        "occationCount": counts.occasions,
        "days": _days(entered, programme.per_day.get((kind, area.id), {}), language),
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


def _occasion(
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
def _location(place: vocabulary.Place) -> bytes:
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


def _language(language: vocabulary.Language) -> bytes:
    return encode(build_table(interface.Language, language))


def _event_type(event_type: vocabulary.EventType) -> bytes:
    return encode(build_table(interface.EventType, event_type))


def _timestamp(instant: datetime, festival: FestivalTime) -> datetime | str:
    """Return a value that is encoded with six fractional digits and an offset."""
    local = festival.local(instant)
    # msgspec writes ten times as fast as Python, but no fraction of zero, and Z for an offset of zero.
    if local.microsecond and local.utcoffset():
        return local
    return local.isoformat(timespec="microseconds")
