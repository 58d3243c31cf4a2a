"""JSON: an array with one Event object per occasion, and the array of areas."""

from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from typing import TypeVar

import msgspec
from msgspec import Raw

from feeds import interface, vocabulary
from feeds.festival_time import day_id
from feeds.formats.base import Format
from feeds.listing import Listing
from feeds.programme import NOTHING
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion, Text, Value
from feeds.wording import clock, day_name, open_span, time_span

Thing = TypeVar("Thing", bound=Value)

encode = msgspec.json.Encoder().encode


class JsonFormat(Format):
    extension = "json"
    media_types = ("application/json", "text/json")
    rank = 10
    label = Text(sv="JSON", en="JSON")

    def write_events(self, listing: Listing) -> bytes:
        elements = _elements(listing.snapshot, listing.language)
        return b"[" + b",".join(map(elements.of, listing.occasions)) + b"]"

    def write_areas(self, snapshot: Snapshot) -> bytes:
        return encode([_area(snapshot, area, "sv") for area in snapshot.programme.areas])


def _elements(snapshot: Snapshot, language: LanguageCode) -> "_Elements":
    return snapshot.once((_Elements, language), lambda: _Elements(snapshot, language))


class _Elements:
    """The array's elements in one snapshot and language, each encoded when first asked for.

    What elements share (area, organizer, location, all occasions) is encoded once.
    """

    def __init__(self, snapshot: Snapshot, language: LanguageCode) -> None:
        self.snapshot = snapshot
        self.language = language
        self._elements: dict[int, bytes] = {}
        self._parts: dict[Value, Raw] = {}

    def of(self, occasion: Occasion) -> bytes:
        element = self._elements.get(occasion.id)
        if element is None:
            self._write(self.snapshot.programme.by_event[occasion.event.id])
            element = self._elements[occasion.id]
        return element

    def _write(self, occasions: tuple[Occasion, ...]) -> None:
        """Encode the elements of one event, which differ by a few fields only."""
        described = [encode(_occasion(self.snapshot, each, self.language)) for each in occasions]
        every = Raw(b"[" + b",".join(described) + b"]")
        element = self._event(occasions[0].event, recurring=len(occasions) > 1, every=every)
        for occasion, description in zip(occasions, described, strict=True):
            element.cancelled = occasion.cancelled
            element.location = self._optional(occasion.place, _location)
            element.occation = Raw(description)
            self._elements[occasion.id] = encode(element)

    def _event(self, event: vocabulary.Event, *, recurring: bool, every: Raw) -> interface.Event:
        return interface.Event(
            id=event.id,
            area=self._part(event.area, self._area),
            subArea=self._optional(event.sub_area, self._sub_area),
            title=event.title,
            organizer=self._optional(event.organizer, self._organizer),
            signInterpreted=event.sign_interpreted,
            highlighted=event.highlighted,
            production=event.production,
            cancelled=event.cancelled,
            recurring=recurring,
            language=self._optional(event.language, _language),
            type=self._part(event.type, _event_type),
            location=None,
            occation=every,
            price=event.price or None,
            intro=_translatable(event.intro),
            description=_translatable(event.description),
            imageUrl=event.image_url or None,
            imageCaption=event.image_caption or None,
            externalUrl=event.external_url or None,
            ticketUrl=event.ticket_url or None,
            allOccations=every,
            updated=self.snapshot.is_updated(event),
            changeInfo=event.change_info or None,
            changeTimestamp=_timestamp(self.snapshot, event.changed_at) if event.changed_at else None,
            lastModified=_timestamp(self.snapshot, event.last_modified),
        )

    def _optional(self, thing: Thing | None, table: Callable[[Thing], msgspec.Struct]) -> Raw | None:
        return None if thing is None else self._part(thing, table)

    def _part(self, thing: Thing, table: Callable[[Thing], msgspec.Struct]) -> Raw:
        part = self._parts.get(thing)
        if part is None:
            part = self._parts[thing] = Raw(encode(table(thing)))
        return part

    def _area(self, area: vocabulary.Area) -> interface.Area:
        return _area(self.snapshot, area, self.language)

    def _sub_area(self, sub_area: vocabulary.SubArea) -> interface.SubArea:
        counts = self.snapshot.counts(sub_area)
        per_day = self.snapshot.programme.per_day.get(("sub_area", sub_area.id), {})
        return interface.SubArea(
            id=sub_area.id,
            name=sub_area.name,
            fullName=sub_area.full_name,
            color=sub_area.color or None,
            location=sub_area.location_name or None,
            address=sub_area.address or None,
            info=_translatable(sub_area.info),
            externalUrl=sub_area.external_url or None,
            eventCount=counts.events,
            occationCount=counts.occasions,
            days=_days((), per_day, self.language),
            streams=[_stream(stream) for stream in sub_area.streams],
        )

    def _organizer(self, organizer: vocabulary.Organizer) -> interface.Organizer:
        counts = self.snapshot.counts(organizer)
        return interface.Organizer(
            id=organizer.id,
            name=organizer.name,
            info=_translatable(organizer.info),
            externalUrl=organizer.external_url or None,
            eventCount=counts.events,
            occationCount=counts.occasions,
            offerCount=organizer.offer_count,
        )


def _area(snapshot: Snapshot, area: vocabulary.Area, language: LanguageCode) -> interface.Area:
    counts = snapshot.counts(area)
    in_sub_areas = snapshot.programme.counts.get(("in_sub_areas", area.id), NOTHING)
    per_day = snapshot.programme.per_day.get(("area", area.id), {})
    return interface.Area(
        id=area.id,
        name=area.name,
        fullName=area.full_name,
        color=area.color or None,
        location=area.location_name or None,
        address=area.address or None,
        info=_translatable(area.info),
        externalUrl=area.external_url or None,
        eventCount=counts.events,
        occationCount=counts.occasions,
        price=area.price or None,
        ticketUrl=area.ticket_url or None,
        subAreaEventCount=in_sub_areas.events,
        subAreaOccationCount=in_sub_areas.occasions,
        days=_days(area.days, per_day, language),
        streams=[_stream(stream) for stream in area.streams],
    )


def _days(
    entered: tuple[vocabulary.AreaDay, ...], per_day: Mapping[date, int], language: LanguageCode
) -> list[interface.AreaDay]:
    by_date = {day.date: day for day in entered}
    return [
        _day(by_date.get(day) or vocabulary.AreaDay(day), per_day.get(day, 0), language)
        for day in sorted({*by_date, *per_day})
    ]


def _day(day: vocabulary.AreaDay, count: int, language: LanguageCode) -> interface.AreaDay:
    return interface.AreaDay(
        date=day.date.isoformat(),
        name=day_name(day.date, language),
        opens=_clock_time(day.opens),
        closes=_clock_time(day.closes),
        openTimeSpan=open_span(day.opens, day.closes),
        ticketOpens=_clock_time(day.ticket_opens),
        ticketCloses=_clock_time(day.ticket_closes),
        ticketOpenTimespan=open_span(day.ticket_opens, day.ticket_closes),
        title=day.title or None,
        priceInfo=day.price_info or None,
        occationCount=count,
    )


def _occasion(snapshot: Snapshot, occasion: Occasion, language: LanguageCode) -> interface.Occation:
    site, span = snapshot.programme.site, snapshot.programme.span(occasion)
    return interface.Occation(
        id=occasion.id,
        dayID=day_id(span.day),
        date=span.start.date(),
        startTime=span.start.time(),
        endTime=span.end.time(),
        stream=_stream(occasion.stream) if occasion.stream else None,
        start=clock(span.start),
        timeSpan=time_span(span, snapshot.today, language),
        url=interface.Translatable(
            en=site.occasion_url(occasion.identity, "en"), sv=site.occasion_url(occasion.identity, "sv")
        ),
    )


def _location(place: vocabulary.Place) -> interface.Location:
    location, room = place.location, place.room
    return interface.Location(
        name=location.name,
        isOnline=location.online,
        address=location.address or None,
        room=room.name if room else None,
        fullName=place.full_name,
        floor=(room.floor or None) if room else None,
        accessibilityInfo=_translatable(location.accessibility),
        roomAccessibilityInfo=_translatable(room.accessibility if room else vocabulary.Text()),
        publicTransportStation=location.public_transport_station or None,
    )


def _stream(stream: vocabulary.Stream) -> interface.Stream:
    return interface.Stream(name=stream.name, url=stream.url, source=stream.source)


def _language(language: vocabulary.Language) -> interface.Language:
    return interface.Language(code=language.code, name=_translatable(language.name))


def _event_type(event_type: vocabulary.EventType) -> interface.EventType:
    return interface.EventType(
        id=event_type.id, name=_translatable(event_type.name), color=event_type.color or None
    )


def _translatable(text: vocabulary.Text) -> interface.Translatable:
    return interface.Translatable(en=text.en or None, sv=text.sv or None)


def _clock_time(clock_time: time | None) -> str | None:
    return None if clock_time is None else f"{clock_time:%H:%M:%S}"


def _timestamp(snapshot: Snapshot, instant: datetime) -> datetime | str:
    """Return what is encoded with six fractional digits and an offset."""
    local = snapshot.programme.site.time.local(instant)
    # msgspec writes ten times as fast as Python, but no fraction of zero, and Z for an offset of zero.
    if local.microsecond and local.utcoffset():
        return local
    return local.isoformat(timespec="microseconds")
