"""The start page: the coming days, problems, drafts and recent changes."""

import datetime as dt
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.text import capfirst

from feeds.festival_time import ONE_DAY
from feeds.wording import format_relative_day
from programme.api.instant import get_instant
from programme.backoffice.dates import editor_language
from programme.backoffice.problems.facts import Facts
from programme.backoffice.problems.survey import get_survey_for, may_view_survey
from programme.backoffice.problems.texts import LANGUAGES, measure_completeness
from programme.history.latest_edits import WrittenRows, find_latest_edits
from programme.history.versions import DELETED
from programme.models import Event, Occasion, Status
from programme.models.festival_time import festival_time

MOST_DAYS = 10
MOST_DRAFTS = 5
MOST_CHANGES = 8
# Of each kind of problem so many are shown here; the others are on their own page.
MOST_OF_A_KIND = 3


def start_page_context(request: HttpRequest) -> dict[str, Any]:
    if not may_view_survey(request):
        return {}
    found = get_survey_for(request)
    coming = found.only(lambda problem: not problem.is_over(get_instant(request)))
    days, later = _summarize_days(found.facts, get_instant(request))
    return {
        "days": days,
        "later": later,
        "problems": [
            {
                "kind": each.kind,
                "count": len(each.problems),
                "problems": each.problems[:MOST_OF_A_KIND],
            }
            for each in coming.found
            if each.problems
        ],
        "problem_count": coming.count,
        "problems_over": found.count - coming.count,
        "completeness": [measure_completeness(found.texts, language) for language in LANGUAGES],
        "drafts": Event.objects.filter(status=Status.DRAFT).order_by("-last_modified", "-id")[:MOST_DRAFTS],
        "draft_count": sum(event.draft for event in found.facts.events.values()),
        "changes": list(_list_changes()),
        "timetable": reverse("admin:timetable"),
    }


# --- Days ------------------------------------------------------------------------------------


def _summarize_days(facts: Facts, instant: dt.datetime) -> tuple[list[dict[str, Any]], int]:
    """Return today and the next days with occasions, and the number of days with occasions after them."""
    festival = festival_time()
    today = festival.day_of(instant)
    coming = [each for each in facts.occasions.values() if each.start >= festival.day_begins(today)]
    coming.sort(key=lambda each: each.start)
    days = [(day, list(rows)) for day, rows in groupby(coming, lambda each: festival.day_of(each.start))]
    shown: dict[dt.date, list[Any]] = {today: []} | dict(days[:MOST_DAYS]) if days else {}
    summaries = [_summarize_day(facts, day, rows, today) for day, rows in shown.items()]
    return summaries, max(0, len(days) - MOST_DAYS)


def _summarize_day(facts: Facts, day: dt.date, rows: list[Any], today: dt.date) -> dict[str, Any]:
    return {
        "label": capfirst(format_relative_day(day, today, editor_language())),
        "url": f"{reverse('admin:programme_occasion_changelist')}?day={day_key(day, today)}",
        "timetable": reverse("admin:timetable_day", args=[day.isoformat()]),
        "occasions": len(rows),
        "cancelled": sum(each.cancelled for each in rows),
        "drafts": sum(facts.events[each.event].draft for each in rows),
    }


def day_key(day: dt.date, today: dt.date) -> str:
    """Return the value of a day in the filter by day (`programme/backoffice/dates.py`)."""
    return {today: "today", today + ONE_DAY: "tomorrow"}.get(day, day.isoformat())


# --- Changes ---------------------------------------------------------------------------------


def _list_changes() -> Iterable[dict[str, Any]]:
    """Yield the latest edits, each with its event or other main row and the rows written with it."""
    for edit in find_latest_edits(MOST_CHANGES):
        if edit.written:
            main = min(edit.written, key=lambda written: written.model is not Event)
            # Occasions have the same name as their event.
            others = [
                _format_count(each) if each.model is Occasion else _format_name(each)
                for each in edit.written
                if each is not main
            ]
            yield {
                "edit": edit,
                "what": _format_name(main),
                "address": _form_address(main),
                "kind": main.kind,
                "others": others,
            }


def _format_name(written: WrittenRows) -> str:
    return written.name if written.count == 1 else _format_count(written)


def _format_count(written: WrittenRows) -> str:
    """Return `3 occasions`."""
    meta = written.model._meta
    return f"{written.count} {meta.verbose_name if written.count == 1 else meta.verbose_name_plural}"


def _form_address(written: WrittenRows) -> str:
    """Return the address of the form of a single row; '' for several rows and deleted ones."""
    if written.key is None or written.kind == DELETED:
        return ""
    try:
        return reverse(f"admin:programme_{written.model._meta.model_name}_change", args=[written.key])
    except NoReverseMatch:
        return ""
