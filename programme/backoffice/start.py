"""The start page: the coming days, problems, drafts and recent changes."""

import datetime as dt
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import capfirst

from feeds.festival_time import ONE_DAY
from feeds.wording import format_relative_day
from programme.api.instant import get_instant
from programme.backoffice.changes.views import describe_edits
from programme.backoffice.dates import editor_language
from programme.backoffice.problems.survey import get_surveys_for, may_view_survey
from programme.backoffice.programme import EditorProgramme
from programme.backoffice.schedule import load_waiting
from programme.backoffice.suggestions.views import select_waiting
from programme.changes.rights import rights_of
from programme.models import Area, AreaEditor, Edit, Event, Occasion, Status
from programme.models.festival_time import festival_time

MOST_DAYS = 10
MOST_DRAFTS = 5
MOST_CHANGES = 8
# Of each kind of problem so many are shown here; the others are on their own page.
MOST_OF_A_KIND = 3


def start_page_context(request: HttpRequest) -> dict[str, Any]:
    if not may_view_survey(request):
        return {}
    found, _accepted = get_surveys_for(request)
    coming = found.only(lambda problem: not problem.is_over(get_instant(request)))
    days, later = _summarize_days(found.seen, get_instant(request))
    drafts = Event.objects.filter(found.scope.events, status=Status.DRAFT)
    return {
        "days": days,
        "later": later,
        "problems": [
            {"kind": kind, "count": len(problems), "problems": problems[:MOST_OF_A_KIND]}
            for kind, problems in coming.by_kind
        ],
        "problem_count": len(coming.problems),
        "problems_over": len(found.problems) - len(coming.problems),
        "waiting": load_waiting(),
        "drafts": drafts.order_by("-last_modified", "-id")[:MOST_DRAFTS],
        "draft_count": sum(event.draft for event in found.seen.events.values()),
        "suggestion_count": select_waiting(request.user).count(),
        "area_changes": list_area_changes(request),
        "changes": describe_edits(request, Edit.objects.order_by("-pk")[:MOST_CHANGES]),
        "timetable": reverse("admin:timetable"),
    }


def list_area_changes(request: HttpRequest) -> list[tuple[Area, list[Event]]]:
    """Return the published events that area editors have changed since yesterday, by area; for chiefs."""
    rights = rights_of(request.user)
    if not rights.can_publish or rights.areas is not None:
        return []
    time = festival_time()
    since = time.day_begins(time.day_of(get_instant(request)) - ONE_DAY)
    edits = Edit.objects.filter(moment__gte=since, user_id__in=AreaEditor.objects.values("user")).values("pk")
    written = Q(pk__in=Event.history.filter(edit__in=edits).values("id"))
    written |= Q(pk__in=Occasion.history.filter(edit__in=edits).values("event_id"))
    found = Event.objects.filter(written, status=Status.PUBLISHED).select_related("area")
    order = "area__sort_order", "area__name__in_order", "area", "title__in_order", "pk"
    return [(area, list(rows)) for area, rows in groupby(found.order_by(*order), attrgetter("area"))]


def _summarize_days(programme: EditorProgramme, instant: dt.datetime) -> tuple[list[dict[str, Any]], int]:
    """Return today and the next days with occasions, and the number of days with occasions after them."""
    festival = festival_time()
    today = festival.day_of(instant)
    coming = [each for each in programme.occasions.values() if each.day >= today]
    days = [(day, list(rows)) for day, rows in groupby(coming, lambda each: each.day)]
    shown: dict[dt.date, list[Any]] = {today: []} | dict(days[:MOST_DAYS]) if days else {}
    summaries = [_summarize_day(day, rows, today) for day, rows in shown.items()]
    return summaries, max(0, len(days) - MOST_DAYS)


def _summarize_day(day: dt.date, rows: list[Any], today: dt.date) -> dict[str, Any]:
    # As in the filter by day (`programme/backoffice/dates.py`).
    key = {today: "today", today + ONE_DAY: "tomorrow"}.get(day, day.isoformat())
    return {
        "label": capfirst(format_relative_day(day, today, editor_language())),
        "url": f"{reverse('admin:programme_occasion_changelist')}?day={key}",
        "timetable": reverse("admin:timetable_day", args=[day.isoformat()]),
        "occasions": len(rows),
        "cancelled": sum(each.cancelled for each in rows),
        "drafts": sum(each.event.draft for each in rows),
    }
