"""The start page: where the programme stands, day by day, what is amiss, and what changed lately."""

import datetime as dt
from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from django.contrib.admin.models import LogEntry
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.text import capfirst

from feeds.festival_time import ONE_DAY
from feeds.wording import relative_day
from programme import rights
from programme.admin.days import editors_language
from programme.models import Event, Status
from programme.problems.facts import Facts
from programme.problems.registry import Found, Survey
from programme.problems.survey import survey
from programme.problems.texts import LANGUAGES, completeness
from programme.reckoning import reckoning

MOST_DAYS = 10
MOST_DRAFTS = 5
MOST_CHANGES = 8
# So many entries are read to find those: what was done to many at once is told in one line.
ENTRIES_READ = 200
# Of each kind of problem so many are shown here; the others are on their own page.
MOST_OF_A_KIND = 3


class DayStanding(NamedTuple):
    """A festival day to come, and how many occasions begin on it."""

    label: str
    url: str
    timetable: str
    occasions: int
    cancelled: int
    drafts: int


class Change(NamedTuple):
    """What somebody did, to one row or to several at once."""

    entry: LogEntry
    others: int


def may_see(request: HttpRequest) -> bool:
    """Return whether the programme is shown to the user at all."""
    return any(request.user.has_perm(f"programme.{verb}_event") for verb in ("view", "change"))


def standing(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the start page, empty for who may not see the programme."""
    if not may_see(request):
        return {}
    found = survey_for(request)
    coming = found.only(lambda problem: not problem.is_over(request.instant))
    return {
        "days": _days(found.facts, request.instant),
        "later": _days_later(found.facts, request.instant),
        "problems": [_first(each) for each in coming.found if each.problems],
        "problem_count": coming.count,
        "problems_over": found.count - coming.count,
        "completeness": [completeness(found.texts, language) for language in LANGUAGES],
        "drafts": Event.objects.filter(status=Status.DRAFT).order_by("-last_modified", "-id")[:MOST_DRAFTS],
        "draft_count": sum(event.draft for event in found.facts.events.values()),
        "changes": _changes(),
        "timetable": timetable(),
    }


def survey_for(request: HttpRequest) -> Survey:
    """Return what is amiss, as far as it concerns the user: who keeps some areas alone, of these."""
    areas = rights.of(request.user).areas
    return survey() if areas is None else survey().of_areas(areas)


def _first(found: Found) -> dict[str, Any]:
    return {"kind": found.kind, "count": len(found.problems), "problems": found.problems[:MOST_OF_A_KIND]}


# --- Days ------------------------------------------------------------------------------------


def _coming(facts: Facts, instant: dt.datetime) -> list[tuple[dt.date, list[Any]]]:
    festival = reckoning()
    today = festival.day_begins(festival.day_of(instant))
    held = sorted((each for each in facts.occasions.values() if each.start >= today), key=lambda o: o.start)
    return [(day, list(rows)) for day, rows in groupby(held, lambda each: festival.day_of(each.start))]


def _days(facts: Facts, instant: dt.datetime) -> list[DayStanding]:
    today = reckoning().day_of(instant)
    coming = dict(_coming(facts, instant)[:MOST_DAYS])
    return (
        [_standing(facts, day, rows, today) for day, rows in ({today: []} | coming).items()] if coming else []
    )


def _standing(facts: Facts, day: dt.date, rows: list[Any], today: dt.date) -> DayStanding:
    return DayStanding(
        label=capfirst(relative_day(day, today, editors_language())),
        url=f"{reverse('admin:programme_occasion_changelist')}?day={day_key(day, today)}",
        timetable=timetable(day),
        occasions=len(rows),
        cancelled=sum(each.cancelled for each in rows),
        drafts=sum(facts.events[each.event].draft for each in rows),
    )


def _days_later(facts: Facts, instant: dt.datetime) -> int:
    """Return how many days with occasions come after those that are shown."""
    return max(0, len(_coming(facts, instant)) - MOST_DAYS)


def day_key(day: dt.date, today: dt.date) -> str:
    """Return how the filter by day (`programme/admin/days.py`) names a day."""
    return {today: "today", today + ONE_DAY: "tomorrow"}.get(day, day.isoformat())


def timetable(day: dt.date | None = None) -> str:
    """Return the address of the timetable, of a day or of the next one; '' where there is none."""
    try:
        return reverse("admin:timetable_day", args=[day.isoformat()]) if day else reverse("admin:timetable")
    except NoReverseMatch:
        return ""


# --- Changes ---------------------------------------------------------------------------------


def _changes() -> list[Change]:
    entries = LogEntry.objects.filter(content_type__app_label="programme")
    read = entries.select_related("user", "content_type").order_by("-action_time", "-id")[:ENTRIES_READ]
    return list(_together(read))[:MOST_CHANGES]


def _together(entries: Iterable[LogEntry]) -> Iterable[Change]:
    """Yield entries, those that one person wrote at one moment of several rows as one."""
    for _key, group in groupby(entries, _deed):
        rows = list(group)
        yield Change(rows[0], len({row.object_id for row in rows}) - 1)


def _deed(entry: LogEntry) -> tuple[Any, ...]:
    moment = entry.action_time.replace(second=0, microsecond=0)
    return entry.user_id, entry.action_flag, entry.content_type_id, entry.change_message, moment
