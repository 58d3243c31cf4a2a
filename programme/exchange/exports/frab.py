"""What both dialects of frab schedules say (schedule.xml and schedule.json), as plain values.

Titles bear the mark of a cancellation, because the format has no other place for it. What else it has no
place for, and the import needs to know every occasion again, is an occasion's state: a small JSON object.
"""

import re
from collections import defaultdict
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.utils.text import slugify

from feeds.festival_time import ONE_DAY
from programme.exchange.exports.selection import ExportPlace, ExportRow, ExportSelection
from programme.models import Status

GENERATOR = "Festival programme export"
VERSION = "1"
SLOT = "00:05"
MARKS = {"sv": "[INSTÄLLT] ", "en": "[CANCELLED] "}
_SHORTEST_ACRONYM = 4
_MOST_HOURS = 99
_MINUTE = timedelta(minutes=1)


class FrabDay(NamedTuple):
    """A festival day with its rooms by name, each with its events in order."""

    index: int
    date: date
    begins: datetime
    ends: datetime
    rooms: dict[str, list[dict[str, Any]]]


def acronym(selection: ExportSelection) -> str:
    """Return a name of small letters and digits, with the year."""
    year = f"{selection.rows[0].occasion.start:%Y}" if selection.rows else ""
    name = slugify(selection.name).replace("-", "_")[:30].strip("_")
    return f"{name}{year}".ljust(_SHORTEST_ACRONYM, "_")


def days(selection: ExportSelection) -> list[FrabDay]:
    """Return the festival days on which something begins."""
    found: dict[date, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    name = acronym(selection)
    for row in selection.rows:
        event = _event(row, selection, name)
        found[selection.time.day_of(row.occasion.start)][event["room"]].append(event)
    time = selection.time
    return [
        FrabDay(
            index,
            day,
            time.local(time.day_begins(day)),
            time.local(time.day_begins(day + ONE_DAY)),
            dict(found[day]),
        )
        for index, day in enumerate(sorted(found), start=1)
    ]


def room_name(place: ExportPlace) -> str:
    """Return how a place is called where there are rooms only."""
    return ", ".join(filter(None, (place.location, place.room)))


def _event(row: ExportRow, selection: ExportSelection, name: str) -> dict[str, Any]:
    event, occasion = row.event, row.occasion
    local = selection.time.local(occasion.start)
    mark = MARKS[selection.language] if row.cancelled else ""
    return {
        "id": occasion.pk,
        "guid": str(occasion.uuid),
        "room": room_name(row.place),
        "title": mark + event.title,
        "subtitle": row.intro,
        "type": event.type.name_sv,
        "date": local.isoformat(),
        "start": f"{local:%H:%M}",
        "duration": duration(occasion.end - occasion.start),
        "abstract": row.description,
        "slug": f"{name}-{occasion.pk}-{_slug(event.title)}",
        "track": event.area.name,
        "logo": event.image_url,
        "person": (event.organizer.pk, event.organizer.name) if event.organizer else None,
        "language": event.language.code if event.language else "",
        "url": event.external_url,
        "state": _state(row),
    }


def without_mark(title: str) -> str | None:
    """Return a title without the mark of a cancellation, None where it bears none."""
    return next((title.removeprefix(mark) for mark in MARKS.values() if title.startswith(mark)), None)


def _slug(title: str) -> str:
    return re.sub("[^a-z0-9]+", "-", slugify(title))[:40].strip("-") or "x"


def duration(length: timedelta) -> str:
    """Return a duration in hours and minutes, `1:30`; begun minutes count."""
    hours, minutes = divmod(-(-length // _MINUTE), 60)
    return f"{hours:02}:{minutes:02}"


def short_duration(text: str) -> str:
    """Return a duration with days, `4:04:30`, where its hours would have three digits."""
    hours, minutes = map(int, text.split(":"))
    return f"{hours // 24}:{hours % 24:02}:{minutes:02}" if hours > _MOST_HOURS else text


def _state(row: ExportRow) -> dict[str, Any]:
    event = row.event
    return {
        "event": event.pk,
        "seen": event.last_modified.isoformat(timespec="microseconds"),
        "place": row.place,
        "event_place": row.event_place,
        "own_place": row.own_place,
        "sub_area": event.sub_area.name if event.sub_area else "",
        "texts": row.language,
        "event_cancelled": event.cancelled,
        "occasion_cancelled": row.occasion.cancelled,
        "draft": event.status == Status.DRAFT,
        # A title may begin with a mark of its own.
        "own_mark": without_mark(event.title) is not None,
        # To the second, where the duration has minutes only.
        "seconds": (row.occasion.end - row.occasion.start).total_seconds(),
    }
