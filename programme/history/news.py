"""What an edit tells readers of occasions, written in its transaction, whichever way it was made.

A piece of news is pending until it appears: later edits of its occasion are folded into it. Which change is
news is said by `find_news`; only new and withdrawn occasions are told without a mark of change.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from feeds.news import MOST_SINGLE, SHOWN_FOR
from programme.history.batches import RowState, load_rows
from programme.history.versions import select_latest
from programme.models import Editing, Event, Location, News, NewsKind, Occasion, Room, Status
from programme.models.change_marks import MARK, ChangeMark, resolve_mark
from programme.models.news import OccasionState, find_news

# How long after the edit a piece appears, unless it is of what begins so soon that it appears at once.
DELAY, SOON = timedelta(minutes=5), timedelta(hours=24)
# Longer than readers are shown it.
KEPT = SHOWN_FOR + timedelta(days=30)

# The columns that decide what readers see and are told of an occasion, and those of its facts.
_SEEN: dict[Any, tuple[str, ...]] = {
    Event: ("status", *MARK),
    Occasion: ("event_id", "start", "end", "cancelled", "location_id", "room_id", *MARK),
}
_FACTS = ("title", "area_id", "sub_area_id", "type_id", "organizer_id")
_READ: dict[Any, Any] = {Event: ("id", *_SEEN[Event], *_FACTS), Occasion: ("id", *_SEEN[Occasion])}

Pair = tuple[RowState, RowState]

_BATCH = 500


class Side(NamedTuple):
    """An occasion and its event, before an edit or after it."""

    occasion: RowState
    event: RowState

    @property
    def mark(self) -> ChangeMark:
        return resolve_mark(*(ChangeMark.read(row) if row else ChangeMark() for row in self))

    @property
    def state(self) -> OccasionState | None:
        """What readers see, None if they see nothing."""
        occasion, event = self
        if not occasion or not event or event["status"] != Status.PUBLISHED:
            return None
        names = ("start", "end", "location_id", "room_id", "cancelled")
        return OccasionState(*(occasion[name] for name in names))


class Change(NamedTuple):
    key: int
    before: Side
    after: Side

    @property
    def is_public(self) -> bool:
        return any(side.event and side.event["status"] == Status.PUBLISHED for side in self[1:])

    @property
    def event(self) -> dict[str, Any]:
        return self.after.event or self.before.event or {}

    def is_told(self, since: datetime) -> bool:
        """Return whether the mark that stands was set since then, or set or renewed by this edit."""
        former, mark = self.before.mark.at, self.after.mark.at
        return mark is not None and (mark >= since or former is None or former < mark)


def write_news(editing: QuerySet[Editing], taken: timedelta) -> None:
    """Write the news of the edit in progress, and change or delete what is pending of its occasions.

    The edit has taken a while, in which pieces may have appeared that were pending at its moment.
    """
    written = [Exists(model.history.filter(edit=OuterRef("edit"))) for model in _READ]
    for edit, moment, *is_written in editing.values_list("edit", "edit__moment", *written):
        if any(is_written) and (changes := _load_changes(edit, *is_written)):
            Newsroom(edit, moment, moment + taken, changes).write()


# --- What was changed ----------------------------------------------------------------------------


def _load_changes(edit: int, has_events: bool, has_occasions: bool) -> list[Change]:
    """Return the changes of what readers may see of occasions, in six queries at most."""
    events = _load_pairs(Event, edit) if has_events else {}
    occasions = _load_pairs(Occasion, edit) if has_occasions else {}
    turned = {key for key, pair in events.items() if _differ(Event, pair)}
    if turned:
        parts = Occasion.objects.filter(event__in=Event.history.filter(edit=edit).values("id"))
        unwritten = parts.values(*_READ[Occasion])
        occasions = {row["id"]: (row, row) for row in unwritten if row["event_id"] in turned} | occasions
    changed = {
        key: pair
        for key, pair in occasions.items()
        if _differ(Occasion, pair) or turned.intersection(row["event_id"] for row in pair if row)
    }
    others = {row["event_id"] for pair in changed.values() for row in pair if row} - events.keys()
    if others:
        found = Event.objects.filter(pk__in=others).values(*_READ[Event])
        events |= {row["id"]: (row, row) for row in found}
    changes = (Change(key, *_add_events(pair, events)) for key, pair in sorted(changed.items()))
    return [change for change in changes if change.is_public]


def _load_pairs(model: Any, edit: int) -> dict[int, Pair]:
    """Return rows before and after an edit. What the history does not know of before, was as it is."""
    rows = load_rows(model, edit, names=_READ[model])
    return {key: (row.before if row.is_known else row.after, row.after) for key, row in rows.items()}


def _differ(model: Any, pair: Pair) -> bool:
    before, after = ([row[name] for name in _SEEN[model]] if row else None for row in pair)
    return before != after


def _add_events(pair: Pair, events: dict[int, Pair]) -> Iterator[Side]:
    for number, row in enumerate(pair):
        yield Side(row, events.get(row["event_id"], (None, None))[number] if row else None)


# --- What readers are told -----------------------------------------------------------------------


@dataclass
class Newsroom:
    edit: int
    moment: datetime
    ended_at: datetime
    changes: list[Change]

    def __post_init__(self) -> None:
        rows = [side.occasion for change in self.changes for side in change[1:] if side.occasion]
        self.rooms = _load_latest(Room, {row["room_id"] for row in rows})
        self.locations = _load_latest(Location, {row["location_id"] for row in rows})

    def write(self) -> None:
        """Write all pieces, in the place of those that are pending."""
        events = {side.event["id"] for change in self.changes for side in change[1:] if side.event}
        found = News.objects.filter(event_id__in=events, appears_at__gt=self.ended_at)
        pending = {each.occasion_id: each for each in found}
        built = (self._build(change, pending.get(change.key)) for change in self.changes)
        pieces = [piece for piece in built if piece]
        _join_batches(pieces)
        stale = [pending[change.key].pk for change in self.changes if change.key in pending]
        for first in range(0, len(stale), _BATCH):
            News.objects.filter(pk__in=stale[first : first + _BATCH]).delete()
        News.objects.bulk_create(pieces, batch_size=_BATCH)

    def _build(self, change: Change, piece: News | None) -> News | None:
        """Return what is told of an occasion of which a piece may be pending."""
        former, after = change.before.state, change.after.state
        before = OccasionState.load(piece.before) if piece else former
        kind = find_news(before, after, self.moment)
        since = datetime.fromisoformat(piece.facts["since"]) if piece else self.moment
        mark = change.after.mark if change.is_told(since) else ChangeMark()
        if kind is None or not (mark.at or kind in {NewsKind.NEW, NewsKind.WITHDRAWN}):
            return None
        return News(
            kind=kind,
            edit_id=self.edit,
            event_id=change.event["id"],
            occasion_id=change.key,
            appears_at=self.moment if self._is_soon(before, after) else self.moment + DELAY,
            before=piece.before if piece else self._dump(before),
            after=self._dump(after),
            facts={name.removesuffix("_id"): change.event[name] for name in _FACTS}
            | {"since": min(since, mark.at or since).isoformat()},
            note_sv=mark.note.sv,
            note_en=mark.note.en,
        )

    def _is_soon(self, *states: OccasionState | None) -> bool:
        return any(state and state.end > self.moment >= state.start - SOON for state in states)

    def _dump(self, state: OccasionState | None) -> dict[str, Any]:
        if state is None:
            return {}
        names = self.locations.get(state.location), self.rooms.get(state.room)
        return state.dump() | {"place": ", ".join(filter(None, names))}


def _join_batches(pieces: list[News]) -> None:
    """Let what is one entry appear as one: at once, if some of it does."""
    for kind, number in Counter(piece.kind for piece in pieces).items():
        if number > MOST_SINGLE:
            alike = [piece for piece in pieces if piece.kind == kind]
            first = min(piece.appears_at for piece in alike)
            for piece in alike:
                piece.appears_at = first


def _load_latest(model: Any, keys: Iterable[int | None]) -> dict[Any, str]:
    """Return the names of rows as they are, or were before they were deleted."""
    known = [key for key in keys if key]
    versions = select_latest(model.history.filter(id__in=known)).values_list("id", "name") if known else ()
    return dict(versions)


def sweep_news(instant: datetime) -> int:
    """Delete news that readers are no longer shown; return how many pieces there were."""
    old = News.objects.filter(appears_at__lt=instant - KEPT)
    # On PostgreSQL the revision moves with a statement that deletes, even if it finds no row.
    return old.delete()[0] if old.exists() else 0
