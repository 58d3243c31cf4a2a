"""Moving an occasion to where it was dropped, by the rules of its form and never over another edit."""

import datetime as dt
from http import HTTPStatus
from typing import Any, NamedTuple

from django import forms
from django.core import signing
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from feeds.day_layout import find_span
from programme.backoffice.forms.fields import missing_hour
from programme.backoffice.forms.occasion import ENTRY, occasion_times
from programme.backoffice.generics import ModelAdmin
from programme.backoffice.moving import SkippedTimeError, shift
from programme.backoffice.timetable.columns import NO_LOCATION, column_key
from programme.backoffice.timetable.occasions import TimetableOccasion, load_occasions
from programme.history import edits
from programme.models import Location, Occasion, Revision, Room
from programme.models.festival_time import festival_time
from programme.models.locations import StatedVenue, Venue, resolve_venue
from programme.models.parsing import parse_int

# The edit's reason in the history.
MOVED = gettext_noop("moved on the timetable")
_SALT = "programme.backoffice.timetable.undo"


class MoveRefusedError(Exception):
    """The occasion stays where it was: the reason for the editor, and the HTTP status."""

    def __init__(self, why: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(why)
        self.why, self.status = why, status


class MoveRequestForm(forms.Form):
    """An occasion as it was seen, with its new minute and column or the move to undo."""

    occasion = forms.IntegerField(min_value=1)
    seen = forms.CharField()
    # Of the wall clock, since midnight of the day that is on the screen.
    minute = forms.IntegerField(required=False)
    column = forms.CharField(required=False)
    undo = forms.CharField(required=False)


class MoveTarget(NamedTuple):
    """When an occasion is to be, and what it is to state of its place."""

    start: dt.datetime
    end: dt.datetime
    location: int | None
    room: int | None


class MoveResult(NamedTuple):
    """An occasion after it was moved, its row, and the signed token that undoes the move."""

    occasion: TimetableOccasion
    row: Occasion
    undo: str


def move_occasion(request: HttpRequest, occasions: ModelAdmin, date: dt.date) -> MoveResult:
    """Move an occasion as the page of a day submits it; raises `MoveRefusedError`."""
    order = MoveRequestForm(request.POST)
    if not order.is_valid():
        raise MoveRefusedError(_("This was not understood. Open the page again."))
    key = order.cleaned_data["occasion"]
    with transaction.atomic():
        before, occasion = load_movable(request, occasions, key, order.cleaned_data["seen"])
        _save(request, occasions, occasion, _find_target(before, date, order.cleaned_data))
        after = _load_occasion(key)
    assert after is not None  # noqa: S101 - it was saved in this transaction
    own = before.own
    state = [key, before.start.isoformat(), before.end.isoformat(), own.location, own.room]
    return MoveResult(after, occasion, signing.dumps(state, salt=_SALT))


def load_movable(
    request: HttpRequest, occasions: ModelAdmin, key: int, seen: str
) -> tuple[TimetableOccasion, Occasion]:
    """Return an occasion as it is on the screen, inside a transaction in which nobody else edits it."""
    # Every writer takes this lock first (programme/triggers/).
    Revision.objects.select_for_update().first()
    before = _load_occasion(key)
    occasion = Occasion.objects.select_related("event").filter(pk=key).first()
    if before is None or occasion is None:
        raise MoveRefusedError(_("This occasion has been deleted by someone else."), HTTPStatus.CONFLICT)
    if not occasions.has_change_permission(request, occasion):
        raise MoveRefusedError(_("You may not change this occasion."), HTTPStatus.FORBIDDEN)
    if before.seen != seen:
        raise MoveRefusedError(
            _("Someone else has changed this occasion in the meantime. Here it is as it is now."),
            HTTPStatus.CONFLICT,
        )
    return before, occasion


def _load_occasion(key: int) -> TimetableOccasion | None:
    return next(load_occasions(Occasion.objects.filter(pk=key)), None)


def _find_target(before: TimetableOccasion, date: dt.date, request_data: dict[str, Any]) -> MoveTarget:
    if request_data["undo"]:
        return _load_undo_target(before.id, request_data["undo"])
    minute, column = request_data["minute"], request_data["column"] or column_key(before.place)
    times = (before.start, before.end) if minute is None else _find_times(before, date, minute)
    return MoveTarget(*times, *_find_own_place_in(before, column))


def _load_undo_target(key: int, token: str) -> MoveTarget:
    try:
        moved, start, end, location, room = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        moved = start = end = location = room = None
    if moved != key:
        raise MoveRefusedError(_("This was not understood. Open the page again."))
    return MoveTarget(dt.datetime.fromisoformat(start), dt.datetime.fromisoformat(end), location, room)


def load_former_start(key: int, token: str) -> dt.datetime:
    """Return when an occasion started before the move that a token undoes."""
    return _load_undo_target(key, token).start


def _find_times(before: TimetableOccasion, date: dt.date, minute: int) -> tuple[dt.datetime, dt.datetime]:
    festival = festival_time()
    begins = festival.first_hour * 60
    if not begins <= minute < begins + 24 * 60:
        raise MoveRefusedError(
            _("An occasion stays on its day when it is dragged. Open it to choose another day.")
        )
    by = dt.timedelta(minutes=minute - find_span(before, date, festival).begins)
    try:
        start, end = shift(before.start, before.end, by, festival)
    except SkippedTimeError as never:
        raise MoveRefusedError(missing_hour(never.date, never.clock)) from None
    if end <= start:
        raise MoveRefusedError(_("The end must be later than the start."))
    return start, end


def _find_own_place_in(before: TimetableOccasion, column: str) -> tuple[int | None, int | None]:
    if column == column_key(before.place):
        return before.own.location, before.own.room
    return find_own_place(before.own, before.events, _parse_column(column))


def find_own_place(
    own: StatedVenue[int | None], event: StatedVenue[int | None], place: Venue | None
) -> tuple[int | None, int | None]:
    """Return what an occasion has to state of its place to be in one: nothing in its event's own.

    Raises `MoveRefusedError` where what the event states does not allow it.
    """
    if place == resolve_venue(own, event):
        return own.location, own.room
    events = resolve_venue(event)
    if place == events:
        return None, None
    if place is None:
        raise MoveRefusedError(
            _("The event has a location, so its occasions have one. Open the event to remove it.")
        )
    if place.room is None and events and events.location == place.location:
        raise MoveRefusedError(_("The event has a room in this location. Open the event to remove it."))
    return place.location, place.room


def _parse_column(column: str) -> Venue | None:
    if column == NO_LOCATION:
        return None
    kind, key = column[:1], parse_int(column[1:])
    if key is not None:
        room = Room.objects.filter(pk=key).first() if kind == "r" else None
        if room:
            return Venue(room.location_id, room.pk)
        if kind == "l" and Location.objects.filter(pk=key).exists():
            return Venue(key, None)
    raise MoveRefusedError(_("This room is no longer here."), HTTPStatus.CONFLICT)


def _save(request: HttpRequest, occasions: ModelAdmin, occasion: Occasion, target: MoveTarget) -> None:
    """Submit the occasion's own form with the new values, as if they had been typed."""
    form_class = occasions.get_form(request, occasion, change=True)
    form: Any = form_class(_build_form_data(form_class(instance=occasion), target), instance=occasion)
    if not form.is_valid():
        raise MoveRefusedError(" ".join(str(error) for errors in form.errors.values() for error in errors))
    changed: Occasion = occasions.save_form(request, form, change=True)
    # To the letter: what is typed knows minutes only, and a room brings its location.
    changed.start, changed.end, changed.location_id, changed.room_id = target
    edits.set_reason(MOVED)
    occasions.save_model(request, changed, form, change=True)
    occasions.log_change(request, changed, occasions.construct_change_message(request, form, []))


def _build_form_data(form: Any, target: MoveTarget) -> dict[str, Any]:
    shown = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    entry = occasion_times(target.start, target.end, festival_time())
    return shown | dict(zip(ENTRY, entry, strict=True)) | {"location": target.location, "room": target.room}
