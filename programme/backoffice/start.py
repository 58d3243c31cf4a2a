"""The start page: what is public today and tomorrow, what waits, and problems; or the first steps."""

import datetime as dt
from collections.abc import Collection
from functools import reduce
from itertools import groupby
from operator import attrgetter, or_
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse

from feeds.festival_time import ONE_DAY
from feeds.wording import format_relative_day
from programme.api.instant import get_instant
from programme.backoffice.changes.views import EditFilterForm, describe_edits
from programme.backoffice.problems.survey import get_surveys_for, may_view_survey
from programme.backoffice.programme import EditorOccasion, EditorProgramme
from programme.backoffice.schedule import load_waiting
from programme.backoffice.suggestions.views import select_waiting
from programme.changes.rights import Rights, rights_of
from programme.models import Area, AreaEditor, Edit, Edition, Event, Festival, Occasion, Status
from programme.models.dates import editor_language
from programme.models.festival_time import festival_time

MOST_COMING = 6
MOST_DRAFTS = 5
MOST_CHANGES = 8
# Of each kind of problem so many are shown here; the others are on their own page.
MOST_OF_A_KIND = 3


def start_page_context(request: HttpRequest) -> dict[str, Any]:
    if not may_view_survey(request):
        return {}
    rights, (found, _accepted) = rights_of(request.user), get_surveys_for(request)
    if not found.programme.events and rights.has_permission("change_festival"):
        return {
            "steps": {
                "named": Festival.objects.exists() and Edition.objects.exists(),
                "placed": Area.objects.exists(),
                "staffed": get_user_model().objects.count() > 1,
            }
        }
    instant = get_instant(request)
    coming = found.only(lambda problem: not problem.is_over(instant)).at(instant)
    own = Q() if rights.areas is None else Q(area__in=rights.areas)
    drafts = Event.objects.filter(found.scope.events, own, status=Status.DRAFT)
    written = Event.history.filter(edit__user=request.user).values("id")
    edits = Edit.objects.filter(find_changes_of(rights.areas)).order_by("-pk")
    return {
        "days": list_days(found.seen, rights, instant),
        "problems": [
            {"kind": kind, "count": len(problems), "problems": problems[:MOST_OF_A_KIND]}
            for kind, problems in coming.by_kind
        ],
        "problem_count": len(coming.problems),
        "problems_over": len(found.problems) - len(coming.problems),
        "waiting": load_waiting(rights.areas),
        "drafts": drafts.filter(pk__in=written).order_by("-last_modified", "-id")[:MOST_DRAFTS],
        "draft_count": sum(
            each.draft and rights.has_area(each.area.id) for each in found.seen.events.values()
        ),
        "suggestion_count": select_waiting(request.user).count(),
        "area_changes": list_area_changes(rights, instant),
        "changes": describe_edits(request, edits[:MOST_CHANGES]),
    }


def find_changes_of(areas: Collection[int] | None) -> Q:
    """Return the condition of edits of events of some areas; None for every area."""
    if areas is None:
        return Q()
    return reduce(or_, (EditFilterForm({"area": key}).build_condition() for key in areas), Q(pk__in=()))


def list_area_changes(rights: Rights, instant: dt.datetime) -> list[tuple[Area, list[Event]]]:
    """Return the published events that area editors have changed since yesterday, by area; for chiefs."""
    if not rights.can_publish or rights.areas is not None:
        return []
    time = festival_time()
    since = time.day_begins(time.day_of(instant) - ONE_DAY)
    edits = Edit.objects.filter(moment__gte=since, user_id__in=AreaEditor.objects.values("user")).values("pk")
    written = Q(pk__in=Event.history.filter(edit__in=edits).values("id"))
    written |= Q(pk__in=Occasion.history.filter(edit__in=edits).values("event_id"))
    found = Event.objects.filter(written, status=Status.PUBLISHED).select_related("area")
    order = "area__sort_order", "area__name__in_order", "area", "title__in_order", "pk"
    return [(area, list(rows)) for area, rows in groupby(found.order_by(*order), attrgetter("area"))]


def list_days(programme: EditorProgramme, rights: Rights, instant: dt.datetime) -> list[dict[str, Any]]:
    """Return today and tomorrow, and, where nothing takes place then, the next day with an occasion."""
    today = festival_time().day_of(instant)
    own = (each for each in programme.occasions.values() if rights.has_area(each.event.area.id))
    coming = [each for each in own if each.day >= today]
    days = {day: list(rows) for day, rows in groupby(coming, lambda each: each.day)}
    shown = {today, today + ONE_DAY}
    if shown.isdisjoint(days):
        shown |= {*(*days,)[:1]}
    return [_describe_day(day, days.get(day, []), today, instant) for day in sorted(shown) if days]


def _describe_day(
    day: dt.date, rows: list[EditorOccasion], today: dt.date, instant: dt.datetime
) -> dict[str, Any]:
    # As in the filter by day (`programme/backoffice/dates.py`).
    key = {today: "today", today + ONE_DAY: "tomorrow"}.get(day, day.isoformat())
    public = [each for each in rows if not each.event.draft]
    coming = [each for each in public if each.end > instant]
    return {
        "date": day,
        "label": format_relative_day(day, today, editor_language()),
        "url": f"{reverse('admin:programme_occasion_changelist')}?day={key}",
        "public": len(public),
        "cancelled": sum(each.cancelled for each in public),
        "drafts": len(rows) - len(public),
        "coming": coming[:MOST_COMING],
    }
