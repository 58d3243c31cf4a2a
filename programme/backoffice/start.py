"""The start page: where the programme stands, day by day, what is amiss, and what changed lately."""

import datetime as dt
from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.text import capfirst

from feeds.festival_time import ONE_DAY
from feeds.wording import format_relative_day
from programme.api.instant import get_instant
from programme.backoffice.dates import editor_language
from programme.backoffice.problems.facts import Facts
from programme.backoffice.problems.registry import FoundProblems
from programme.backoffice.problems.survey import get_survey_for, may_view_survey
from programme.backoffice.problems.texts import LANGUAGES, measure_completeness
from programme.history.latest_edits import LatestEdit, WrittenRows, find_latest_edits
from programme.history.versions import DELETED
from programme.models import Event, Occasion, Status
from programme.models.festival_time import festival_time

MOST_DAYS = 10
MOST_DRAFTS = 5
MOST_CHANGES = 8
# Of each kind of problem so many are shown here; the others are on their own page.
MOST_OF_A_KIND = 3


class DaySummary(NamedTuple):
    """A festival day to come, and how many occasions begin on it."""

    label: str
    url: str
    timetable: str
    occasions: int
    cancelled: int
    drafts: int


class RecentChange(NamedTuple):
    """What somebody did: the event, or whatever else it was, and what came with it."""

    edit: LatestEdit
    what: str
    address: str
    kind: str
    others: list[str]


def start_page_context(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the start page, empty for who may not see the programme."""
    if not may_view_survey(request):
        return {}
    found = get_survey_for(request)
    coming = found.only(lambda problem: not problem.is_over(get_instant(request)))
    return {
        "days": _days(found.facts, get_instant(request)),
        "later": _days_later(found.facts, get_instant(request)),
        "problems": [_first(each) for each in coming.found if each.problems],
        "problem_count": coming.count,
        "problems_over": found.count - coming.count,
        "completeness": [measure_completeness(found.texts, language) for language in LANGUAGES],
        "drafts": Event.objects.filter(status=Status.DRAFT).order_by("-last_modified", "-id")[:MOST_DRAFTS],
        "draft_count": sum(event.draft for event in found.facts.events.values()),
        "changes": list(_changes()),
        "timetable": timetable(),
    }


def _first(found: FoundProblems) -> dict[str, Any]:
    return {"kind": found.kind, "count": len(found.problems), "problems": found.problems[:MOST_OF_A_KIND]}


# --- Days ------------------------------------------------------------------------------------


def _coming(facts: Facts, instant: dt.datetime) -> list[tuple[dt.date, list[Any]]]:
    festival = festival_time()
    today = festival.day_begins(festival.day_of(instant))
    held = sorted((each for each in facts.occasions.values() if each.start >= today), key=lambda o: o.start)
    return [(day, list(rows)) for day, rows in groupby(held, lambda each: festival.day_of(each.start))]


def _days(facts: Facts, instant: dt.datetime) -> list[DaySummary]:
    today = festival_time().day_of(instant)
    coming = dict(_coming(facts, instant)[:MOST_DAYS])
    return (
        [_standing(facts, day, rows, today) for day, rows in ({today: []} | coming).items()] if coming else []
    )


def _standing(facts: Facts, day: dt.date, rows: list[Any], today: dt.date) -> DaySummary:
    return DaySummary(
        label=capfirst(format_relative_day(day, today, editor_language())),
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
    """Return how the filter by day (`programme/backoffice/dates.py`) names a day."""
    return {today: "today", today + ONE_DAY: "tomorrow"}.get(day, day.isoformat())


def timetable(day: dt.date | None = None) -> str:
    """Return the address of the timetable, of a day or of the next one; '' where there is none."""
    try:
        return reverse("admin:timetable_day", args=[day.isoformat()]) if day else reverse("admin:timetable")
    except NoReverseMatch:
        return ""


# --- Changes ---------------------------------------------------------------------------------


def _changes() -> Iterable[RecentChange]:
    """Yield the latest edits, whichever way they were made: a form, the timetable, an import, a script."""
    for edit in find_latest_edits(MOST_CHANGES):
        if edit.written:
            main = min(edit.written, key=lambda written: written.model is not Event)
            # One of its occasions would be called as the event is.
            others = [
                _counted(each) if each.model is Occasion else _called(each)
                for each in edit.written
                if each is not main
            ]
            yield RecentChange(edit, _called(main), _address(main), main.kind, others)


def _called(written: WrittenRows) -> str:
    """Return what the one row is called, or how many there are."""
    return written.name if written.count == 1 else _counted(written)


def _counted(written: WrittenRows) -> str:
    """Return `3 occasions`."""
    meta = written.model._meta
    return f"{written.count} {meta.verbose_name if written.count == 1 else meta.verbose_name_plural}"


def _address(written: WrittenRows) -> str:
    """Return where the one row is edited; '' where there are several, or none any more."""
    if written.key is None or written.kind == DELETED:
        return ""
    try:
        return reverse(f"admin:programme_{written.model._meta.model_name}_change", args=[written.key])
    except NoReverseMatch:
        return ""
