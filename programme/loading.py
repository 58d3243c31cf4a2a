"""Loads the published programme from the database: whole tables, joined in Python.

A constant number of queries (`QUERIES`) in one transaction that sees one state of the database.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import urljoin

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from feeds import vocabulary
from feeds.festival_time import FestivalTime
from feeds.formats import FORMATS
from feeds.programme import Programme
from feeds.remembered import make_room
from feeds.vocabulary import Identity, Place, Revision, Site, Text
from programme import models

Known = TypeVar("Known", bound=vocabulary.Value)

EPOCH = datetime.fromtimestamp(0, UTC)
NO_REVISION = Revision(0, EPOCH)
# Feeds must have a title and an author, even before an editor has named the festival.
NO_FESTIVAL = vocabulary.Festival(Text("Festivalprogram", "Festival programme"), Text(), "", EPOCH)

# What `load` asks, beside the transaction's own statements: revision, festival, streams, area days,
# areas, sub areas, organizers, types, languages, locations, rooms, events, occasions, and the
# occasions that are gone: deleted ones, those of withdrawn events.
QUERIES = 15


def site() -> Site:
    """Return what the settings decide about the read side."""
    return Site(
        base_url=settings.BASE_URL,
        extension_namespace=settings.EXTENSION_NAMESPACE,
        occasion_url_sv=settings.OCCASION_URL_SV,
        occasion_url_en=settings.OCCASION_URL_EN,
        time=FestivalTime(settings.FESTIVAL_TIME_ZONE, settings.FESTIVAL_DAY_FIRST_HOUR),
    )


def revision() -> Revision:
    """Return the revision that the database is at: one row."""
    row = models.Revision.objects.values_list("number", "moved_at").first()
    return Revision(*row) if row else NO_REVISION


def load(before: Programme | None = None) -> Programme:
    """Return the published programme at the database's present revision.

    Where nothing about an event or an occasion has changed since the programme `before`, its value is
    that programme's own: what was written of it is found again without comparing texts.
    """
    with _one_state():
        programme = _Loader(before).programme()
    return ready(programme)


def ready(programme: Programme) -> Programme:
    """Work out and write ahead what readers ask for first, and return the programme."""
    programme.reckon()
    make_room(len(programme.occasions))
    for each in FORMATS:
        each.prepare(programme)
    return programme


@contextmanager
def _one_state() -> Iterator[None]:
    """See one state of the database throughout, without keeping any writer waiting."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        # Writing transactions are IMMEDIATE; a reading one must not take the write lock. Which they are
        # is only known once there is a connection.
        connection.ensure_connection()
        mode, connection.transaction_mode = connection.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            connection.transaction_mode = mode


def _rows(query: QuerySet[Any], fields: str, instants: str = "") -> Iterable[Any]:
    """Return rows with the fields, and with the named instants as text: `start` as `start_text`.

    What the database's driver and Django make of an instant in Python takes ten times as long as
    `_instant` does, which was half of all that loading took.
    """
    texts = {f"{name}_text": Cast(name, TextField()) for name in instants.split()}
    return query.annotate(**texts).values_list(*fields.split(), *texts, named=True)


def _instant(text: str) -> datetime:
    """Return the instant that a database writes so: SQLite in UTC, PostgreSQL with its offset."""
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is UTC:
        return instant
    return instant.astimezone(UTC) if instant.tzinfo else instant.replace(tzinfo=UTC)


class _Before:
    """The values of the programme before, which are used again where nothing about them has changed."""

    def __init__(self, programme: Programme | None) -> None:
        self._values: dict[tuple[type[Any], int], Any] = {}
        for occasion in programme.occasions if programme else ():
            event = occasion.event
            for value in (event.area, event.sub_area, event.organizer, event, occasion):
                if value is not None:
                    self._values[type(value), value.id] = value

    def same(self, value: Known) -> Known:
        """Return the value that was there before, if it is equal."""
        known = self._values.get((type(value), value.id))
        return known if known == value else value


class _Loader:
    """Reads each table once, in the order in which what it names has been read."""

    def __init__(self, before: Programme | None) -> None:
        self.before = _Before(before)

    def programme(self) -> Programme:
        self.site = site()
        loaded_revision = revision()
        festival = _festival()
        self.streams, area_streams, sub_area_streams = _streams()
        self.areas = self._same(_areas(area_streams, _area_days()))
        self.sub_areas = self._same(_sub_areas(sub_area_streams))
        self.organizers = self._same(_organizers())
        self.types = _types()
        self.languages = _languages()
        self.locations = _locations()
        self.rooms = _rooms()
        self.places: dict[tuple[int | None, int | None], Place | None] = {(None, None): None}
        self.events = {row.id: self.before.same(self._event(row)) for row in _event_rows()}
        return Programme(
            revision=loaded_revision,
            site=self.site,
            festival=festival,
            areas=tuple(sorted(self.areas.values(), key=lambda area: area.order)),
            occasions=tuple(sorted(self._occasions(), key=lambda occasion: occasion.order)),
            gone=_gone(),
        )

    def _same(self, values: dict[int, Known]) -> dict[int, Known]:
        return {key: self.before.same(value) for key, value in values.items()}

    def _place(self, location_id: int | None, room_id: int | None) -> Place | None:
        """Return the place of a location and a room, either of which may be missing."""
        key = (location_id, room_id)
        if key not in self.places:
            of_room, room = self.rooms[room_id] if room_id else (None, None)
            location = self.locations[location_id or of_room or 0]
            # A room of another location than the one stated would be untrue.
            self.places[key] = Place(location, room if location.id == of_room else None)
        return self.places[key]

    def _occasion_place(self, event: vocabulary.Event, row: Any) -> Place | None:
        """Return the occasion's own place, else the event's; in its location the event's room stays."""
        own = self._place(row.location_id, row.room_id)
        if own is None or (row.room_id is None and event.place and event.place.location == own.location):
            return event.place
        return own

    def _event(self, row: Any) -> vocabulary.Event:
        return vocabulary.Event(
            id=row.id,
            area=self.areas[row.area_id],
            sub_area=self.sub_areas[row.sub_area_id] if row.sub_area_id else None,
            title=row.title,
            organizer=self.organizers[row.organizer_id] if row.organizer_id else None,
            sign_interpreted=row.sign_interpreted,
            highlighted=row.highlighted,
            production=row.production,
            cancelled=row.cancelled,
            language=self.languages[row.language_id] if row.language_id else None,
            type=self.types[row.type_id],
            place=self._place(row.location_id, row.room_id),
            price=row.price,
            intro=Text(row.intro_sv, row.intro_en),
            description=Text(row.description_sv, row.description_en),
            image_url=self._uploaded(row.image) or row.image_url,
            image_caption=row.image_caption,
            external_url=row.external_url,
            ticket_url=row.ticket_url,
            change_info=row.change_info,
            changed_at=_instant(row.changed_at_text) if row.changed_at_text else None,
            published_at=_instant(row.published_at_text or row.last_modified_text),
            last_modified=_instant(row.last_modified_text),
        )

    def _uploaded(self, image: str) -> str:
        return urljoin(f"{self.site.base_url}/", default_storage.url(image)) if image else ""

    def _occasions(self) -> Iterator[vocabulary.Occasion]:
        for row in _occasion_rows():
            event = self.events[row.event_id]
            occasion = vocabulary.Occasion(
                identity=Identity(row.id, row.uuid, row.event_id),
                event=event,
                start=_instant(row.start_text),
                end=_instant(row.end_text),
                cancelled=row.cancelled or event.cancelled,
                place=self._occasion_place(event, row),
                stream=self.streams[row.stream_id] if row.stream_id else None,
            )
            yield self.before.same(occasion)


def _event_rows() -> Iterable[Any]:
    return _rows(
        models.Event.objects.published().order_by(),
        "id area_id sub_area_id title organizer_id sign_interpreted highlighted production cancelled"
        " language_id type_id location_id room_id price intro_sv intro_en description_sv description_en"
        " image image_url image_caption external_url ticket_url change_info",
        instants="changed_at published_at last_modified",
    )


def _occasion_rows() -> Iterable[Any]:
    return _rows(
        models.Occasion.objects.filter(event__status=models.Status.PUBLISHED).order_by(),
        "id uuid event_id cancelled location_id room_id stream_id",
        instants="start end",
    )


def _festival() -> vocabulary.Festival:
    fields = "name_sv name_en subtitle_sv subtitle_en website saved_at"
    for row in _rows(models.Festival.objects.all(), fields):
        name, subtitle = Text(row.name_sv, row.name_en), Text(row.subtitle_sv, row.subtitle_en)
        return vocabulary.Festival(name, subtitle, row.website, row.saved_at)
    return NO_FESTIVAL


Streams = dict[int, list[vocabulary.Stream]]


def _streams() -> tuple[dict[int, vocabulary.Stream], Streams, Streams]:
    """Return all streams by ID, then those of each area and of each sub area."""
    streams: dict[int, vocabulary.Stream] = {}
    of_areas: Streams = defaultdict(list)
    of_sub_areas: Streams = defaultdict(list)
    for row in _rows(models.Stream.objects.all(), "id name url source area_id sub_area_id"):
        stream = streams[row.id] = vocabulary.Stream(row.name, row.url, row.source)
        if row.area_id:
            of_areas[row.area_id].append(stream)
        if row.sub_area_id:
            of_sub_areas[row.sub_area_id].append(stream)
    return streams, of_areas, of_sub_areas


def _area_days() -> dict[int, list[vocabulary.AreaDay]]:
    days = defaultdict(list)
    fields = "day__date opens closes ticket_opens ticket_closes title price_info area_id"
    for *day, area_id in _rows(models.AreaDay.objects.order_by("day_id"), fields):
        days[area_id].append(vocabulary.AreaDay(*day))
    return days


AREA_FIELDS = "id name full_name color location_name address info_sv info_en external_url"


def _areas(streams: Streams, days: dict[int, list[vocabulary.AreaDay]]) -> dict[int, vocabulary.Area]:
    return {
        row.id: vocabulary.Area(
            id=row.id,
            name=row.name,
            full_name=row.full_name or row.name,
            color=row.color,
            location_name=row.location_name,
            address=row.address,
            info=Text(row.info_sv, row.info_en),
            external_url=row.external_url,
            price=row.price,
            ticket_url=row.ticket_url,
            sort_order=row.sort_order,
            streams=tuple(streams.get(row.id, ())),
            days=tuple(days.get(row.id, ())),
        )
        for row in _rows(models.Area.objects.all(), f"{AREA_FIELDS} price ticket_url sort_order")
    }


def _sub_areas(streams: Streams) -> dict[int, vocabulary.SubArea]:
    return {
        row.id: vocabulary.SubArea(
            id=row.id,
            area_id=row.area_id,
            name=row.name,
            full_name=row.full_name or row.name,
            color=row.color,
            location_name=row.location_name,
            address=row.address,
            info=Text(row.info_sv, row.info_en),
            external_url=row.external_url,
            streams=tuple(streams.get(row.id, ())),
        )
        for row in _rows(models.SubArea.objects.order_by(), f"{AREA_FIELDS} area_id")
    }


def _organizers() -> dict[int, vocabulary.Organizer]:
    fields = "id name info_sv info_en external_url offer_count"
    return {
        row.id: vocabulary.Organizer(
            row.id, row.name, Text(row.info_sv, row.info_en), row.external_url, row.offer_count
        )
        for row in _rows(models.Organizer.objects.order_by(), fields)
    }


def _types() -> dict[int, vocabulary.EventType]:
    return {
        row.id: vocabulary.EventType(row.id, Text(row.name_sv, row.name_en), row.color)
        for row in _rows(models.EventType.objects.order_by(), "id name_sv name_en color")
    }


def _languages() -> dict[int, vocabulary.Language]:
    return {
        row.id: vocabulary.Language(row.code, Text(row.name_sv, row.name_en))
        for row in _rows(models.Language.objects.order_by(), "id code name_sv name_en")
    }


def _locations() -> dict[int, vocabulary.Location]:
    fields = "id name address online accessibility_sv accessibility_en public_transport_station"
    return {
        row.id: vocabulary.Location(
            *(row.id, row.name, row.address, row.online),
            Text(row.accessibility_sv, row.accessibility_en),
            row.public_transport_station,
        )
        for row in _rows(models.Location.objects.order_by(), fields)
    }


def _rooms() -> dict[int, tuple[int, vocabulary.Room]]:
    """Return the rooms by ID, each with the ID of its location."""
    fields = "id location_id name floor accessibility_sv accessibility_en"
    return {
        row.id: (
            row.location_id,
            vocabulary.Room(row.id, row.name, row.floor, Text(row.accessibility_sv, row.accessibility_en)),
        )
        for row in _rows(models.Room.objects.order_by(), fields)
    }


def _gone() -> dict[int, Identity]:
    """Return the occasions that readers once knew: deleted ones, and those of withdrawn events."""
    withdrawn = models.Occasion.objects.filter(published_at__isnull=False).exclude(
        event__status=models.Status.PUBLISHED
    )
    fields = ("id", "uuid", "event_id")
    deleted = models.GoneOccasion.objects.values_list(*fields)
    return {row[0]: Identity(*row) for row in (*deleted, *withdrawn.order_by().values_list(*fields))}
