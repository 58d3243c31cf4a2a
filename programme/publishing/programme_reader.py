"""Reads the tables of the programme, each in one query, and joins their rows into a programme in Python."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar
from urllib.parse import urljoin

from django.core.files.storage import default_storage
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from msgspec.structs import replace

from feeds import vocabulary
from feeds.festival_time import FestivalTime
from feeds.programme import Programme
from feeds.vocabulary import GoneOccasion, Identity, Place, Revision, Site, Text
from programme import models
from programme.models.change_marks import ChangeMark, resolve_mark
from programme.models.locations import StatedVenue, Venue, resolve_venue
from programme.publishing.shared_tables import (
    AreaDayRow,
    FestivalRow,
    PublishedYearRow,
    RoomRow,
    SharedTables,
    StreamRow,
)
from programme.publishing.struct_columns import StructColumns, parse_instant

EPOCH = datetime.fromtimestamp(0, UTC)
# Feeds must have a title and an author, even before an editor has named the festival.
NO_FESTIVAL = vocabulary.Festival(Text("Festivalprogram", "Festival programme"), Text(), "", EPOCH)

ORGANIZER = StructColumns(vocabulary.Organizer, models.Organizer)
EVENT = StructColumns(vocabulary.Event, models.Event)


class HasId(Protocol):
    @property
    def id(self) -> int: ...


Known = TypeVar("Known", bound=HasId)


class KnownValues:
    """The values of an earlier programme, which are used again where they have not changed."""

    def __init__(self, programme: Programme | None) -> None:
        self._values: dict[tuple[type[Any], int], Any] = {}
        for occasion in programme.occasions if programme else ():
            event = occasion.event
            for value in (event.area, event.sub_area, event.organizer, event, occasion):
                if value is not None:
                    self._values[type(value), value.id] = value

    def reuse(self, value: Known) -> Known:
        """Return the earlier value if it is equal, else this one."""
        if not self._values:
            return value
        known: Known | None = self._values.get((type(value), value.id))
        return known if known is not None and known == value else value

    def reuse_all(self, values: dict[int, Known]) -> dict[int, Known]:
        return {key: self.reuse(value) for key, value in values.items()}


class ProgrammeReader:
    """Reads the tables in the order in which rows refer to each other; or of given events alone."""

    def __init__(
        self,
        site: Site,
        before: Programme | None = None,
        events: QuerySet[models.Event] | None = None,
    ) -> None:
        self.site = site
        self.known = KnownValues(before)
        self.chosen = events
        self.places: dict[tuple[int | None, ...], Place | None] = {}
        self.venues: dict[Venue, Place] = {}
        # What each event states of its venue: a location and a room.
        self.stated: dict[int, tuple[int | None, int | None]] = {}

    def read(self, revision: Revision) -> Programme:
        self.shared = SharedTables()
        self.rooms = self.shared[RoomRow]
        areas = self.known.reuse_all(_areas(self.shared))
        # The rows that events refer to, by the column of the reference.
        self.related: dict[str, dict[int, Any]] = {
            "area_id": areas,
            "sub_area_id": self.known.reuse_all(_sub_areas(self.shared)),
            "organizer_id": self.known.reuse_all(_organizers()),
            "language_id": self.shared[vocabulary.Language],
            "type_id": self.shared[vocabulary.EventType],
        }
        self.events = {event.id: event for event in self._events()}
        return Programme(
            revision=revision,
            site=self.site,
            festival=_festival(self.shared, self.site),
            areas=tuple(sorted(areas.values(), key=lambda area: area.order)),
            occasions=tuple(sorted(self._occasions(), key=lambda occasion: occasion.order)),
            gone=_gone() if self.chosen is None else {},
            published_years=_published_years(self.shared, self.site.time),
        )

    def _events(self) -> Iterator[vocabulary.Event]:
        query = models.Event.objects.published() if self.chosen is None else self.chosen
        further = ("location_id", "room_id", "image", "image_focus_x", "image_focus_y", *self.related)
        references = [(column.removesuffix("_id"), rows) for column, rows in self.related.items()]
        for values, (location, room, image, x, y, *related) in EVENT.read(query, *further):
            for (name, rows), key in zip(references, related, strict=True):
                values[name] = rows.get(key)
            self.stated[values["id"]] = location, room
            values["place"] = self._place(location, room)
            values["image_url"] = _uploaded(image, self.site) or values["image_url"]
            values["image_focus"] = (x, y)
            values["published_at"] = values["published_at"] or values["last_modified"]
            yield self.known.reuse(vocabulary.Event(**values))

    def _occasions(self) -> Iterator[vocabulary.Occasion]:
        published = {"event__status": models.Status.PUBLISHED}
        query = models.Occasion.objects.filter(
            **(published if self.chosen is None else {"event__in": self.chosen})
        )
        streams = {key: row.stream for key, row in self.shared[StreamRow].items()}
        for row in _occasion_rows(query):
            start, end, changed, previous, key, uuid, event_id, cancelled, note, *stated, stream = row
            event = self.events[event_id]
            mark = ChangeMark(event.changed_at, event.change_info)
            if changed or note:
                mark = resolve_mark(ChangeMark(changed and parse_instant(changed), note), mark)
            occasion = vocabulary.Occasion(
                identity=Identity(key, uuid, event_id),
                event=event,
                start=parse_instant(start),
                end=parse_instant(end),
                cancelled=cancelled or event.cancelled,
                place=self._place(*stated, *self.stated[event_id]),
                stream=streams.get(stream),
                change_info=mark.note,
                changed_at=mark.at,
                previous_start=previous and parse_instant(previous),
            )
            yield self.known.reuse(occasion)

    def _stated_venue(self, location_id: int | None, room_id: int | None) -> StatedVenue[int | None]:
        return StatedVenue(location_id, room_id, self.rooms[room_id].location_id if room_id else None)

    def _place(self, *stated: int | None) -> Place | None:
        """Return the place of an event that states a location and a room, or of an occasion and its event."""
        if stated not in self.places:
            venue = resolve_venue(*map(self._stated_venue, stated[::2], stated[1::2]))
            self.places[stated] = venue and self.venues.setdefault(venue, self._build_place(*venue))
        return self.places[stated]

    def _build_place(self, location_id: int, room_id: int | None) -> Place:
        location = self.shared[vocabulary.Location][location_id]
        return Place(location, self.rooms[room_id].room if room_id else None)


def _festival(shared: SharedTables, site: Site) -> vocabulary.Festival:
    for row in shared[FestivalRow].values():
        logo, font = _uploaded(row.logo, site), _uploaded(row.font, site)
        theme = vocabulary.Theme(row.color, logo, row.headings, font)
        return vocabulary.Festival(
            name=row.name,
            subtitle=row.subtitle,
            website=row.website,
            saved_at=parse_instant(row.saved_at),
            theme=theme,
            terms=row.terms,
            town=row.town,
            country=row.country,
        )
    return NO_FESTIVAL


def _published_years(shared: SharedTables, festival: FestivalTime) -> dict[int, datetime]:
    """Return when an occasion of each calendar year was first published."""
    years: dict[int, datetime] = {}
    for row in shared[PublishedYearRow].values():
        year, published = festival.local(parse_instant(row.start)).year, parse_instant(row.published_at)
        years[year] = min(published, years.get(year, published))
    return years


def _uploaded(name: str, site: Site) -> str:
    return urljoin(f"{site.base_url}/", default_storage.url(name)) if name else ""


def _areas(shared: SharedTables) -> dict[int, vocabulary.Area]:
    days: dict[int, list[vocabulary.AreaDay]] = defaultdict(list)
    for row in shared[AreaDayRow].values():
        days[row.area_id].append(row.day)
    streams = _streams(shared, "area_id")
    return {
        key: replace(area, streams=streams[key], days=tuple(sorted(days[key], key=lambda day: day.date)))
        for key, area in shared[vocabulary.Area].items()
    }


def _sub_areas(shared: SharedTables) -> dict[int, vocabulary.SubArea]:
    streams = _streams(shared, "sub_area_id")
    return {key: replace(area, streams=streams[key]) for key, area in shared[vocabulary.SubArea].items()}


def _streams(shared: SharedTables, parent: str) -> dict[int | None, tuple[vocabulary.Stream, ...]]:
    streams: dict[int | None, tuple[vocabulary.Stream, ...]] = defaultdict(tuple)
    for _, row in sorted(shared[StreamRow].items(), key=lambda each: (each[1].stream.name, each[0])):
        streams[getattr(row, parent)] += (row.stream,)
    return streams


def _organizers() -> dict[int, vocabulary.Organizer]:
    rows = ORGANIZER.read(models.Organizer.objects.all())
    return {values["id"]: vocabulary.Organizer(**values) for values, _ in rows}


def _occasion_rows(query: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    instants = [Cast(name, TextField()) for name in ("start", "end", "changed_at", "previous_start")]
    columns = ("id", "uuid", "event_id", "cancelled", "change_info", "location_id", "room_id", "stream_id")
    rows: QuerySet[Any, Any] = query.order_by().values_list(*instants, *columns)
    return rows


def _gone() -> dict[int, GoneOccasion]:
    """Return the occasions that readers once knew: deleted ones, and those of withdrawn events.

    The latter were withdrawn when their event was last modified at the latest.
    """
    withdrawn = models.Occasion.objects.filter(published_at__isnull=False).exclude(
        event__status=models.Status.PUBLISHED
    )
    columns = ("id", "uuid", "event_id")
    deleted = models.GoneOccasion.objects.order_by().values_list(*columns, Cast("gone_at", TextField()))
    rows = deleted.union(
        withdrawn.order_by().values_list(*columns, Cast("event__last_modified", TextField())), all=True
    )
    return {key: GoneOccasion(key, uuid, event, parse_instant(at)) for key, uuid, event, at in rows}
