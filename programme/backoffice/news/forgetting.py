"""Withdrawing and deleting events, and with them all that readers were told of them."""

from collections.abc import Collection

from django.http import HttpRequest
from django.utils.translation import gettext as _

from programme.api.instant import get_instant
from programme.changes.rights import rights_of
from programme.history import edits


def forget_told(request: HttpRequest, events: Collection[int]) -> str:
    """Delete what readers were told of events that are withdrawn or deleted, if that is asked for; say so."""
    if not request.POST.get("forgets") or not rights_of(request.user).can_publish:
        return ""
    edits.forget(events, get_instant(request))
    return _("What readers were told is removed. Undoing does not bring it back.")
