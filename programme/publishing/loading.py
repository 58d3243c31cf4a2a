"""Loads the published programme from the database: whole tables, joined in Python.

A constant number of queries (`QUERIES`) in one transaction that sees one state of the database.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any, TypeVar
from urllib.parse import urljoin

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import Error, connection
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from msgspec.structs import fields, replace

from feeds import vocabulary
from feeds.festival_time import FestivalTime
from feeds.formats import FORMATS
from feeds.memoization import resize_caches
from feeds.programme import Programme
from feeds.vocabulary import GoneOccasion, Identity, Place, Revision, Site, Text
from programme import models
from programme.models.venue import StatedVenue, resolve_venue
from programme.publishing.shared_tables import AreaDayRow, FestivalRow, RoomRow, SharedTables, StreamRow

Known = TypeVar("Known", bound=vocabulary.Value)

EPOCH = datetime.fromtimestamp(0, UTC)
NO_REVISION = Revision(0, EPOCH)
# psycopg's word for a connection without a transaction.
IDLE = 0
# Feeds must have a title and an author, even before an editor has named the festival.
NO_FESTIVAL = vocabulary.Festival(Text("Festivalprogram", "Festival programme"), Text(), "", EPOCH)

# What `load` asks: revision, what events share, organizers, events, occasions, those that are gone;
# and where the transaction begins and ends.
QUERIES = 8

# Writing transactions are IMMEDIATE on SQLite; a reading one must not take the write lock.
BEGIN = {
    "postgresql": (
        "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY;"
        " SET LOCAL lock_timeout = '3s'; SET LOCAL statement_timeout = '30s'"
    ),
    "sqlite": "BEGIN DEFERRED",
}
# Sent as one: a transaction of its own, in which what is set holds.
REVISION_SQL = (
    "SET LOCAL statement_timeout = '3s'; SELECT number, moved_at FROM programme_revision ORDER BY id LIMIT 1"
)


def build_site() -> Site:
    """Return what the settings decide about the read side."""
    return Site(
        base_url=settings.BASE_URL,
        extension_namespace=settings.EXTENSION_NAMESPACE,
        occasion_url_sv=settings.OCCASION_URL_SV,
        occasion_url_en=settings.OCCASION_URL_EN,
        time=FestivalTime(settings.FESTIVAL_TIME_ZONE, settings.FESTIVAL_DAY_FIRST_HOUR),
        hub=settings.WEBSUB_HUB,
    )


def fetch_revision() -> Revision:
    """Return the revision that the database is at: one row.

    Raises OperationalError where PostgreSQL takes longer than three seconds (a migration may hold the
    table, or its disk hang): readers have a programme, and do not wait for such things.
    """
    if connection.vendor == "postgresql" and not _is_in_transaction():
        with connection.cursor() as cursor:
            cursor.execute(REVISION_SQL)
            cursor.nextset()
            row = cursor.fetchone()
    else:
        row = models.Revision.objects.values_list("number", "moved_at").first()
    return Revision(*row) if row else NO_REVISION


def _is_in_transaction() -> bool:
    """Return whether what is set for a transaction would hold for more than one question."""
    if connection.in_atomic_block:
        return True
    return connection.connection is not None and connection.connection.info.transaction_status != IDLE


def load(before: Programme | None = None) -> Programme:
    """Return the published programme at the database's present revision.

    Where nothing about an event or an occasion has changed since the programme `before`, its value is
    that programme's own: what was written of it is found again without comparing texts.
    """
    with consistent_read():
        programme = _Loader(before).programme()
    return warm_up(programme)


def load_event(event_id: int) -> Programme:
    """Return a programme of one event as if it were published, and of nothing that is gone.

    It is the caller's alone: nothing is written ahead for it, and readers are never answered from it.
    """
    with consistent_read():
        return _Loader(None, event_id).programme()


def warm_up(programme: Programme) -> Programme:
    """Work out and write ahead what readers ask for first, and return the programme."""
    programme.precompute()
    resize_caches(len(programme.occasions))
    for each in FORMATS:
        each.prepare(programme)
    return programme


@contextmanager
def consistent_read() -> Iterator[None]:
    """See one state of the database throughout, without keeping any writer waiting."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(BEGIN[connection.vendor])
        try:
            yield
        except BaseException:
            # What went wrong is what is to be said, even if the connection went with it.
            with suppress(Error):
                cursor.execute("ROLLBACK")
            raise
        cursor.execute("COMMIT")


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


_EVENT_TYPES = {field.name: field.type for field in fields(vocabulary.Event)}
# Fields of an event that are columns of the same name, and those that are texts in both languages.
PLAIN_FIELDS = tuple(name for name, kind in _EVENT_TYPES.items() if kind in {bool, int, str})
TEXT_FIELDS = {
    name: attrgetter(f"{name}_sv", f"{name}_en") for name, kind in _EVENT_TYPES.items() if kind is Text
}
_plain_values = attrgetter(*PLAIN_FIELDS)


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

    def __init__(self, before: Programme | None, alone: int | None = None) -> None:
        self.before = _Before(before)
        self.alone = alone

    def programme(self) -> Programme:
        self.site = build_site()
        loaded_revision = fetch_revision()
        shared = SharedTables()
        self.streams = {key: row.stream for key, row in shared[StreamRow].items()}
        self.areas = self._same(_areas(shared))
        self.sub_areas = self._same(_sub_areas(shared))
        self.types = shared[vocabulary.EventType]
        self.languages = shared[vocabulary.Language]
        self.locations = shared[vocabulary.Location]
        self.rooms = shared[RoomRow]
        self.places: dict[tuple[StatedVenue[int | None], ...], Place | None] = {}
        self.organizers = self._same(_organizers())
        self.events = {row.id: self.before.same(self._event(row)) for row in _event_rows(self.alone)}
        return Programme(
            revision=loaded_revision,
            site=self.site,
            festival=_festival(shared, self.site),
            areas=tuple(sorted(self.areas.values(), key=lambda area: area.order)),
            occasions=tuple(sorted(self._occasions(), key=lambda occasion: occasion.order)),
            gone=_gone() if self.alone is None else {},
        )

    def _same(self, values: dict[int, Known]) -> dict[int, Known]:
        return {key: self.before.same(value) for key, value in values.items()}

    def _stated(self, location_id: int | None, room_id: int | None) -> StatedVenue[int | None]:
        return StatedVenue(location_id, room_id, self.rooms[room_id].location_id if room_id else None)

    def _place(self, *stated: StatedVenue[int | None]) -> Place | None:
        """Return where something is held that states this, or where an occasion and its event do."""
        if stated not in self.places:
            venue = resolve_venue(*stated)
            self.places[stated] = venue and Place(
                self.locations[venue.location], self.rooms[venue.room].room if venue.room else None
            )
        return self.places[stated]

    def _event(self, row: Any) -> vocabulary.Event:
        values = dict(zip(PLAIN_FIELDS, _plain_values(row), strict=True))
        for name, texts in TEXT_FIELDS.items():
            values[name] = Text(*texts(row))
        values["image_url"] = _uploaded(row.image, self.site) or row.image_url
        return vocabulary.Event(
            **values,
            area=self.areas[row.area_id],
            sub_area=self.sub_areas[row.sub_area_id] if row.sub_area_id else None,
            organizer=self.organizers[row.organizer_id] if row.organizer_id else None,
            language=self.languages[row.language_id] if row.language_id else None,
            type=self.types[row.type_id],
            place=self._place(self._stated(row.location_id, row.room_id)),
            image_focus=(row.image_focus_x, row.image_focus_y),
            changed_at=_instant(row.changed_at_text) if row.changed_at_text else None,
            published_at=_instant(row.published_at_text or row.last_modified_text),
            last_modified=_instant(row.last_modified_text),
        )

    def _occasions(self) -> Iterator[vocabulary.Occasion]:
        for row in _occasion_rows(self.alone):
            event = self.events[row.event_id]
            occasion = vocabulary.Occasion(
                identity=Identity(row.id, row.uuid, row.event_id),
                event=event,
                start=_instant(row.start_text),
                end=_instant(row.end_text),
                cancelled=row.cancelled or event.cancelled,
                place=self._place(
                    self._stated(row.location_id, row.room_id),
                    self._stated(row.event__location_id, row.event__room_id),
                ),
                stream=self.streams[row.stream_id] if row.stream_id else None,
            )
            yield self.before.same(occasion)


def _event_rows(alone: int | None) -> Iterable[Any]:
    events = models.Event.objects
    return _rows(
        (events.published() if alone is None else events.filter(pk=alone)).order_by(),
        "area_id sub_area_id organizer_id language_id type_id location_id room_id image image_focus_x"
        f" image_focus_y {' '.join(PLAIN_FIELDS)} {' '.join(f'{name}_sv {name}_en' for name in TEXT_FIELDS)}",
        instants="changed_at published_at last_modified",
    )


def _occasion_rows(alone: int | None) -> Iterable[Any]:
    published = {"event__status": models.Status.PUBLISHED}
    return _rows(
        models.Occasion.objects.filter(**(published if alone is None else {"event": alone})).order_by(),
        "id uuid event_id cancelled location_id room_id event__location_id event__room_id stream_id",
        instants="start end",
    )


def _festival(shared: SharedTables, site: Site) -> vocabulary.Festival:
    for row in shared[FestivalRow].values():
        theme = vocabulary.Theme(
            row.color, _uploaded(row.logo, site), row.headings, _uploaded(row.font, site)
        )
        return vocabulary.Festival(row.name, row.subtitle, row.website, _instant(row.saved_at), theme)
    return NO_FESTIVAL


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


def _streams(shared: SharedTables, of: str) -> dict[int | None, tuple[vocabulary.Stream, ...]]:
    """Return the streams of each area, or of each sub area, in the order of their names."""
    streams: dict[int | None, tuple[vocabulary.Stream, ...]] = defaultdict(tuple)
    for _, row in sorted(shared[StreamRow].items(), key=lambda each: (each[1].stream.name, each[0])):
        streams[getattr(row, of)] += (row.stream,)
    return streams


def _organizers() -> dict[int, vocabulary.Organizer]:
    fields = "id name info_sv info_en external_url offer_count"
    return {
        row.id: vocabulary.Organizer(
            row.id, row.name, Text(row.info_sv, row.info_en), row.external_url, row.offer_count
        )
        for row in _rows(models.Organizer.objects.order_by(), fields)
    }


def _gone() -> dict[int, GoneOccasion]:
    """Return the occasions that readers once knew: deleted ones, and those of withdrawn events.

    The latter went at the latest when their event was last modified.
    """
    withdrawn = models.Occasion.objects.filter(published_at__isnull=False).exclude(
        event__status=models.Status.PUBLISHED
    )
    moments = ((models.GoneOccasion.objects, "gone_at"), (withdrawn, "event__last_modified"))
    deleted, withdrawn = (
        query.order_by().values_list("id", "uuid", "event_id", Cast(moment, TextField()))
        for query, moment in moments
    )
    return {row[0]: GoneOccasion(*row[:3], _instant(row[3])) for row in deleted.union(withdrawn, all=True)}
