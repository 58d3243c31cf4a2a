"""The views of the timetable, the messages after a write, and its addresses."""

import datetime as dt
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from feeds.wording import isolate
from programme.api.instant import get_instant
from programme.backoffice.editions import get_edition, get_scope
from programme.backoffice.forms.fields import EARLIEST, LATEST
from programme.backoffice.forms.typed import read_slot
from programme.backoffice.problems.problem import TitledTime
from programme.backoffice.rendering import render_page
from programme.backoffice.timetable.columns import VenueColumn, WriteRefusedError, column_key
from programme.backoffice.timetable.days import build_tabs_context, choose_default_day
from programme.backoffice.timetable.following import TimetableNewsForm, tell_readers, undo_write
from programme.backoffice.timetable.occasions import describe_occasions
from programme.backoffice.timetable.page import build_day_context
from programme.backoffice.timetable.sheets import SIZES, SheetForm, build_sheets
from programme.backoffice.timetable.writing import WriteResult, create_occasion, move_occasion
from programme.changes.difference import format_times
from programme.changes.rights import rights_of
from programme.changes.undo import find_offered
from programme.history.edits import current_edit_id
from programme.models import Occasion
from programme.models.dates import editor_language, format_day
from programme.models.festival_time import festival_time
from programme.publishing.current import current

DAY_TEMPLATE = "admin/programme/timetable_day.html"
TABS_TEMPLATE = "admin/programme/timetable_tabs.html"


def timetable_url(day: dt.date, query: str = "") -> str:
    path = reverse("admin:timetable_day", args=[day.isoformat()])
    return f"{path}?{query}" if query else path


def redirect_to_day(request: HttpRequest) -> HttpResponse:
    _check_permission(request)
    day = choose_default_day(_find_today(request), get_scope(request).occasions)
    return redirect(timetable_url(day, request.GET.urlencode()))


def show_day(request: HttpRequest, day: str) -> HttpResponse:
    _check_permission(request)
    date = _parse_day(day)
    if request.method == "POST":
        return _write(request, date)
    if "minute" in request.GET:
        return JsonResponse(read_slot(request.GET.dict(), date))
    context = {
        **build_tabs_context(date, _find_today(request), get_scope(request).occasions),
        **build_day_context(request, date),
        "texts": script_texts(),
        "news": TimetableNewsForm(label_suffix=""),
    }
    return render_page(request, "timetable", _("Timetable"), context)


def show_sheets(request: HttpRequest) -> HttpResponse:
    """Show what is printed for walls or the crew, as readers know it: drafts are not among it."""
    _check_permission(request)
    edition, language = get_edition(request), editor_language()
    snapshot = current.at(get_instant(request), edition.slug if edition else "")
    day = choose_default_day(_find_today(request), get_scope(request).occasions)
    form = SheetForm(request.GET.dict(), snapshot, day)
    context = {
        "choices": form,
        "chosen": form.cleaned_data,
        "sheets": list(build_sheets(snapshot, form, language, rights_of(request.user))),
        "sizes": SIZES,
        "festival": snapshot.programme.festival.name.within(language),
    }
    title = _("Run sheets") if form.cleaned_data["crew"] else _("Sheets for walls")
    return render_page(request, "sheets", title, context)


def _write(request: HttpRequest, date: dt.date) -> HttpResponse:
    try:
        if "move" in request.POST:
            return JsonResponse({"message": tell_readers(request)})
        done = _carry_out(request, date)
    except WriteRefusedError as refused:
        context = build_day_context(request, date)
        answer = {
            "message": refused.why,
            "sure": refused.sure,
            "html": render_to_string(DAY_TEMPLATE, context, request),
        }
        return JsonResponse(answer, status=refused.status)
    return JsonResponse(_build_answer(request, date, done))


def _carry_out(request: HttpRequest, date: dt.date) -> WriteResult:
    if "undo" in request.POST:
        return undo_write(request)
    if "event" in request.POST or "title" in request.POST:
        return create_occasion(request, date)
    return move_occasion(request, date)


def _build_answer(request: HttpRequest, date: dt.date, done: WriteResult) -> dict[str, Any]:
    """Return the message, what it offers, and the day and the tabs as they are now."""
    tabs = build_tabs_context(date, _find_today(request), get_scope(request).occasions)
    context = build_day_context(request, date) | tabs
    occasion, edit = done.occasion, current_edit_id()
    clashes = context["clashes"].get(occasion.id, []) if occasion else []
    return {
        "message": describe_write(done, date, context["columns"], clashes),
        "clashes": bool(clashes),
        "link": _find_link(date, done),
        "html": render_to_string(DAY_TEMPLATE, context, request),
        "tabs": render_to_string(TABS_TEMPLATE, context, request),
        "news": done.is_news,
        "told": done.is_told,
        "undo": edit if edit and find_offered(rights_of(request.user), [edit]) else None,
        "occasion": occasion and occasion.id,
        "seen": occasion and occasion.seen,
    }


def _find_link(date: dt.date, done: WriteResult) -> dict[str, str] | None:
    """Return what to open next: the day on which an occasion is now, or the new draft of it."""
    if done.occasion is None:
        return None
    day = festival_time().day_of(done.occasion.start)
    if day != date:
        return {"text": _("Show that day"), "href": timetable_url(day)}
    if not done.is_draft:
        return None
    address = reverse("admin:programme_event_change", args=[done.occasion.event])
    return {"text": _("Open the draft"), "href": f"{address}?back={timetable_url(date)}"}


def _find_today(request: HttpRequest) -> dt.date:
    return festival_time().day_of(get_instant(request))


def _check_permission(request: HttpRequest) -> None:
    if not admin.site.get_model_admin(Occasion).has_view_permission(request):
        raise PermissionDenied


def _parse_day(day: str) -> dt.date:
    try:
        date = dt.date.fromisoformat(day)
    except ValueError:
        raise Http404(day) from None
    if not EARLIEST <= date <= LATEST:
        raise Http404(day)
    return date


# --- Texts ----------------------------------------------------------------------------------------


def describe_write(
    done: WriteResult, date: dt.date, columns: list[VenueColumn], clashes: list[TitledTime]
) -> str:
    """Return `Moved to 19:30–21:00, Stora scenen.`, and with what the occasion clashes there."""
    occasion = done.occasion
    if occasion is None:
        return done.message % {"title": isolate(done.title)}
    span = festival_time().span(occasion.start, occasion.end)
    day = f"{format_day(span.day)} " if span.day != date else ""
    place = next((column.label for column in columns if column.key == column_key(occasion.place)), "")
    text = done.message % {
        "span": f"{day}{format_times(occasion.start, occasion.end)}",
        "place": isolate(place),
        "title": isolate(occasion.title),
    }
    others = describe_occasions(clashes)
    more = [_("It clashes with %(others)s.") % {"others": others}] if others else []
    return " ".join([text, *more, *([_("Readers are told.")] if done.is_told else [])])


def script_texts() -> dict[str, str]:
    """Return what the script says."""
    return {
        "moving": _(
            "Arrow keys move it, with Shift by an hour; plus and minus change its length, Page Up and Page "
            "Down its day. Enter puts it down, Escape lets it go."
        ),
        "placing": _("Choose when and where. Click the timetable or use the fields."),
        "left": _("It stays where it was."),
        "saving": _("Saving …"),
        "away": _("It could not be saved: the service does not answer. It is where it was."),
        "out": _("It is not saved: you are signed out. Everything is where it was."),
        "enter": _("Sign in"),
        "fixed": _("You may not move this occasion."),
        "now": _("Now"),
        "nothing": _("There is nothing to undo."),
        "untitled": _("Write a title, or choose an event."),
    }
