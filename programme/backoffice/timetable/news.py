"""News for readers about what was moved on the timetable, offered with the message of the move."""

from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from programme.api.instant import get_instant
from programme.backoffice.forms.news import NewsFields, Tell
from programme.backoffice.generics import ModelAdmin
from programme.backoffice.timetable.moves import MoveRefusedError, load_former_start, load_movable
from programme.history import edits
from programme.models import Occasion, Status

# The edit's reason in the history.
TOLD = gettext_noop("news for readers, from the timetable")


class TimetableNewsForm(NewsFields):
    """The fields below the message, and for which occasion and move they were shown."""

    offered = {
        Tell.OCCASIONS: _("about this occasion"),
        Tell.EVENT: _("about the whole event"),
        Tell.CLEAR: _("no longer: remove the news"),
    }

    occasion = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    seen = forms.CharField(widget=forms.HiddenInput)
    # The token that undoes the move has its former start.
    move = forms.CharField(required=False, widget=forms.HiddenInput)


def find_offer(request: HttpRequest, occasion: Occasion) -> dict[str, bool]:
    """Return whether to offer news of an occasion after a move, and to remove what there is."""
    ahead = occasion.event.status == Status.PUBLISHED and occasion.end > get_instant(request)
    return {"tell": ahead, "clear": bool(occasion.changed_at or occasion.change_info)}


def tell_readers(request: HttpRequest, occasions: ModelAdmin) -> str:
    """Set the mark as the page of a day submits it, and return the message."""
    form = TimetableNewsForm(request.POST)
    if not form.is_valid():
        raise MoveRefusedError(" ".join(str(error) for errors in form.errors.values() for error in errors))
    sent, news = form.cleaned_data, form.news
    with transaction.atomic():
        _before, occasion = load_movable(request, occasions, sent["occasion"], sent["seen"])
        edits.set_reason(TOLD)
        instant = get_instant(request)
        values = news.build_values(Occasion, instant)
        if news.is_announced and occasion.previous_start is None and sent["move"]:
            # The mark comes after the move.
            values["previous_start"] = load_former_start(occasion.pk, sent["move"])
        if news.tell == Tell.EVENT:
            news.mark(instant, occasions=[], events=[occasion.event_id])
        # With the start, so that the database looks at it once more.
        Occasion.objects.filter(pk=occasion.pk).update(start=occasion.start, **values)
        occasions.log_change(request, occasion, [{"changed": {"fields": ["marked as changed"]}}])
    return str(
        _("Readers see that it was changed.") if news.is_announced else _("Readers see no news about it.")
    )
