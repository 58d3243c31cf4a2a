"""What may follow a write on the timetable: undoing it, and news of it for readers."""

import datetime as dt
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import admin
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from programme.api.instant import get_instant
from programme.backoffice.changes.undoing import carry_out, find_refused
from programme.backoffice.forms.news import News, NewsFields, Tell
from programme.backoffice.timetable import writing
from programme.backoffice.timetable.columns import WriteRefusedError
from programme.history import edits
from programme.history.batches import load_rows
from programme.history.undo import UndoPlan, plan_undo
from programme.models import Edit, Event, Occasion, Revision
from programme.models.change_marks import MARK, NO_NOTE, build_note
from programme.models.parsing import parse_int

# The edit's reason in the history.
ANNOUNCED = gettext_noop("news for readers, from the timetable")
# What is moved.
_MOVED = ("start", "end", "location_id", "room_id")


def undo_write(request: HttpRequest) -> writing.WriteResult:
    """Undo what the user has written on the timetable, whole or not at all."""
    Revision.lock()
    plan = plan_undo(find_own_edit(request, request.POST["undo"]))
    _check_plan(request, plan)
    [key] = [row.key for row in plan.rows if row.model is Occasion]
    title = Event.objects.filter(occasions=key).values_list("title", flat=True).first() or ""
    for row in plan.written:
        if row.values.get("changed_at", row) is None:
            # A note that was added to the news goes with it.
            row.values |= build_note(NO_NOTE)
    try:
        carry_out(plan)
    except IntegrityError:
        raise writing.refuse_conflict() from None
    after = writing.load_occasion(key)
    text = _("Undone: %(span)s, %(place)s.") if after else _("Undone: %(title)s is not here any more.")
    return writing.WriteResult(text, after, title)


def find_own_edit(request: HttpRequest, key: str) -> Edit:
    """Return a write of the user's own on the timetable."""
    own = Edit.objects.filter(user=request.user.pk, reason__in=[writing.MOVED, writing.CREATED])
    edit = own.filter(pk=parse_int(key) or 0).first()
    if edit is None:
        raise writing.refuse_unknown()
    return edit


def _check_plan(request: HttpRequest, plan: UndoPlan) -> None:
    if plan.staying:
        raise writing.refuse_conflict()
    if not plan.written:
        raise WriteRefusedError(_("There is nothing to undo."), HTTPStatus.CONFLICT)
    if find_refused(request, plan):
        raise writing.refuse_change()


class TimetableNewsForm(NewsFields):
    """What to do about the news of a move: take it back, or tell of it, with a note; and of which move."""

    offered = dict.fromkeys([Tell.NOTHING, Tell.OCCASIONS])

    occasion = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    seen = forms.CharField(widget=forms.HiddenInput)
    # The edit that moved it, before which it was as readers know it.
    move = forms.CharField(widget=forms.HiddenInput)


def tell_readers(request: HttpRequest) -> str:
    """Take back or tell the news of a move as the page of a day submits it, and return the message."""
    form = TimetableNewsForm(request.POST)
    if not form.is_valid():
        raise WriteRefusedError(writing.list_errors(form))
    sent, news, occasions = form.cleaned_data, form.news, admin.site.get_model_admin(Occasion)
    with transaction.atomic():
        _before, occasion = writing.load_movable(request, occasions, sent["occasion"], sent["seen"])
        known = _load_known(request, occasion.pk, sent["move"])
        edits.set_reason(ANNOUNCED)
        if news.is_announced:
            _tell(occasion, known, news, get_instant(request))
        else:
            _take_back(occasion, known)
    return _("Readers are told.") if news.is_announced else _("Readers are not told.")


def _load_known(request: HttpRequest, key: int, edit: str) -> dict[str, Any]:
    """Return an occasion as it was before one of the user's edits moved it."""
    written = load_rows(Occasion, find_own_edit(request, edit).pk, [key]).get(key)
    if written is None or written.before is None:
        raise writing.refuse_unknown()
    return written.before


def _tell(occasion: Occasion, known: dict[str, Any], news: News, instant: dt.datetime) -> None:
    """Set the mark, after the move: it is moved once more, with the mark, and keeps from where."""
    row, now = Occasion.objects.filter(pk=occasion.pk), {name: getattr(occasion, name) for name in _MOVED}
    values = news.build_values(Occasion, instant)
    if occasion.changed_at == known["changed_at"]:
        row.update(**{name: known[name] for name in _MOVED})
    else:
        # The move has set it: undoing that takes it back.
        del values["changed_at"]
    row.update(**now, **values)


def _take_back(occasion: Occasion, known: dict[str, Any]) -> None:
    """Restore the mark as it was. With the start, so that the database looks at it once more."""
    mark = {name: known[name] for name in (*MARK, *Occasion.trigger_rules.derives)}
    Occasion.objects.filter(pk=occasion.pk).update(start=occasion.start, **mark)
