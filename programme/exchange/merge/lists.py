"""Brings lists of another service into the programme, with their IDs and the occasions that were imported."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from programme.exchange.merge.history import IMPORT
from programme.exchange.merge.pipeline import ApplyError
from programme.exchange.merge.properties import move_sequence
from programme.exchange.readers.interface.lists import FetchedList
from programme.history import edits
from programme.models import ListItem, Occasion, OccasionList


def import_lists(fetched: Sequence[FetchedList], source: str, *, publish: bool) -> None:
    """Create lists, or add to those that are there what is not on them."""
    if not fetched:
        return
    with edits.record(reason=IMPORT, detail=source):
        for each in fetched:
            _import_list(each, source, publish=publish)
        move_sequence(OccasionList, max(each.id for each in fetched))


def _import_list(fetched: FetchedList, source: str, *, publish: bool) -> None:
    title = {"title_sv": fetched.title.sv, "title_en": fetched.title.en}
    shown = OccasionList.objects.filter(pk=fetched.id).first()
    if shown is None:
        shown = OccasionList(pk=fetched.id, published=publish, **title)
        if shown.refused_names():
            message = _("there is another list with the title “%(title)s”")
            raise ApplyError(message % {"title": shown.title_sv})
        shown.save(force_insert=True)
    keys = Occasion.objects.filter(source=source, source_id__in=map(str, fetched.occasion_ids))
    missing = keys.exclude(list_items__on_list=shown).values_list("pk", flat=True)
    ListItem.objects.bulk_create(ListItem(on_list=shown, occasion_id=key) for key in missing)
