"""Moving and creating occasions on the timetable, by the rules of their form and never over another edit."""

import datetime as dt
from copy import copy
from http import HTTPStatus
from typing import Any, NamedTuple

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from feeds.day_layout import MINUTE, find_day, find_instant
from programme.api.instant import get_instant
from programme.backoffice.forms.doubts import ask_about_days
from programme.backoffice.forms.news import NO
from programme.backoffice.forms.occasion import ENTRY, OccasionForm, occasion_times
from programme.backoffice.forms.places import place_key
from programme.backoffice.forms.typed import LONGEST_DAY
from programme.backoffice.generics import ModelAdmin
from programme.backoffice.timetable.columns import WriteRefusedError, column_key, parse_column
from programme.backoffice.timetable.days import Span, add_length
from programme.backoffice.timetable.occasions import TimetableOccasion, load_occasions
from programme.changes.change import Change, Plan
from programme.changes.rights import EventState, rights_of
from programme.changes.writing import PlanRefusedError, write
from programme.models import Event, Occasion, Revision, Status
from programme.models.festival_time import festival_time
from programme.models.locations import Venue
from programme.models.telling import Telling

# The edits' reasons in the history.
MOVED, CREATED = gettext_noop("moved on the timetable"), gettext_noop("added on the timetable")


class WriteResult(NamedTuple):
    """What was done, as a message to be filled in, and the occasion as it is now: None if it is gone."""

    message: str
    occasion: TimetableOccasion | None
    title: str = ""
    # Whether its event was created with it.
    is_draft: bool = False
    # Whether a move is news for readers, and whether they are told of it.
    is_news: bool = False
    is_told: bool = False


# --- Refusals -------------------------------------------------------------------------------------


def refuse_unknown() -> WriteRefusedError:
    """Return the refusal of a request that this page has not sent."""
    return WriteRefusedError(_("This was not understood. Open the page again."))


def refuse_conflict() -> WriteRefusedError:
    text = _("Someone else has changed this occasion in the meantime. Here it is as it is now.")
    return WriteRefusedError(text, HTTPStatus.CONFLICT)


def refuse_change(request: HttpRequest, occasion: Occasion | None = None) -> WriteRefusedError:
    why = rights_of(request.user).explain_read_only(occasion) if occasion else ""
    return WriteRefusedError(why or _("You may not change this occasion."), HTTPStatus.FORBIDDEN)


def list_errors(form: Any) -> str:
    return " ".join(str(error) for errors in form.errors.values() for error in errors)


# --- Loading and saving ---------------------------------------------------------------------------


def load_occasion(key: int) -> TimetableOccasion | None:
    return next(load_occasions(Occasion.objects.filter(pk=key)), None)


def load_movable(
    request: HttpRequest, occasions: ModelAdmin, key: int, seen: str
) -> tuple[TimetableOccasion, Occasion]:
    """Return an occasion as it is on the screen, inside a transaction in which nobody else edits it."""
    Revision.lock()
    before = load_occasion(key)
    # With what its form names.
    rows = Occasion.objects.select_related("event__area", "location", "room__location", "stream")
    occasion = rows.filter(pk=key).first()
    if before is None or occasion is None:
        raise WriteRefusedError(_("This occasion has been deleted by someone else."), HTTPStatus.CONFLICT)
    if not occasions.has_change_permission(request, occasion):
        raise refuse_change(request, occasion)
    if before.seen != seen:
        raise refuse_conflict()
    return before, occasion


def _require_valid(form: Any) -> Any:
    """Return the row of a form as if its values had been typed; it is not saved.

    Raises `WriteRefusedError` with the form's errors.
    """
    if form.errors:
        doubt, name = getattr(form, "doubt", ("", ""))
        raise WriteRefusedError(doubt or list_errors(form), sure=name)
    return form.save(commit=False)


def _fill_occasion(request: HttpRequest, occasion: Occasion, span: Span, place: Venue | None) -> Occasion:
    (start, end), (location, room) = span, place or (None, None)
    entry = dict(zip(ENTRY, occasion_times(start, end, festival_time()), strict=True))
    sure = {name: "1" for name in request.POST if name.startswith("sure-")}
    form = OccasionForm(entry | {"place": place_key(location, room)} | sure, instance=copy(occasion))
    is_seen = occasion.event.status == Status.PUBLISHED
    if form.is_valid() and is_seen and "day" in form.changed_data:
        ask_about_days([form], get_instant(request), ~Q(event=occasion.event_id))
    filled: Occasion = _require_valid(form)
    # What is typed knows minutes only.
    vars(filled).update({"start": start, "end": end})
    return filled


def write_plan(request: HttpRequest, plan: Plan) -> None:
    """Write a plan; raises `WriteRefusedError`."""
    try:
        write(plan, rights_of(request.user))
    except PlanRefusedError:
        raise refuse_conflict() from None
    except PermissionDenied:
        raise refuse_change(request) from None


# --- Moving ---------------------------------------------------------------------------------------


class MoveRequestForm(forms.Form):
    """An occasion as it was seen, with its new day, minute, length and column, each if it changes."""

    occasion = forms.IntegerField(min_value=1)
    seen = forms.CharField()
    # The festival day on which it is put; by default the one that is on the screen.
    day = forms.DateField(required=False)
    # Of that day.
    minute = forms.IntegerField(required=False)
    minutes = forms.IntegerField(required=False, min_value=1, max_value=LONGEST_DAY)
    column = forms.CharField(required=False)


def move_occasion(request: HttpRequest, date: dt.date) -> WriteResult:
    """Move an occasion as the page of a day submits it; raises `WriteRefusedError`."""
    order = MoveRequestForm(request.POST)
    if not order.is_valid():
        raise refuse_unknown()
    sent, occasions = order.cleaned_data, admin.site.get_model_admin(Occasion)
    tells = request.POST.get("tell") != NO
    before, occasion = load_movable(request, occasions, sent["occasion"], sent["seen"])
    span = _find_span(before, sent["day"] or date, sent["minute"], sent["minutes"])
    is_placed = sent["column"] not in {"", column_key(before.place)}
    place = parse_column(sent["column"]) if is_placed else before.place
    change = Change.of(occasion, _fill_occasion(request, occasion, span, place))
    plan = Plan([change], MOVED, telling=Telling(tells))
    is_news = bool(plan.find_told(get_instant(request)))
    write_plan(request, plan)
    after = load_occasion(occasion.pk)
    is_moved = sent["minute"] is not None or sent["column"]
    text = _("Moved to %(span)s, %(place)s.") if is_moved else _("New length: %(span)s, %(place)s.")
    return WriteResult(text, after, is_news=is_news, is_told=is_news and tells)


def _find_span(before: TimetableOccasion, day: dt.date, minute: int | None, minutes: int | None) -> Span:
    start, end, festival = before.start, before.end, festival_time()
    if minute is not None:
        by = festival.distance(start.replace(second=0, microsecond=0), _find_instant(day, minute))
        start, end = add_length(start, end, by, festival)
    if minutes is not None:
        end = start + minutes * MINUTE
    if end <= start:
        raise WriteRefusedError(_("The end must be later than the start."))
    return start, end


def _find_instant(day: dt.date, minute: int) -> dt.datetime:
    """Return the instant of a minute; what is outside the festival day that is on the screen is refused."""
    begins, ends = find_day(day, festival_time())
    if not begins <= minute < ends:
        raise WriteRefusedError(_("This is outside the day. Choose another day for it."))
    return find_instant(minute, day, festival_time())


# --- Creating -------------------------------------------------------------------------------------


class CreateRequestForm(forms.Form):
    """The time and the column of an occasion, and its event: an ID, or the title and area of a new one."""

    minute = forms.IntegerField()
    minutes = forms.IntegerField(min_value=1, max_value=LONGEST_DAY)
    column = forms.CharField()
    event = forms.IntegerField(required=False, min_value=1)
    title = forms.CharField(required=False)
    area = forms.CharField(required=False)


def create_occasion(request: HttpRequest, date: dt.date) -> WriteResult:
    """Create an occasion, of an event or of a new draft, as a page submits it; raises `WriteRefusedError`."""
    order = CreateRequestForm(request.POST)
    if not order.is_valid():
        raise WriteRefusedError(list_errors(order))
    sent = order.cleaned_data
    is_draft = not sent["event"]
    Revision.lock()
    place = parse_column(sent["column"])
    event = _build_event(request, sent) if is_draft else _find_event(request, sent["event"])
    start = _find_instant(date, sent["minute"])
    span = start, start + sent["minutes"] * MINUTE
    occasion = _fill_occasion(request, Occasion(event=event), span, place)
    new = [*([event] if is_draft else []), occasion]
    tells = Telling(request.POST.get("tell") != NO)
    write_plan(request, Plan([Change.of(None, row) for row in new], CREATED, telling=tells))
    text = _("Added %(title)s: %(span)s, %(place)s.")
    if is_draft:
        text = _("Added the draft %(title)s: %(span)s, %(place)s.")
    return WriteResult(text, load_occasion(occasion.pk), is_draft=is_draft)


def _find_event(request: HttpRequest, key: int) -> Event:
    event = Event.objects.filter(pk=key).first()
    if event is None:
        raise WriteRefusedError(_("This event has been deleted by someone else."), HTTPStatus.CONFLICT)
    if not rights_of(request.user).can_in_state("add", Occasion, EventState.of(event)):
        raise WriteRefusedError(_("You may not add occasions to this event."), HTTPStatus.FORBIDDEN)
    return event


def _build_event(request: HttpRequest, sent: dict[str, Any]) -> Event:
    """Return a draft."""
    events = admin.site.get_model_admin(Event)
    if not events.has_add_permission(request):
        raise WriteRefusedError(_("You may not add events."), HTTPStatus.FORBIDDEN)
    typed = {"title": sent["title"], "area": sent["area"]}
    form: Any = events.get_form(request, fields=[*typed])
    return _require_valid(form(typed, instance=Event()))  # type: ignore[no-any-return]
