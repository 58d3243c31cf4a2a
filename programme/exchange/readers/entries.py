"""Reads one entry of a schedule: its event's key and title, and when and where it takes place."""

import hashlib
import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from uuid import NAMESPACE_URL, UUID, uuid5
from zoneinfo import ZoneInfo

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feeds.festival_time import ONE_DAY, follow
from programme.exchange.text.lines import read_title
from programme.exchange.text.times import parse_clock, to_instant
from programme.exchange.values import Entry, Problem, ScheduledOccasion
from programme.models import Edit
from programme.models.cleaning import clean_line
from programme.models.occasions import FIRST_INSTANT, LAST_INSTANT

# Three parts are days:hours:minutes (EMF 2024: 1:12:00 lasts 36 hours).
_DURATION = re.compile(r"(?:(?:(?P<days>[0-9]{1,3}):)?(?P<hours>[0-9]{1,3}):)?(?P<minutes>[0-9]{1,4})")
_YEAR = re.compile(r"[0-9]{4}(?=-?[0-9]{2})")
# When a day without a time ends: in words, midnight would be the next day.
LAST_MINUTE = time(23, 59)
DEFAULT_DURATION = timedelta(minutes=30)
CHECK_THE_YEAR = gettext_lazy("check the year: it must be from 1900 to 2199")
NO_END = gettext_lazy("no end: 30 minutes assumed")
NO_LENGTH = gettext_lazy("the end is not later than the start: 30 minutes assumed")
NEXT_DAY = gettext_lazy("the end is before the start on the same date: the next day assumed")


def is_storable(start: datetime, end: datetime) -> bool:
    return start >= FIRST_INSTANT and end < LAST_INSTANT


def is_storable_year(year: int) -> bool:
    return FIRST_INSTANT.year <= year < LAST_INSTANT.year


def parse_duration(text: str) -> timedelta | None:
    """Return the duration of `H:MM`, `HH:MM`, `D:HH:MM` or minutes; None for any other text."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        return None
    return timedelta(**{unit: int(number or 0) for unit, number in match.groupdict().items()})


def settle_end(start: datetime, end: datetime, *, equal_is_a_day: bool = False) -> datetime | None:
    """Return when something ends, of a stated start and end, both in the zone whose clock counts.

    An end before the start on the same date is on the next day; on an earlier date it is None. What ends when
    it starts takes 30 minutes, or with `equal_is_a_day` until that clock time of the next day: so in sheets
    of this service and in its interface.
    """
    # Of one zone, Python compares clock times; in the hour that comes twice, only instants tell.
    if end > start if end.fold == start.fold else end.timestamp() > start.timestamp():
        return end
    if end == start and not equal_is_a_day:
        return (start.astimezone(UTC) + DEFAULT_DURATION).astimezone(start.tzinfo)
    return end + ONE_DAY if end.date() == start.date() else None


def find_start(entry: Entry, zone: ZoneInfo, day_change: time | None) -> datetime | None:
    """Return the instant, in UTC, at which an entry begins; None without a usable one.

    Old files have no date and time: there it is `start` on the day that contains the entry, or on the next
    date before the day's change.
    """
    stated = parse_instant(entry.date, zone) if "T" in entry.date or " " in entry.date.strip() else None
    return stated or _start_on_day(entry, zone, day_change)


def parse_instant(text: str, zone: tzinfo) -> datetime | None:
    """Return the instant, in UTC, of an ISO 8601 date and time, which is in the zone if it has no offset."""
    moment = _parse_moment(text, zone)
    return moment and moment.astimezone(UTC)


def _parse_moment(text: str, zone: tzinfo) -> datetime | None:
    """Return a date and time in the zone, or with the offset that it states."""
    try:
        moment = datetime.fromisoformat(text.strip())
        moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment


def _start_on_day(entry: Entry, zone: ZoneInfo, day_change: time | None) -> datetime | None:
    clock = parse_clock(entry.start)
    if clock is None:
        return None
    try:
        day = date.fromisoformat((entry.date or entry.day).strip()[:10])
        # An entry's own date is the calendar's; only a day reaches into the next date.
        if clock.ends_day or (day_change and clock < day_change and not entry.date):
            day += ONE_DAY
        return to_instant(day, clock, datetime.combine(day, clock, zone).astimezone(UTC))
    except (ValueError, OverflowError):
        return None


def split_uid(uid: str) -> tuple[UUID, str]:
    """Return the UUID of an occasion with this UID in calendars, and the UID, '' where it is that UUID."""
    try:
        uuid = UUID(uid)
    except ValueError:
        return uuid5(NAMESPACE_URL, uid), uid
    return uuid, "" if str(uuid) == uid else uid


def format_version(edit: Edit | None) -> str:
    """Return the edit that a sheet is made at, as exported sheets state it; '' before the first."""
    return f"#{edit.pk} {edit.moment.astimezone(UTC).isoformat()}" if edit else ""


# Its number and its moment.
NAMED_EDIT = "^#([0-9]{1,18}) ([^ ]+)$"


# A longer duration is a mistake.
LONGEST = timedelta(days=60)
# Leaves room in the database for the suffixes that several events with one key get.
_LONGEST_IDENTIFIER = 400


class EntryOccasion(msgspec.Struct, frozen=True):
    entry: Entry
    key: str
    title: str
    occasion: ScheduledOccasion


def read_entry(
    entry: Entry, zone: ZoneInfo, day_change: time | None, problems: list[Problem]
) -> EntryOccasion | None:
    """Return an entry with its occasion; None, and a problem, for an entry without a title or time."""
    title, day = read_title(clean_line(entry.title)), entry.date or entry.day
    start = find_start(entry, zone, day_change)
    end, note = start, ""
    if start and is_storable(start, start):
        end, note = _end_and_note(entry, start, zone)
    why, year = "", _YEAR.match(day.strip())
    if not title.text:
        why = _("left out, because it has no title")
    elif (year and not is_storable_year(int(year[0]))) or (start and end and not is_storable(start, end)):
        why = _("left out: %(why)s") % {"why": CHECK_THE_YEAR}
    elif not start:
        stated = clean_line(f"{day} {entry.start}")
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
        cancelled=title.cancelled or entry.state.strip().lower() in {"cancelled", "canceled"},
        room=clean_line(entry.room),
        location=clean_line(entry.location),
        address=clean_line(entry.address),
        note=note,
        uid=clean_uid(entry.uid),
    )
    return EntryOccasion(entry, build_event_key(entry), title.text, occasion)


def label_entry(entry: Entry) -> str:
    title = read_title(clean_line(entry.title)).text
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


def _end_and_note(entry: Entry, start: datetime, zone: ZoneInfo) -> tuple[datetime, str]:
    """Return the end, and what was assumed of it; dates are those of the zone, or as they are stated."""
    end, note = None, ""
    moment = _parse_moment(entry.end, zone)
    if moment and FIRST_INSTANT <= moment < LAST_INSTANT:
        moment, begin = follow(start, moment), start.astimezone(moment.tzinfo)
        end = settle_end(start.astimezone(zone), moment.astimezone(zone)) or settle_end(begin, moment)
        if moment.timestamp() <= start.timestamp():
            note = str(NO_LENGTH if moment == begin else NEXT_DAY)
    duration = end - start if end else None if entry.end else parse_duration(entry.duration)
    if duration and timedelta() < duration <= LONGEST:
        return (start + duration).astimezone(UTC), note
    stated = clean_line(entry.end or entry.duration)
    what = _("no usable duration (“%(duration)s”): 30 minutes assumed") % {"duration": stated}
    if not stated:
        what = str(NO_END)
    elif note:
        what = str(NO_LENGTH)
    return start + DEFAULT_DURATION, what
