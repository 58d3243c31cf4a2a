"""Withdrawing and deleting events, and with them all that readers were told of them."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from programme.api.instant import get_instant
from programme.backoffice.news.told import TOOK_BACK
from programme.changes.rights import rights_of
from programme.history import edits
from programme.history.news import select_told
from programme.models import Status


class ForgettingForm(forms.Form):
    what: str
    consequence: str
    forgets = forms.BooleanField(
        label=gettext_lazy("… and remove what readers were told"),
        required=False,
        help_text=gettext_lazy("For what should never have been seen: no page or feed names it. No undo."),
    )


def offer_forgetting(request: HttpRequest, events: QuerySet[Any]) -> ForgettingForm | None:
    """Return the form where readers see any of these events, or news of them."""
    is_public = events.filter(status=Status.PUBLISHED, occasions__isnull=False).exists()
    if not (is_public or select_told(events.order_by().values("pk")).exists()):
        return None
    form = ForgettingForm(request.POST, label_suffix="")
    if not is_public:
        form.what = form.fields["forgets"].label = _("Remove what readers were told")
        form.consequence = ""
    return form


def forget_told(request: HttpRequest, events: Collection[int]) -> str:
    """Delete what readers were told of events that are withdrawn or deleted, if that is asked for; say so."""
    if not request.POST.get("forgets") or not rights_of(request.user).can_publish:
        return ""
    edits.forget(events, get_instant(request))
    return _("What readers were told is removed. Undoing does not bring it back.")


def forget_withdrawn(request: HttpRequest, events: Collection[int], changed: Collection[int]) -> str:
    """Forget events that are withdrawn; of drafts, the latest changes have who did it."""
    said = forget_told(request, events)
    if said and not changed:
        edits.set_reason(TOOK_BACK)
        edits.begin()
    return said
