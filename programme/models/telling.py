"""What an edit tells readers: the one word that it carries, and the notes of its editor."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Model

from feeds.vocabulary import Text
from programme.models.events import Event, Status
from programme.models.news import MARKING, OccasionState, find_news
from programme.models.occasions import Occasion

NO_NOTE = Text()


@dataclass(frozen=True)
class Telling:
    """Whether readers are told of an edit (of what is new or withdrawn they always are), and why.

    `note` is about what the edit moves, cancels or reinstates; where it does nothing of these, about the
    occasions in `about`, by ID. `notes` are about one occasion each. With `forgets`, nothing is told of what
    is withdrawn.
    """

    tells: bool = True
    note: Text = NO_NOTE
    about: Collection[int] = ()
    notes: Mapping[int, Text] = field(default_factory=dict)
    forgets: bool = False

    def dump(self) -> dict[str, Any]:
        notes = {str(key): [note.sv, note.en] for key, note in self.notes.items()}
        note, about = [self.note.sv, self.note.en], sorted(self.about)
        return {"tells": self.tells, "note": note, "about": about, "notes": notes, "forgets": self.forgets}

    @classmethod
    def load(cls, stored: dict[str, Any]) -> "Telling":
        if not stored:
            return cls()
        notes = {int(key): Text(*note) for key, note in stored["notes"].items()}
        return cls(stored["tells"], Text(*stored["note"]), stored["about"], notes, stored["forgets"])


def is_told(before: OccasionState | None, after: OccasionState | None, instant: datetime) -> bool:
    """Return whether a change of an occasion is told by a mark, unless its edit says no."""
    return find_news(before, after, instant) in MARKING


def read_state(occasion: Occasion, event: Event) -> OccasionState | None:
    """Return what news of an occasion of an event is about, as these rows are in memory."""
    if event.status != Status.PUBLISHED:
        return None
    location, room = _identify(occasion.location), _identify(occasion.room)
    return OccasionState(occasion.start, occasion.end, location, room, cancelled=occasion.cancelled)


def _identify(place: Model | None) -> int | None:
    """Return the ID of a place, or another number of one that an import has not stored yet."""
    return int(place.pk or id(place)) if place else None


def find_told(occasions: Iterable[Occasion], events: Iterable[Event], instant: datetime) -> frozenset[int]:
    """Return the IDs of the occasions of which readers are told if these rows, as in memory, are written."""
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
