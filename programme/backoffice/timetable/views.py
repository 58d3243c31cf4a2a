"""The views of the timetable."""

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
from programme.backoffice.timetable.links import timetable_url
from programme.backoffice.timetable.messages import describe_move, script_texts
from programme.backoffice.timetable.moves import MoveRefusedError, move_occasion
from programme.backoffice.timetable.news import TimetableNewsForm, find_offer, tell_readers
from programme.backoffice.timetable.page import build_day_context, build_tabs_context
from programme.models import Occasion
from programme.models.festival_time import festival_time

TEMPLATE, DAY_TEMPLATE = "admin/programme/timetable.html", "admin/programme/timetable_day.html"


def redirect_to_day(request: HttpRequest, site: AdminSite) -> HttpResponse:
    _check_permission(request, site)
    day = days.choose_default_day(count_by_day(), festival_time().day_of(get_instant(request)))
    return redirect(timetable_url(day, request.GET.urlencode()))


def show_day(request: HttpRequest, site: AdminSite, day: str) -> HttpResponse:
    _check_permission(request, site)
    if request.method == "POST":
        return _move(request, site, _parse_day(day))
    return TemplateResponse(request, TEMPLATE, _build_context(request, site, _parse_day(day)))


def _move(request: HttpRequest, site: AdminSite, date: dt.date) -> HttpResponse:
    occasions = site.get_model_admin(Occasion)
    try:
        if "tell" in request.POST:
            return JsonResponse({"message": tell_readers(request, occasions)})
        done = move_occasion(request, occasions, date)
    except MoveRefusedError as refused:
        context = build_day_context(request, date)
        answer = {"message": refused.why, "html": render_to_string(DAY_TEMPLATE, context, request)}
        return JsonResponse(answer, status=refused.status)
    context = build_day_context(request, date)
    clashes = context["clashes"].get(done.occasion.id, [])
    message = describe_move(
        done.occasion, date, context["columns"], clashes, back=bool(request.POST.get("undo"))
    )
    html = render_to_string(DAY_TEMPLATE, context, request)
    moved = done.occasion
    shown = {"message": message, "html": html, "news": find_offer(request, done.row)}
    return JsonResponse({**shown, "undo": done.undo, "occasion": moved.id, "seen": moved.seen})


def _check_permission(request: HttpRequest, site: AdminSite) -> None:
    if not site.get_model_admin(Occasion).has_view_permission(request):
        raise PermissionDenied


def _parse_day(day: str) -> dt.date:
    try:
        date = dt.date.fromisoformat(day)
    except ValueError:
        raise Http404(day) from None
    if not EARLIEST <= date <= LATEST:
        raise Http404(day)
    return date


def _build_context(request: HttpRequest, site: AdminSite, date: dt.date) -> dict[str, Any]:
    today = festival_time().day_of(get_instant(request))
    return {
        **site.each_context(request),
        **build_tabs_context(date, today),
        **build_day_context(request, date),
        "title": _("Timetable"),
        "texts": script_texts(),
        "news": TimetableNewsForm(label_suffix=""),
        # The rooms need the width of the screen.
        "is_nav_sidebar_enabled": False,
    }
