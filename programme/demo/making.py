"""Writes the demo festival into the database, around the day of an instant, and clears it away again."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any, NamedTuple

import msgspec
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext_noop

from feeds.festival_time import FestivalTime
from programme.demo import data, pictures
from programme.history import edits
from programme.models import (
    Area,
    AreaDay,
    Day,
    Edit,
    Event,
    EventType,
    Festival,
    Language,
    Location,
    Occasion,
    Organizer,
    Room,
    Status,
    Stream,
    SubArea,
    models_with_history,
)

# Why it was edited, as the history tells it.
THE_DEMO = gettext_noop("the demo festival")
# Where the demo's events and occasions say that they come from.
SOURCE = "demo"
# In the order in which they can be deleted: what names others goes before what is named.
MODELS = (
    Occasion,
    Event,
    Organizer,
    EventType,
    Language,
    Room,
    Location,
    Stream,
    SubArea,
    AreaDay,
    Area,
    Day,
    Festival,
)
# The programme came out in three parts, so many days before today, at ten in the morning.
RELEASES = (49, 35, 21)
MORNING = time(10)


class Named(NamedTuple):
    """The rows that events name, by name; a sub area's and a room's is below its area or location."""

    areas: dict[str, Area]
    sub_areas: dict[tuple[str, str], SubArea]
    types: dict[str, EventType]
    languages: dict[str, Language]
    organizers: dict[str, Organizer]
    locations: dict[str, Location]
    rooms: dict[tuple[str, str], Room]
    streams: dict[str, Stream]


# --- Whose programme it is --------------------------------------------------------------------


def has_programme() -> bool:
    """Return whether the database holds anything of a programme."""
    return any(model.objects.exists() for model in (Festival, Area, Event))


def is_the_demos() -> bool:
    """Return whether the programme began as the demo, whatever has been edited since."""
    return Event.objects.filter(source=SOURCE).exists()


def is_over(instant: datetime) -> bool:
    """Return whether nothing of the programme lies ahead at an instant, or goes on."""
    return not Occasion.objects.filter(end__gt=instant).exists()


def others_work() -> list[str]:
    """Return what of the programme is not the demo's, in words: what `clear` would lose for good."""
    found = []
    name = Festival.objects.values_list("name_sv", flat=True).first()
    if name not in {None, data.read_content().festival.name_sv}:
        found.append(f"the festival “{name}”")
    if events := Event.objects.exclude(source=SOURCE).count():
        found.append(f"{events} event{'' if events == 1 else 's'} of other origin")
    return found


@transaction.atomic
def clear() -> None:
    """Delete the whole programme with its history, and the demo's pictures once that is sure to stay.

    Occasions that were published stay known as gone.
    """
    for event in Event.objects.filter(source=SOURCE).exclude(image=""):
        transaction.on_commit(partial(event.image.storage.delete, event.image.name))
    for model in MODELS:
        model.objects.all().delete()
    for model in models_with_history():
        model.history.all().delete()
    Edit.objects.all().delete()


# --- Making it --------------------------------------------------------------------------------


def make(instant: datetime, festival_time: FestivalTime) -> None:
    """Write the demo into a database without a programme: five days, the instant's in the middle."""
    with edits.record(moment=instant, reason=THE_DEMO):
        _make(instant, festival_time)


def _make(instant: datetime, festival_time: FestivalTime) -> None:
    today = festival_time.day_of(instant)
    content = data.read_content()
    Festival.objects.create(**_columns(content.festival))
    named = _named(content)
    _area_days(content, named, today)
    events = _events(named, instant, festival_time)
    _occasions(events, named, today, festival_time)
    _date_back([event for event, _entry in events], instant, festival_time)
    # The database took its own present for it, which is later than the instant.
    Festival.objects.update(saved_at=instant)


def _columns(entry: data.Entry, *without: str) -> dict[str, Any]:
    """Return the entry's values by column, its texts unwrapped."""
    return {
        name: data.unwrapped(value) if isinstance(value, str) else value
        for name, value in msgspec.structs.asdict(entry).items()
        if name not in without
    }


def _create(model: Any, rows: Iterable[dict[str, Any]]) -> list[Any]:
    created: list[Any] = model.objects.bulk_create([model(**row) for row in rows])
    return created


def _named(content: data.Content) -> Named:
    areas = {row.name: row for row in _create(Area, _numbered(content.areas, "sub_areas", "days", "streams"))}
    sub_areas = {(row.area.name, row.name): row for row in _create(SubArea, _sub_areas(content, areas))}
    locations = {row.name: row for row in _create(Location, _plain(content.locations, "rooms"))}
    rooms = {(row.location.name, row.name): row for row in _create(Room, _rooms(content, locations))}
    return Named(
        areas=areas,
        sub_areas=sub_areas,
        types={row.name_sv: row for row in _create(EventType, _numbered(content.types))},
        languages={row.code: row for row in _create(Language, _plain(content.languages))},
        organizers={row.name: row for row in _create(Organizer, _plain(content.organizers))},
        locations=locations,
        rooms=rooms,
        streams={row.name: row for row in _create(Stream, _streams(content, areas, sub_areas))},
    )


def _plain(entries: Iterable[data.Entry], *without: str) -> list[dict[str, Any]]:
    return [_columns(entry, *without) for entry in entries]


def _numbered(entries: Iterable[data.Entry], *without: str) -> list[dict[str, Any]]:
    """Like `_plain`, for rows that are shown in the order of the files."""
    return [{"sort_order": n, **row} for n, row in enumerate(_plain(entries, *without), 1)]


def _sub_areas(content: data.Content, areas: dict[str, Area]) -> list[dict[str, Any]]:
    return [
        {"area": areas[area.name], **row}
        for area in content.areas
        for row in _numbered(area.sub_areas, "streams")
    ]


def _rooms(content: data.Content, locations: dict[str, Location]) -> list[dict[str, Any]]:
    return [
        {"location": locations[location.name], **row}
        for location in content.locations
        for row in _plain(location.rooms)
    ]


def _streams(
    content: data.Content, areas: dict[str, Area], sub_areas: dict[tuple[str, str], SubArea]
) -> list[dict[str, Any]]:
    rows = _plain(content.streams)
    for area in content.areas:
        rows += [{"area": areas[area.name], **row} for row in _plain(area.streams)]
        for sub_area in area.sub_areas:
            owner = sub_areas[area.name, sub_area.name]
            rows += [{"sub_area": owner, **row} for row in _plain(sub_area.streams)]
    return rows


def _area_days(content: data.Content, named: Named, today: date) -> None:
    days = {n: Day.on(data.date_of(n, today)) for n in range(data.FIRST_DAY, data.LAST_DAY + 1)}
    rows = [
        {"area": named.areas[area.name], **_columns(entry, "day"), "day": days[entry.day]}
        for area in content.areas
        for entry in area.days
    ]
    _create(AreaDay, rows)


def _events(named: Named, instant: datetime, festival_time: FestivalTime) -> list[tuple[Event, data.Event]]:
    entries = [(file.area, entry) for file in data.read_events() for entry in file.events]
    rows = [_event(area, entry, named, instant) for area, entry in entries]
    for number, row in enumerate(rows):
        if row["status"] == Status.PUBLISHED:
            row["published_at"] = _released(number, instant, festival_time)
    created = _create(Event, rows)
    return list(zip(created, (entry for _area, entry in entries), strict=True))


def _event(area: str, entry: data.Event, named: Named, instant: datetime) -> dict[str, Any]:
    row = {"source": SOURCE, "source_id": entry.title, **_columns(entry, "change", "occasions", "picture")}
    if entry.change:
        row["change_info"] = entry.change.note
        row["changed_at"] = instant - timedelta(hours=entry.change.hours_ago)
    sub_area = named.sub_areas[area, entry.sub_area] if entry.sub_area else None
    if entry.picture:
        row["image"] = _picture(entry, named.areas[area], sub_area)
    return row | {
        "area": named.areas[area],
        "sub_area": sub_area,
        "type": named.types[entry.type],
        "organizer": named.organizers[entry.organizer] if entry.organizer else None,
        "language": named.languages[entry.language] if entry.language else None,
        "location": named.locations[entry.location] if entry.location else None,
        "room": named.rooms[entry.location, entry.room] if entry.room else None,
    }


def _picture(entry: data.Event, area: Area, sub_area: SubArea | None) -> ContentFile:
    accent = sub_area.color if sub_area else area.color
    name = f"{slugify(entry.title)}.jpg"
    return ContentFile(pictures.painted(entry.title, entry.picture, area.color, accent), name)


def _released(number: int, instant: datetime, festival_time: FestivalTime) -> datetime:
    day = festival_time.day_of(instant) - timedelta(days=RELEASES[number % len(RELEASES)])
    return festival_time.instant(day, MORNING) + timedelta(minutes=number)


def _occasions(
    events: list[tuple[Event, data.Event]], named: Named, today: date, festival_time: FestivalTime
) -> None:
    rows = []
    for event, entry in events:
        occasions = [(each, times) for each in entry.occasion_entries() for times in each.times()]
        for number, (each, times) in enumerate(occasions, 1):
            start, end = times.span(today, festival_time)
            rows.append(
                {
                    "source": SOURCE,
                    "source_id": f"{event.source_id} / {number}",
                    "event": event,
                    "start": start,
                    "end": end,
                    "cancelled": each.cancelled,
                    "room": named.rooms[entry.location, each.room] if each.room else None,
                    "stream": named.streams[each.stream] if each.stream else None,
                    "published_at": event.published_at,
                }
            )
    _create(Occasion, rows)


def _date_back(events: list[Event], instant: datetime, festival_time: FestivalTime) -> None:
    """Give each event the moment of a believable last edit, which the database took to be now."""
    for number, event in enumerate(events):
        day = festival_time.day_of(instant) - timedelta(days=3 + number % 17)
        event.last_modified = event.changed_at or festival_time.instant(day, MORNING) + timedelta(
            minutes=7 * number % 400
        )
    Event.objects.bulk_update(events, ["last_modified"])
