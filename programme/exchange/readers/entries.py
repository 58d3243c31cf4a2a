"""What one entry of a schedule means by itself: which event it is of, and when and where that takes place."""

import datetime as dt
import hashlib
from collections.abc import Callable
from zoneinfo import ZoneInfo

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from programme.exchange.readers.times import (
    CHECK_THE_YEAR,
    find_start,
    has_unstorable_year,
    is_storable,
    parse_duration,
    parse_instant,
)
from programme.exchange.text.titles import read_title
from programme.exchange.values import Entry, ScheduledOccasion
from programme.models.cleaning import clean_line

WITHOUT_DURATION = dt.timedelta(minutes=30)
NO_END = gettext_lazy("no end: 30 minutes assumed")
# A longer one is a mistake, however the file came by it.
_LONGEST = dt.timedelta(days=60)
_CANCELLED_STATES = {"cancelled", "canceled"}
# Looking for cancellation marks in what is no title any more is of no use.
_LONGEST_TITLE = 1000
# Leaves room in the database for the suffixes of programme.exchange.merge.matching.
_LONGEST_IDENTIFIER = 400

# Is told where something is wrong, and what.
ReportProblem = Callable[[str, str], None]


class EntryOccasion(msgspec.Struct, frozen=True):
    """An entry that could be read."""

    entry: Entry
    key: str
    title: str
    occasion: ScheduledOccasion


def read_entry(
    entry: Entry, zone: ZoneInfo, day_change: dt.time | None, complain: ReportProblem
) -> EntryOccasion | None:
    """Return an entry with its event's key and its occasion; None where it has no title or time."""
    title = read_title(clean_line(entry.title)[:_LONGEST_TITLE])
    if not title.text:
        complain(entry.place or build_event_key(entry), _("left out, because it has no title"))
        return None
    start = find_start(entry, zone, day_change)
    end, note = _end_and_note(entry, start, zone) if start else (None, "")
    if has_unstorable_year(entry.date or entry.day) or (start and end and not is_storable(start, end)):
        complain(label_entry(entry), _("left out: %(why)s") % {"why": CHECK_THE_YEAR})
        return None
    if start is None or end is None:
        stated = clean_line(f"{entry.date or entry.day} {entry.start}")
        complain(
            label_entry(entry),
            _("left out, because its start cannot be read: “%(start)s”") % {"start": stated},
        )
        return None
    if note:
        complain(label_entry(entry), note)
    occasion = ScheduledOccasion(
        guid=clean_identifier(entry.guid),
        start=start,
        end=end,
        cancelled=title.cancelled or entry.state.strip().lower() in _CANCELLED_STATES,
        room=clean_line(entry.room),
        location=clean_line(entry.location),
        address=clean_line(entry.address),
        note=note,
    )
    return EntryOccasion(entry, build_event_key(entry), title.text, occasion)


def label_entry(entry: Entry) -> str:
    """Return how an entry is called in the report: by its title, and where it stands in the file."""
    title = read_title(clean_line(entry.title)[:_LONGEST_TITLE]).text
    return f"{title} ({entry.place})" if entry.place else title


def build_event_key(entry: Entry) -> str:
    """Return what tells an entry's event from others: its code, else its id."""
    stated = (entry.code, entry.id, entry.slug, entry.guid, entry.title)
    return clean_identifier(next((text for text in stated if text.strip()), "?"))


def clean_identifier(text: str) -> str:
    """Return an identifier as it is stored: without blanks, and by its digest where there is no room.

    Blanks stand before the suffixes of programme.exchange.merge.matching, which no file's own may look like.
    """
    text = clean_line(text).replace(" ", "_")
    if len(text) <= _LONGEST_IDENTIFIER:
        return text
    return f"{text[:200]}~{hashlib.sha256(text.encode()).hexdigest()}"


def _end_and_note(entry: Entry, start: dt.datetime, zone: ZoneInfo) -> tuple[dt.datetime | None, str]:
    """Return when an entry ends, and what to say where that had to be assumed; None beyond the calendar."""
    if end := _end(entry, start, zone):
        return end, ""
    stated = parse_instant(entry.end, zone)
    if not clean_line(entry.end or entry.duration):
        note = str(NO_END)
    elif stated and stated <= start:
        note = _("the end is not later than the start: 30 minutes assumed")
    else:
        note = _("no usable duration (“%(duration)s”): 30 minutes assumed") % {
            "duration": clean_line(entry.end or entry.duration)
        }
    try:
        return start + WITHOUT_DURATION, note
    except OverflowError:
        return None, ""


def _end(entry: Entry, start: dt.datetime, zone: ZoneInfo) -> dt.datetime | None:
    duration = parse_duration(entry.duration)
    if entry.end:
        end = parse_instant(entry.end, zone)
        duration = end - start if end else None
    if not duration or not dt.timedelta() < duration <= _LONGEST:
        return None
    try:
        return start + duration
    except OverflowError:
        return None
