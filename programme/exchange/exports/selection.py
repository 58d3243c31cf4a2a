"""What exports hold: events, or occasions with their events, in a constant number of queries."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import QuerySet

from feeds.festival_time import FestivalTime
from feeds.vocabulary import LANGUAGES, LanguageCode
from programme.models import Area, Event, Festival, Location, Occasion, Room, Status
from programme.models.festival_time import festival_time


class ExportPlace(NamedTuple):
    """The names of a place; '' for what it does not have."""

    location: str = ""
    address: str = ""
    room: str = ""

    @classmethod
    def of(cls, location: Location | None, room: Room | None) -> "ExportPlace":
        location = location or (room.location if room else None)
        if location is None:
            return cls()
        return cls(location.name, location.address, room.name if room else "")


class ExportRow(NamedTuple):
    """One occasion with its event; `own_place` is whether the occasion states a place itself."""

    event: Event
    occasion: Occasion
    place: ExportPlace
    event_place: ExportPlace
    own_place: bool
    # Of its texts: the requested one, else the one that the event has.
    language: LanguageCode

    @property
    def intro(self) -> str:
        return str(getattr(self.event, f"intro_{self.language}"))

    @property
    def description(self) -> str:
        return str(getattr(self.event, f"description_{self.language}"))

    @property
    def cancelled(self) -> bool:
        return self.event.cancelled or self.occasion.cancelled


class ExportSelection(NamedTuple):
    """The occasions that are exported, in order, and the festival's name and time."""

    name: str
    language: LanguageCode
    time: FestivalTime
    rows: list[ExportRow]


def select_events(*, drafts: bool = False, area: Area | None = None) -> QuerySet[Event]:
    events = Event.objects.all() if drafts else Event.objects.filter(status=Status.PUBLISHED)
    return events if area is None else events.filter(area=area)


def select_occasions(events: QuerySet[Event], language: LanguageCode) -> ExportSelection:
    festival = Festival.objects.first()
    return ExportSelection(
        name=_name(festival, language),
        language=language,
        time=festival_time(),
        rows=[_row(occasion, language) for occasion in _occasions(events)],
    )


def _occasions(events: QuerySet[Event]) -> Iterator[Occasion]:
    related = ("area", "sub_area", "type", "organizer", "language", "location", "room__location")
    found = {event.pk: event for event in events.select_related(*related)}
    occasions = Occasion.objects.filter(event__in=events).select_related("location", "room__location")
    for occasion in occasions.order_by("start", "end", "event__title", "id"):
        # An event that was added between the two queries waits for the next export.
        if occasion.event_id in found:
            occasion.event = found[occasion.event_id]
            yield occasion


def _name(festival: Festival | None, language: LanguageCode) -> str:
    if festival is None:
        return "Programme" if language == "en" else "Program"
    return str((festival.name_en if language == "en" else "") or festival.name_sv)


def _row(occasion: Occasion, language: LanguageCode) -> ExportRow:
    event = occasion.event
    event_place = ExportPlace.of(event.location, event.room)
    own = bool(occasion.location_id or occasion.room_id)
    place = ExportPlace.of(occasion.location, occasion.room) if own else event_place
    return ExportRow(event, occasion, place, event_place, own, _text_language(event, language))


def _text_language(event: Event, requested: LanguageCode) -> LanguageCode:
    def has_texts(language: LanguageCode) -> bool:
        return bool(getattr(event, f"intro_{language}") or getattr(event, f"description_{language}"))

    return next((language for language in (requested, *LANGUAGES) if has_texts(language)), requested)
