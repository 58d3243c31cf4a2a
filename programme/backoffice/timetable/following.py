"""What may follow a write on the timetable: undoing it, and news of it for readers."""

from datetime import datetime
from http import HTTPStatus

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from programme.api.instant import get_instant
from programme.backoffice.forms.news import NewsFields, read_note
from programme.backoffice.timetable import writing
from programme.backoffice.timetable.columns import WriteRefusedError
from programme.changes.rights import rights_of
from programme.changes.undo import plan_undo
from programme.history import edits
from programme.history.news import DELAY, correct_note, find_since, take_back, tell
from programme.models import Edit, Event, News, Occasion, Revision
from programme.models.parsing import parse_int
from programme.models.telling import Telling

# The edit's reason in the history.
ANNOUNCED = gettext_noop("news for readers, from the timetable")


def undo_write(request: HttpRequest) -> writing.WriteResult:
    """Undo what the user has written on the timetable, whole or not at all."""
    Revision.lock()
    edit = find_own_edit(request, request.POST["undo"])
    plan = plan_undo(edit)
    plan.is_whole = True
    if not plan.written and not plan.refused:
        raise WriteRefusedError(_("There is nothing to undo."), HTTPStatus.CONFLICT)
    [key] = [each.key for each in plan.changes if each.model is Occasion]
    title = Event.objects.filter(occasions=key).values_list("title", flat=True).first() or ""
    plan.telling = Telling(tells=_find_news(edit, key or 0).exists())
    writing.write_plan(request, plan)
    after = writing.load_occasion(key or 0)
    text = _("Undone: %(span)s, %(place)s.") if after else _("Undone: %(title)s is not here any more.")
    return writing.WriteResult(text, after, title)


def find_own_edit(request: HttpRequest, key: str) -> Edit:
    """Return a write of the user's own on the timetable."""
    own = Edit.objects.filter(user=request.user.pk, reason__in=[writing.MOVED, writing.CREATED])
    edit = own.filter(pk=parse_int(key) or 0).first()
    if edit is None:
        raise writing.refuse_unknown()
    return edit


class TimetableNewsForm(NewsFields):
    """What to do about the news of a move: take it back, or tell of it, with a note; and of which move."""

    occasion = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    seen = forms.CharField(widget=forms.HiddenInput)
    # The edit that moved it, before which it was as readers know it.
    move = forms.CharField(widget=forms.HiddenInput)


def tell_readers(request: HttpRequest) -> str:
    """Take back or tell the news of a move as the page of a day submits it, and return the message."""
    form = TimetableNewsForm(request.POST)
    if not form.is_valid():
        raise WriteRefusedError(writing.list_errors(form))
    sent, occasions, instant = form.cleaned_data, admin.site.get_model_admin(Occasion), get_instant(request)
    with transaction.atomic():
        _before, occasion = writing.load_movable(request, occasions, sent["occasion"], sent["seen"])
        edit, note = find_own_edit(request, sent["move"]), read_note(sent)
        edits.set_reason(ANNOUNCED)
        edits.begin()
        if not form.tells:
            _take_back(request, edit, occasion.pk, instant)
        elif told := _find_news(edit, occasion.pk).first():
            correct_note(told.entry, note)
        else:
            tell(edit, find_since(edit, occasion.pk), note, instant)
    if not form.tells:
        return _("Readers are not told.")
    return _("Readers are told why.") if note else _("Readers are told.")


def _take_back(request: HttpRequest, edit: Edit, occasion: int, instant: datetime) -> None:
    """Take back what was told just now; later, when readers have it, that is for who may publish."""
    told = _find_news(edit, occasion)
    if told.filter(told_at__lte=instant - DELAY).exists() and not rights_of(request.user).can_publish:
        raise WriteRefusedError(_("Readers have got it by now. Ask a chief editor to take it back."))
    take_back(told, instant)


def _find_news(edit: Edit, occasion: int) -> QuerySet[News]:
    """Return what was told of an occasion since an edit, into which a later one may have been folded."""
    return News.objects.filter(occasion_id=occasion, edit_id__gte=edit.pk)
