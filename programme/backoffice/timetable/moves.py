"""Moving an occasion to where it was dropped, by the rules of its form and never over another edit."""

import datetime as dt
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.admin import AdminSite
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from feeds.day_layout import find_span
from feeds.festival_time import FestivalTime
from programme.backoffice.forms.fields import missing_hour
from programme.backoffice.forms.shifts import SkippedTimeError, shift
from programme.backoffice.generics import ModelAdmin
from programme.backoffice.timetable.columns import column_key
from programme.backoffice.timetable.occasions import TimetableOccasion
from programme.backoffice.timetable.places import find_own_place, parse_column
from programme.backoffice.timetable.refusals import (
    WriteRefusedError,
    refuse_change,
    refuse_conflict,
    refuse_unknown,
)
from programme.backoffice.timetable.saving import (
    Target,
    WriteResult,
    load_occasion,
    load_row,
    lock_programme,
    save_occasion,
)
from programme.history import edits
from programme.models import Occasion
from programme.models.festival_time import festival_time

# The edit's reason in the history.
MOVED = gettext_noop("moved on the timetable")
DAY_IN_MINUTES = 24 * 60


class MoveRequestForm(forms.Form):
    """An occasion as it was seen, with its new day, minute, length and column, each if it changes."""

    occasion = forms.IntegerField(min_value=1)
    seen = forms.CharField()
    # The festival day on which it is put; by default the one that is on the screen.
    day = forms.DateField(required=False)
    # Of the wall clock, since midnight of that day.
    minute = forms.IntegerField(required=False)
    minutes = forms.IntegerField(required=False, min_value=1, max_value=DAY_IN_MINUTES)
    column = forms.CharField(required=False)


def move_occasion(request: HttpRequest, site: AdminSite, date: dt.date) -> WriteResult:
    """Move an occasion as the page of a day submits it; raises `WriteRefusedError`."""
    order = MoveRequestForm(request.POST)
    if not order.is_valid():
        raise refuse_unknown()
    sent, occasions = order.cleaned_data, site.get_model_admin(Occasion)
    with transaction.atomic():
        before, occasion = load_movable(request, occasions, sent["occasion"], sent["seen"])
        edits.set_reason(MOVED)
        save_occasion(request, occasions, occasion, _find_target(before, sent["day"] or date, sent))
        after = load_occasion(occasion.pk)
    is_moved = sent["minute"] is not None or sent["column"]
    text = _("Moved to %(time)s, %(place)s.") if is_moved else _("New length: %(span)s, %(place)s.")
    return WriteResult(text, after, occasion)


def load_movable(
    request: HttpRequest, occasions: ModelAdmin, key: int, seen: str
) -> tuple[TimetableOccasion, Occasion]:
    """Return an occasion as it is on the screen, inside a transaction in which nobody else edits it."""
    lock_programme()
    before, occasion = load_occasion(key), load_row(key)
    if before is None or occasion is None:
        raise WriteRefusedError(_("This occasion has been deleted by someone else."), HTTPStatus.CONFLICT)
    if not occasions.has_change_permission(request, occasion):
        raise refuse_change()
    if before.seen != seen:
        raise refuse_conflict()
    return before, occasion


def _find_target(before: TimetableOccasion, day: dt.date, sent: dict[str, Any]) -> Target:
    column = sent["column"] or column_key(before.place)
    times = _find_times(before, day, sent["minute"], sent["minutes"])
    return Target(*times, *_find_own_place_in(before, column))


def _find_times(
    before: TimetableOccasion, day: dt.date, minute: int | None, minutes: int | None
) -> tuple[dt.datetime, dt.datetime]:
    festival, (start, end) = festival_time(), (before.start, before.end)
    if minute is not None:
        check_minute(minute, festival)
        start, end = _move_times(start, end, minute - find_span(before, day, festival).begins)
    if minutes is not None:
        span = festival.span(start, end)
        longer = dt.timedelta(minutes=minutes) - (span.end - span.start)
        end = _move_times(end, end, longer // dt.timedelta(minutes=1))[1]
    if end <= start:
        raise WriteRefusedError(_("The end must be later than the start."))
    return start, end


def check_minute(minute: int, festival: FestivalTime) -> None:
    """Refuse what is outside the festival day that is on the screen."""
    begins = festival.first_hour * 60
    if not begins <= minute < begins + DAY_IN_MINUTES:
        raise WriteRefusedError(_("This is outside the day. Choose another day for it."))


def _move_times(start: dt.datetime, end: dt.datetime, minutes: int) -> tuple[dt.datetime, dt.datetime]:
    try:
        return shift(start, end, dt.timedelta(minutes=minutes), festival_time())
    except SkippedTimeError as never:
        raise WriteRefusedError(missing_hour(never.date, never.clock)) from None


def find_instant(day: dt.date, minute: int) -> dt.datetime:
    """Return the instant of a minute of the wall clock since a day's midnight."""
    wall = dt.datetime.combine(day, dt.time()) + dt.timedelta(minutes=minute)
    if not festival_time().exists(wall.date(), wall.time()):
        raise WriteRefusedError(missing_hour(wall.date(), wall.time()))
    return festival_time().instant(wall.date(), wall.time())


def _find_own_place_in(before: TimetableOccasion, column: str) -> tuple[int | None, int | None]:
    if column == column_key(before.place):
        return before.own.location, before.own.room
    return find_own_place(before.own, before.events, parse_column(column))
