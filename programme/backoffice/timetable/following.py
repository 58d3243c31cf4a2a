"""What may follow a write on the timetable: undoing it, and news of it for readers."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.admin import AdminSite
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from programme.api.instant import get_instant
from programme.backoffice.changes.undoing import carry_out, find_refused
from programme.backoffice.forms.news import NewsFields, Tell
from programme.backoffice.timetable.columns import WriteRefusedError
from programme.backoffice.timetable.writing import (
    CREATED,
    MOVED,
    WriteResult,
    list_errors,
    load_movable,
    load_occasion,
    load_row,
    refuse_change,
    refuse_conflict,
    refuse_unknown,
)
from programme.history import edits
from programme.history.batches import load_rows
from programme.history.undo import UndoPlan, plan_undo
from programme.models import Edit, Event, Occasion, Revision, Status
from programme.models.change_marks import ChangeMark
from programme.models.locations import format_place
from programme.models.parsing import parse_int

# The edit's reason in the history.
ANNOUNCED = gettext_noop("news for readers, from the timetable")


def undo_write(request: HttpRequest) -> WriteResult:
    """Undo what the user has written on the timetable, whole or not at all."""
    Revision.lock()
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


class TimetableNewsForm(NewsFields):
    """The fields below the message, and for which occasion and write they were shown."""

    offered = {
        Tell.OCCASIONS: gettext_lazy("about this occasion"),
        Tell.EVENT: gettext_lazy("about the whole event"),
        Tell.CLEAR: gettext_lazy("no longer: remove the news"),
    }

    occasion = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    seen = forms.CharField(widget=forms.HiddenInput)
    # The edit that moved it, before which it had the start that readers know.
    move = forms.CharField(required=False, widget=forms.HiddenInput)


def find_offer(request: HttpRequest, occasion: Occasion | None) -> dict[str, bool]:
    """Return whether to offer news of an occasion after a write, and to remove what there is."""
    if occasion is None:
        return {"tell": False, "clear": False}
    ahead = occasion.event.status == Status.PUBLISHED and occasion.end > get_instant(request)
    return {"tell": ahead, "clear": any(ChangeMark.of(occasion))}


def tell_readers(request: HttpRequest, site: AdminSite) -> str:
    """Set the mark as the page of a day submits it, and return the message."""
    form = TimetableNewsForm(request.POST)
    if not form.is_valid():
        raise WriteRefusedError(list_errors(form))
    sent, news, occasions = form.cleaned_data, form.news, site.get_model_admin(Occasion)
    with transaction.atomic():
        _before, occasion = load_movable(request, occasions, sent["occasion"], sent["seen"])
        edits.set_reason(ANNOUNCED)
        instant = get_instant(request)
        values = news.build_values(Occasion, instant)
        if news.is_announced and occasion.moved_at is None and sent["move"]:
            # The mark comes after the move. What is as before the database leaves out.
            values |= _load_former(request, occasion.pk, sent["move"]) | {"moved_at": instant}
        news.mark_related([occasion], instant)
        # With the start, so that the database looks at it once more.
        Occasion.objects.filter(pk=occasion.pk).update(start=occasion.start, **values)
    return _("Readers see that it was changed.") if news.is_announced else _("Readers see no news about it.")


def _load_former(request: HttpRequest, key: int, edit: str) -> dict[str, Any]:
    """Return when and where an occasion was before an edit; nothing if that created it."""
    written = load_rows(Occasion, find_own_edit(request, edit).pk, [key]).get(key)
    if written is None:
        raise refuse_unknown()
    if written.before is None:
        return {}
    former = Occasion(**written.before)
    return {"previous_start": former.start, "previous_place": format_place(former)}
