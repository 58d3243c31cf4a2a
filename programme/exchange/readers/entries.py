"""Reads one entry of a schedule: its event's key and title, and when and where it takes place."""

import datetime as dt
import hashlib
from datetime import UTC
from uuid import NAMESPACE_URL, UUID, uuid5
from zoneinfo import ZoneInfo

import msgspec
from django.utils.translation import gettext as _

from programme.exchange.readers.times import (
    CHECK_THE_YEAR,
    DEFAULT_DURATION,
    NO_END,
    NO_LENGTH,
    find_end,
    find_start,
    has_unstorable_year,
    is_storable,
    parse_duration,
)
from programme.exchange.text.lines import Title, read_title
from programme.exchange.values import Entry, Problem, ScheduledOccasion
from programme.models import Event
from programme.models.cleaning import clean_line


def split_uid(uid: str) -> tuple[UUID, str]:
    """Return the UUID of an occasion with this UID in calendars, and the UID, '' where it is that UUID."""
    try:
        uuid = UUID(uid)
    except ValueError:
        return uuid5(NAMESPACE_URL, uid), uid
    return uuid, "" if str(uuid) == uid else uid


def format_last_modified(event: Event) -> str:
    """Return when an event was last modified, as exported sheets state it."""
    return event.last_modified.astimezone(UTC).isoformat(timespec="microseconds")


# A longer duration is a mistake.
LONGEST = dt.timedelta(days=60)
_CANCELLED_STATES = {"cancelled", "canceled"}
# Not worth searching for cancellation marks any further.
_LONGEST_TITLE = 1000
# Leaves room in the database for the suffixes that several events with one key get.
_LONGEST_IDENTIFIER = 400


class EntryOccasion(msgspec.Struct, frozen=True):
    entry: Entry
    key: str
    title: str
    occasion: ScheduledOccasion


def read_entry(
    entry: Entry, zone: ZoneInfo, day_change: dt.time | None, problems: list[Problem]
) -> EntryOccasion | None:
    """Return an entry with its occasion; None, and a problem, for an entry without a title or time."""
    title = _title_of(entry)
    start = find_start(entry, zone, day_change)
    end, note = start, ""
    if start and is_storable(start, start):
        end, note = _end_and_note(entry, start, zone)
    why = ""
    if not title.text:
        why = _("left out, because it has no title")
    elif has_unstorable_year(entry.date or entry.day) or (start and end and not is_storable(start, end)):
        why = _("left out: %(why)s") % {"why": CHECK_THE_YEAR}
    elif not start:
        stated = clean_line(f"{entry.date or entry.day} {entry.start}")
        why = _("left out, because its start cannot be read: “%(start)s”") % {"start": stated}
    if why or start is None or end is None:
        where = label_entry(entry) if title.text else entry.place or build_event_key(entry)
        problems.append(Problem(where, why, left_out=True))
        return None
    if note:
        problems.append(Problem(label_entry(entry), note))
    occasion = ScheduledOccasion(
        guid=clean_identifier(entry.guid),
        start=start,
        end=end,
        cancelled=title.cancelled or entry.state.strip().lower() in _CANCELLED_STATES,
        room=clean_line(entry.room),
        location=clean_line(entry.location),
        address=clean_line(entry.address),
        note=note,
        uid=clean_uid(entry.uid),
    )
    return EntryOccasion(entry, build_event_key(entry), title.text, occasion)


def label_entry(entry: Entry) -> str:
    title = _title_of(entry).text
    return f"{title} ({entry.place})" if entry.place else title


def build_event_key(entry: Entry) -> str:
    """Return what identifies an entry's event: its code, else its id, else what there is."""
    stated = (entry.code, entry.id, entry.slug, entry.guid, entry.title)
    return clean_identifier(next((text for text in stated if text.strip()), "?"))


def clean_identifier(text: str) -> str:
    """Return an identifier as it is stored: without blanks, and shortened by its digest.

    A blank begins the suffixes of programme.exchange.merge.matching, which no file's identifier may have.
    """
    return clean_uid(clean_line(text).replace(" ", "_"))


def clean_uid(text: str) -> str:
    """Return the UID of an occasion as it is stored: in one line, and shortened by its digest."""
    text = clean_line(text)
    if len(text) <= _LONGEST_IDENTIFIER:
        return text
    return f"{text[:200]}~{hashlib.sha256(text.encode()).hexdigest()}"


def build_split_id(key: str, folded_title: str) -> str:
    """Return the identifier of one of several events with the same key."""
    return f"{key} ={hashlib.sha256(folded_title.encode()).hexdigest()[:12]}"


def _title_of(entry: Entry) -> Title:
    return read_title(clean_line(entry.title)[:_LONGEST_TITLE])


def _end_and_note(entry: Entry, start: dt.datetime, zone: ZoneInfo) -> tuple[dt.datetime, str]:
    end, note = find_end(entry, start, zone)
    duration = end - start if end else None if entry.end else parse_duration(entry.duration)
    if duration and dt.timedelta() < duration <= LONGEST:
        return (start + duration).astimezone(dt.UTC), note
    stated = clean_line(entry.end or entry.duration)
    what = _("no usable duration (“%(duration)s”): 30 minutes assumed") % {"duration": stated}
    if not stated:
        what = str(NO_END)
    elif note:
        what = str(NO_LENGTH)
    return start + DEFAULT_DURATION, what
