"""What readers were told, in the words of the feed of news, and who may change it."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from msgspec.structs import replace

from feeds.news import NEVER, NewsEntry
from feeds.news import News as Piece
from feeds.news_wording import format_title
from programme.changes.rights import EventState, Verb, rights_of
from programme.history.news import list_untold, select_news
from programme.models import Edit, Event, News, NewsKind, Status
from programme.models.dates import editor_language
from programme.models.festival_time import festival_time
from programme.publishing.news_reader import read_rows

# The name of edits in the history. None has a title, which may have been published by mistake.
TOOK_BACK = gettext_noop("took back what readers were told")
# More is on the page of the edit.
MOST_SHOWN = 3


def load_entries(pieces: QuerySet[News]) -> list[NewsEntry]:
    """Return the entries of pieces, the newest first; one query."""
    # What is new and cancelled at once is told as cancelled alone.
    pieces = pieces.exclude(kind=NewsKind.NEW, appears_at=None)
    entries: dict[UUID, list[Piece]] = defaultdict(list)
    for each in sorted(read_rows(pieces), key=lambda each: each.order):
        entries[each.entry].append(each)
    return [NewsEntry(tuple(together)) for together in entries.values()]


def name_entry(entry: NewsEntry) -> str:
    # Some never appear in the feed, but all are told on a day.
    pieces = tuple(replace(each, appears_at=each.told_at) for each in entry.pieces)
    return format_title(NewsEntry(pieces), festival_time(), editor_language())


def is_fed(entry: NewsEntry) -> bool:
    """Return whether the feed has an entry, or will: of what is new it has that alone."""
    return entry.first.appears_at != NEVER


def describe_news(edit: int, instant: datetime) -> dict[str, Any]:
    """Return what entries readers get of an edit and when, or else whether they can be told of it yet."""
    entries = list(filter(is_fed, load_entries(select_news(edit))))
    is_own = any(each.first.edit_id == edit for each in entries)
    untold, is_unnoticed = ([], False) if is_own else list_untold(Edit(pk=edit), instant)
    later = [each for each in entries if each.first.appears_at > instant]
    now = [each for each in entries if each not in later]
    said = ((_("Readers were told:"), now), (_("Readers get within five minutes:"), later))
    return {
        "parts": [
            (begin, [(each.id, name_entry(each)) for each in found[:MOST_SHOWN]], len(found) - MOST_SHOWN)
            for begin, found in said
            if found
        ],
        "edit": edit,
        "is_untold": bool(untold),
        "is_unnoticed": is_unnoticed and not untold,
    }


def may(user: Any, verb: Verb, areas: Mapping[int, int]) -> bool:
    """Return whether a user may do this with events, there or gone; `areas` are those that they had last."""
    stored = dict(Event.objects.filter(pk__in=areas.keys()).values_list("pk", "area"))
    states = {EventState(area, Status.DRAFT) for area in {**areas, **stored}.values()}
    return all(rights_of(user).can_in_state(verb, Event, state) for state in states)


def find_areas(entry: NewsEntry) -> dict[int, int]:
    return {each.event_id: each.facts.area or 0 for each in entry.pieces}
