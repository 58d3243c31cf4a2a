"""The timetable's addresses in the back office."""

import datetime as dt
from typing import Any

from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from programme.api.instant import get_instant
from programme.backoffice.dates import count_by_day
from programme.backoffice.forms.fields import EARLIEST, LATEST
from programme.backoffice.timetable import days
from programme.backoffice.timetable.links import address
from programme.backoffice.timetable.messages import said_of, texts
from programme.backoffice.timetable.moves import RefusedError, carry_out
from programme.backoffice.timetable.page import page, tabs
from programme.models import Occasion
from programme.models.festival_time import festival_time

TEMPLATE, PART = "admin/programme/timetable.html", "admin/programme/timetable_day.html"


def first_day(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Go to today's timetable, or that of the next day with occasions."""
    _may_look(request, site)
    day = days.opening(count_by_day(), festival_time().day_of(get_instant(request)))
    return redirect(address(day, request.GET.urlencode()))


def day(request: HttpRequest, site: AdminSite, day: str) -> HttpResponse:
    """Show the timetable of a day, or move an occasion of it."""
    _may_look(request, site)
    if request.method == "POST":
        return _move(request, site, _date(day))
    return TemplateResponse(request, TEMPLATE, _context(request, site, _date(day)))


def _move(request: HttpRequest, site: AdminSite, date: dt.date) -> HttpResponse:
    """Answer with what is to be said of it, and with the day as it is then."""
    occasions = site.get_model_admin(Occasion)
    try:
        done = carry_out(request, occasions, date)
    except RefusedError as refused:
        context = page(request, date)
        answer = {"said": refused.why, "html": render_to_string(PART, context, request)}
        return JsonResponse(answer, status=refused.status)
    context = page(request, date)
    clashes = context["clashes"].get(done.held.id, [])
    said = said_of(done.held, date, context["columns"], clashes, back=bool(request.POST.get("undo")))
    answer = {"said": said, "undo": done.undo, "occasion": done.held.id, "seen": done.held.seen}
    return JsonResponse(answer | {"html": render_to_string(PART, context, request)})


def _may_look(request: HttpRequest, site: AdminSite) -> None:
    if not site.get_model_admin(Occasion).has_view_permission(request):
        raise PermissionDenied


def _date(day: str) -> dt.date:
    try:
        date = dt.date.fromisoformat(day)
    except ValueError:
        raise Http404(day) from None
    if not EARLIEST <= date <= LATEST:
        raise Http404(day)
    return date


def _context(request: HttpRequest, site: AdminSite, date: dt.date) -> dict[str, Any]:
    today = festival_time().day_of(get_instant(request))
    return {
        **site.each_context(request),
        **tabs(date, today),
        **page(request, date),
        "title": _("Timetable"),
        "texts": texts(),
        # The rooms need the width of the screen.
        "is_nav_sidebar_enabled": False,
    }
