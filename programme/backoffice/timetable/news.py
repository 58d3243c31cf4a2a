"""News for readers about what was written on the timetable, offered with its message."""

import datetime as dt

from django import forms
from django.contrib.admin import AdminSite
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from programme.api.instant import get_instant
from programme.backoffice.forms.news import NewsFields, Tell
from programme.backoffice.timetable.moves import load_movable
from programme.backoffice.timetable.refusals import WriteRefusedError, refuse_unknown
from programme.backoffice.timetable.saving import list_errors
from programme.backoffice.timetable.undoing import find_own_edit
from programme.history import edits
from programme.history.batches import load_rows
from programme.models import Occasion, Status

# The edit's reason in the history.
ANNOUNCED = gettext_noop("news for readers, from the timetable")


class TimetableNewsForm(NewsFields):
    """The fields below the message, and for which occasion and write they were shown."""

    offered = {
        Tell.OCCASIONS: _("about this occasion"),
        Tell.EVENT: _("about the whole event"),
        Tell.CLEAR: _("no longer: remove the news"),
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
    return {"tell": ahead, "clear": bool(occasion.changed_at or occasion.change_info)}


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
        if news.is_announced and occasion.previous_start is None and sent["move"]:
            # The mark comes after the move.
            former = _load_former_start(request, occasion.pk, sent["move"])
            values |= {"previous_start": former, "moved_at": instant}
        if news.tell == Tell.EVENT:
            news.mark(instant, occasions=[], events=[occasion.event_id])
        # With the start, so that the database looks at it once more.
        Occasion.objects.filter(pk=occasion.pk).update(start=occasion.start, **values)
    return str(
        _("Readers see that it was changed.") if news.is_announced else _("Readers see no news about it.")
    )


def _load_former_start(request: HttpRequest, key: int, edit: str) -> dt.datetime | None:
    """Return when an occasion started before an edit; None if that created it."""
    written = load_rows(Occasion, find_own_edit(request, edit).pk, [key]).get(key)
    if written is None:
        raise refuse_unknown()
    return written.before["start"] if written.before else None
