"""Undoing a write of the timetable, as the page of the latest changes undoes any batch."""

from http import HTTPStatus

from django.db import IntegrityError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from programme.backoffice.changes.undoing import carry_out, find_refused
from programme.backoffice.timetable.creating import CREATED
from programme.backoffice.timetable.moves import MOVED
from programme.backoffice.timetable.refusals import (
    WriteRefusedError,
    refuse_change,
    refuse_conflict,
    refuse_unknown,
)
from programme.backoffice.timetable.saving import WriteResult, load_occasion, load_row, lock_programme
from programme.history.undo import UndoPlan, plan_undo
from programme.models import Edit, Event, Occasion
from programme.models.parsing import parse_int


def undo_write(request: HttpRequest) -> WriteResult:
    """Undo what the user has written on the timetable, whole or not at all."""
    lock_programme()
    plan = plan_undo(find_own_edit(request, request.POST["undo"]))
    _check_plan(request, plan)
    [key] = [row.key for row in plan.rows if row.model is Occasion]
    title = Event.objects.filter(occasions=key).values_list("title", flat=True).first() or ""
    try:
        carry_out(plan)
    except IntegrityError:
        raise refuse_conflict() from None
    after = load_occasion(key)
    text = _("Undone: %(span)s, %(place)s.") if after else _("Undone: %(title)s is not here any more.")
    return WriteResult(text, after, load_row(key), title)


def find_own_edit(request: HttpRequest, key: str) -> Edit:
    """Return a write of the user's own on the timetable."""
    own = Edit.objects.filter(user=request.user.pk, reason__in=[MOVED, CREATED])
    edit = own.filter(pk=parse_int(key) or 0).first()
    if edit is None:
        raise refuse_unknown()
    return edit


def _check_plan(request: HttpRequest, plan: UndoPlan) -> None:
    if plan.staying:
        raise refuse_conflict()
    if not plan.written:
        raise WriteRefusedError(_("There is nothing to undo."), HTTPStatus.CONFLICT)
    if find_refused(request.user, plan):
        raise refuse_change()
