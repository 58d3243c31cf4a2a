"""The schedule that both frab formats write (schedule.xml and schedule.json), as plain values.

Titles are prefixed with a cancellation, because the format has no other place for it. What else it has no
place for, and the import needs to recognize every occasion, is the occasion's state: a small JSON object.
"""

import re
from collections import defaultdict
from datetime import date, datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.text import slugify

from feeds.festival_time import ONE_DAY
from programme.exchange.exports.selection import ExportRow, ExportSelection
from programme.exchange.own_format import (
    CANCELLED_PREFIXES,
    format_duration,
    join_room_name,
    remove_cancelled_prefix,
)
from programme.models import Status

VERSION = "1"
SLOT = "00:05"
_SHORTEST_ACRONYM = 4


class FrabDay(NamedTuple):
    """A festival day with its rooms by name, each with its events in order."""

    number: int
    date: date
    begins: datetime
    ends: datetime
    rooms: dict[str, list[dict[str, Any]]]


class FrabSchedule(NamedTuple):
    """A conference with the festival days on which something begins."""

    name: str
    acronym: str
    version: str
    base_url: str
    time_zone: str
    days: list[FrabDay]

    @property
    def span(self) -> tuple[str, str]:
        """The first and the last day, '' where there are none."""
        return (self.days[0].date.isoformat(), self.days[-1].date.isoformat()) if self.days else ("", "")


def build_schedule(selection: ExportSelection) -> FrabSchedule:
    time, name = selection.time, _acronym(selection)
    found: dict[date, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for row in selection.rows:
        event = _event(row, selection, name)
        found[time.day_of(row.occasion.start)][event["room"]].append(event)
    days = [
        FrabDay(
            number,
            day,
            time.local(time.day_begins(day)),
            time.local(time.day_begins(day + ONE_DAY)),
            found[day],
        )
        for number, day in enumerate(sorted(found), start=1)
    ]
    modified = max((row.event.last_modified for row in selection.rows), default=None)
    version = f"{modified:%Y-%m-%d %H:%M}" if modified else "1"
    return FrabSchedule(selection.name, name, version, f"{settings.BASE_URL}/", time.zone_name, days)


def _acronym(selection: ExportSelection) -> str:
    """Return a name of small letters and digits, with the year."""
    year = f"{selection.rows[0].occasion.start:%Y}" if selection.rows else ""
    name = slugify(selection.name).replace("-", "_")[:30].strip("_")
    return f"{name}{year}".ljust(_SHORTEST_ACRONYM, "_")


def _event(row: ExportRow, selection: ExportSelection, name: str) -> dict[str, Any]:
    event, occasion = row.event, row.occasion
    local = selection.time.local(occasion.start)
    slug = re.sub("[^a-z0-9]+", "-", slugify(event.title))[:40].strip("-") or "x"
    prefix = CANCELLED_PREFIXES[selection.language] if row.cancelled else ""
    return {
        "id": occasion.pk,
        "guid": str(occasion.uuid),
        "room": join_room_name(row.place.location, row.place.room),
        "title": prefix + event.title,
        "subtitle": row.intro,
        "type": event.type.name_sv,
        "date": local.isoformat(),
        "start": f"{local:%H:%M}",
        "duration": format_duration(occasion.end - occasion.start),
        "abstract": row.description,
        "slug": f"{name}-{occasion.pk}-{slug}",
        "track": event.area.name,
        "logo": event.image_url,
        "person": (event.organizer.pk, event.organizer.name) if event.organizer else None,
        "language": event.language.code if event.language else "",
        "url": event.external_url,
        "state": _state(row),
    }


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
        # A title may begin with such a prefix itself.
        "own_mark": remove_cancelled_prefix(event.title) is not None,
        # To the second, where the duration has minutes only.
        "seconds": (row.occasion.end - row.occasion.start).total_seconds(),
    }
