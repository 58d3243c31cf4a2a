"""The news settings of an edit: whether readers are told, and the editor's notes."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import msgspec
from django.utils.translation import ngettext

from feeds.marks import MARKING
from feeds.news import NewsState
from feeds.vocabulary import Text
from programme.models.events import Event, Status
from programme.models.news import find_news
from programme.models.occasions import Occasion

NO_NOTE = Text()


@dataclass(frozen=True)
class Telling:
    """Whether an edit tells readers of its changes (additions and withdrawals are always told), and why.

    `note` is about the occasions that the edit moves, cancels or reinstates, else about those in `about`, by
    ID. `notes` are about one occasion each. With `forgets`, additions and withdrawals are not told either.
    """

    tells: bool = True
    note: Text = NO_NOTE
    about: Collection[int] = ()
    notes: Mapping[int, Text] = field(default_factory=dict)
    forgets: bool = False

    def dump(self) -> Any:
        return msgspec.to_builtins(replace(self, about=sorted(self.about)), str_keys=True)

    @classmethod
    def load(cls, stored: dict[str, Any]) -> "Telling":
        return msgspec.convert(stored, cls, strict=False)


def ask_whether_told(count: int) -> str:
    """Return the question to the editor whether an import or an undo is announced to readers."""
    text = ngettext(
        "%(count)d occasion changes for readers. Are they told?",
        "%(count)d occasions change for readers. Are they told?",
        count,
    )
    return text % {"count": count}


def is_told(before: NewsState | None, after: NewsState | None, instant: datetime) -> bool:
    """Return whether a change of an occasion makes a mark, unless its editor declines."""
    return find_news(before, after, instant) in MARKING


def read_state(occasion: Occasion, event: Event) -> NewsState | None:
    """Return the published state of an occasion and its event in memory."""
    if event.status != Status.PUBLISHED:
        return None
    # Places that are not stored yet get a number that differs from all IDs in use.
    location, room = (int(row.pk or id(row)) if row else None for row in (occasion.location, occasion.room))
    return NewsState(occasion.start, occasion.end, occasion.cancelled, location, room)


def find_told(occasions: Iterable[Occasion], events: Iterable[Event], instant: datetime) -> frozenset[int]:
    """Return the IDs of the occasions that readers are told of if these rows in memory are written."""
    rows = {row.pk: row for row in occasions if row.pk}
    owners = {event.pk: event for event in events if event.pk}
    if not rows:
        return frozenset()
    stored = Occasion.objects.filter(pk__in=rows).select_related("location", "room", "event")
    return frozenset(
        each.pk
        for each in stored
        if is_told(
            read_state(each, each.event),
            read_state(rows[each.pk], owners.get(rows[each.pk].event_id, each.event)),
            instant,
        )
    )
