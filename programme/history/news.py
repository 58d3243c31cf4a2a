"""The news of an edit, written in its transaction.

A piece of news is pending until it appears: later edits of its occasion are merged into it, and if the
occasion returns to its former state, the piece is dropped unless it has a note. `find_news` decides which
change is news.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import msgspec
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from msgspec.structs import replace

from feeds.marks import MARKING, Mark
from feeds.news import MOST_SINGLE, SHOWN_FOR, NewsState
from feeds.vocabulary import Text
from programme.history.batches import RowState, load_rows
from programme.history.versions import DELETED, select_latest
from programme.models import Edit, Editing, Event, Location, News, NewsKind, Occasion, Revision, Room, Status
from programme.models.news import find_news, load_state
from programme.models.querysets import split
from programme.models.telling import NO_NOTE, Telling, is_told

# The delay between an edit and its news in feeds, and the time before an occasion in which there is none.
DELAY, SOON = timedelta(minutes=5), timedelta(hours=24)
# How long news is stored: longer than it is shown.
KEPT = SHOWN_FOR + timedelta(days=30)

# The columns that determine the published state of an occasion, and those of the facts of its news.
_SEEN: dict[Any, tuple[str, ...]] = {
    Event: ("status",),
    Occasion: ("event_id", "start", "end", "cancelled", "location_id", "room_id"),
}
_FACTS = ("title", "area_id", "sub_area_id", "type_id", "organizer_id")
_READ: dict[Any, Any] = {Event: ("id", *_SEEN[Event], *_FACTS), Occasion: ("id", *_SEEN[Occasion])}

Pair = tuple[RowState, RowState]

_BATCH = 500
# The kinds that are told even if the editor declines news.
_ALWAYS = {NewsKind.NEW, NewsKind.WITHDRAWN}


class Side(NamedTuple):
    """An occasion and its event, before an edit or after it."""

    occasion: RowState
    event: RowState

    @property
    def state(self) -> NewsState | None:
        """The published state, None if it is not published."""
        occasion, event = self
        if not occasion or not event or event["status"] != Status.PUBLISHED:
            return None
        return NewsState(*(occasion[name] for name in _SEEN[Occasion][1:]))


def build_side(occasion: Occasion) -> Side:
    """Return the side of an occasion and its event in memory."""
    rows: Any = ((occasion, Occasion), (occasion.event, Event))
    return Side(*({name: getattr(row, name) for name in _READ[model]} for row, model in rows))


class PublicChange(NamedTuple):
    """A public occasion before and after an edit."""

    key: int
    before: Side
    after: Side

    @property
    def is_public(self) -> bool:
        return any(side.event and side.event["status"] == Status.PUBLISHED for side in self[1:])

    @property
    def states(self) -> tuple[NewsState | None, NewsState | None]:
        return self.before.state, self.after.state

    @property
    def event(self) -> dict[str, Any]:
        return self.after.event or self.before.event or {}


def write_news(editing: QuerySet[Editing], taken: timedelta) -> None:
    """Write the news of the edit in progress, and change or delete the pending news of its occasions.

    `taken` is the duration of the edit, during which pending pieces may have appeared.
    """
    written = [Exists(model.history.filter(edit=OuterRef("edit"))) for model in _READ]
    for edit, moment, stored, *is_written in editing.values_list("edit", "edit__moment", "telling", *written):
        telling = Telling.load(stored)
        noted = {*telling.about, *telling.notes} if telling.tells else set()
        changes = _load_changes(edit, *is_written) if any(is_written) else []
        changes += load_unchanged(noted - {change.key for change in changes})
        if changes:
            number, instant = (edit, moment) if edit else create_edit(editing)
            Newsroom(number, instant, instant + taken, telling, changes).write()


def create_edit(editing: QuerySet[Editing]) -> tuple[int, datetime]:
    """Create the edit in progress, before it has written anything; return its ID and moment."""
    [row] = editing
    names = ("user_id", "name", "reason", "detail")
    edit = Edit.objects.create(moment=row.moment or Now(), **{name: getattr(row, name) for name in names})
    edit.refresh_from_db(fields=["moment"])
    editing.update(edit=edit)
    return edit.pk, edit.moment


# --- Changes of published states -----------------------------------------------------------------


def _load_changes(edit: int, has_events: bool, has_occasions: bool) -> list[PublicChange]:
    """Return the changes of public occasions, in six queries at most."""
    events = _load_pairs(Event, edit) if has_events else {}
    occasions = _load_pairs(Occasion, edit) if has_occasions else {}
    return find_changes(events, occasions, Event.history.filter(edit=edit).values("id"))


def find_changes(events: dict[int, Pair], occasions: dict[int, Pair], owners: Any) -> list[PublicChange]:
    """Return the changes of public occasions; `owners` are their events or a query for them."""
    if turned := {key for key, pair in events.items() if differ(Event, pair)}:
        unwritten = Occasion.objects.filter(event__in=owners).values(*_READ[Occasion])
        occasions = {row["id"]: (row, row) for row in unwritten if row["event_id"] in turned} | occasions
    changed = {
        key: pair
        for key, pair in occasions.items()
        if differ(Occasion, pair) or turned.intersection(row["event_id"] for row in pair if row)
    }
    return _join_events(changed, events)


def load_unchanged(keys: Collection[int]) -> list[PublicChange]:
    """Return occasions that an edit has not changed but has a note about."""
    rows = Occasion.objects.filter(pk__in=keys).values(*_READ[Occasion]) if keys else ()
    return _join_events({row["id"]: (row, row) for row in rows}, {})


def _join_events(occasions: dict[int, Pair], events: dict[int, Pair]) -> list[PublicChange]:
    others = {row["event_id"] for pair in occasions.values() for row in pair if row} - events.keys()
    found = Event.objects.filter(pk__in=others).values(*_READ[Event])
    events |= {row["id"]: (row, row) for row in found}
    none = None, None
    changes = []
    for key, pair in sorted(occasions.items()):
        owners = (events.get(row["event_id"], none)[side] if row else None for side, row in enumerate(pair))
        changes.append(PublicChange(key, *map(Side, pair, owners)))
    return [change for change in changes if change.is_public]


def _load_pairs(model: Any, edit: int) -> dict[int, Pair]:
    """Return rows before and after an edit; an unknown former state counts as unchanged."""
    rows = load_rows(model, edit, names=_READ[model])
    return {key: (row.before if row.is_known else row.after, row.after) for key, row in rows.items()}


def differ(model: Any, pair: Pair) -> bool:
    """Return whether the published columns of a row differ."""
    before, after = ([row[name] for name in _SEEN[model]] if row else None for row in pair)
    return before != after


# --- Pieces of news ------------------------------------------------------------------------------


@dataclass
class Newsroom:
    """Plans the pieces of news of an edit from its changes, its telling and the pending pieces."""

    edit: int
    moment: datetime
    ended_at: datetime
    telling: Telling
    changes: list[PublicChange]

    def __post_init__(self) -> None:
        rows = [side.occasion for change in self.changes for side in change[1:] if side.occasion]
        self.rooms = _load_latest(Room, {row["room_id"] for row in rows})
        self.locations = _load_latest(Location, {row["location_id"] for row in rows})
        # A note is about moved and cancelled occasions, else about the chosen ones that take place.
        moves, about = any(is_told(*each.states, self.moment) for each in self.changes), {*self.telling.about}
        states = {each.key: each.after.state for each in self.changes if each.key in about}
        active = {key for key, state in states.items() if state and not state.cancelled} or states.keys()
        chosen = frozenset(() if moves else active) | self.telling.notes.keys()
        self.noted = chosen if self.telling.tells else frozenset()
        # Of what comes back readers were told that it is withdrawn.
        self.gone: set[int] = set()

    def write(self) -> None:
        pieces, stale = self.plan()
        for some in split(stale, _BATCH):
            News.objects.filter(pk__in=some).delete()
        News.objects.bulk_create(pieces, batch_size=_BATCH)

    def plan(self) -> tuple[list[News], list[int]]:
        """Return all pieces, and the IDs of the pending ones that they replace."""
        keys = [change.key for change in self.changes]
        pending: dict[int, list[News]] = defaultdict(list)
        for some in split(keys, _BATCH):
            unseen = Q(appears_at__gt=self.ended_at) | Q(appears_at=None)
            for piece in News.objects.filter(unseen | Q(kind=NewsKind.WITHDRAWN), occasion_id__in=some):
                if piece.appears_at and piece.appears_at <= self.ended_at:
                    self.gone.add(piece.occasion_id)
                else:
                    pending[piece.occasion_id].append(piece)
        pending = {key: _choose_pending(found) for key, found in pending.items()}
        pieces = [piece for each in self.changes for piece in self._tell(each, pending.get(each.key, []))]
        self._join(pieces)
        return pieces, [piece.pk for found in pending.values() for piece in found]

    def _tell(self, change: PublicChange, pending: list[News]) -> list[News]:
        """Return the pieces of an occasion, which replace its pending ones."""
        before, after = change.states
        new = next((each for each in pending if each.kind == NewsKind.NEW), None)
        piece = next((each for each in pending if each is not new), None)
        if new and after is None:
            # Its addition has not appeared yet.
            return []
        own = find_news(before, after, self.moment)
        is_noted = change.key in self.noted and after is not None and after.end > self.moment
        # Whether the edit itself has news, not only the pending pieces.
        tells = own in _ALWAYS or is_noted or (self.telling.tells and own is not None)
        kind: str | None = own
        if piece:
            is_note = piece.kind == NewsKind.CHANGED and (own is None or (own in MARKING and not tells))
            kind = piece.kind if is_note else find_news(load_state(piece.before), after, self.moment)
        note = self.telling.notes.get(change.key, self.telling.note) if tells else None
        if kind is None and (is_noted or note):
            kind = NewsKind.CHANGED
        if kind in _ALWAYS:
            is_wanted = not new and not self.telling.forgets
        else:
            is_wanted = tells or (piece is not None and piece.kind == kind)
        pieces = [self._build(change, NewsKind.NEW, new)] if new else []
        if kind and is_wanted:
            pieces.append(self._build(change, kind, piece, note))
        if len(pieces) > 1:
            # Only one appears in feeds: the addition, or the cancellation of a new occasion.
            pieces[kind != NewsKind.CANCELLED].appears_at = None
        return pieces

    def _build(self, change: PublicChange, kind: str, piece: News | None, note: Text | None = None) -> News:
        """Return a piece; with `note` None, the pending one with its state replaced."""
        before = piece.before if piece else self._dump(change.before.state)
        built = _create_piece(change.key, change.event, kind, self.edit, self.moment)
        built.before, built.after = before, self._dump(change.after.state)
        if kind == NewsKind.NEW and change.key in self.gone:
            built.facts["restored"] = True
        is_soon = any(
            state and state.end > self.moment >= state.start - SOON
            for state in (load_state(before), change.after.state)
        )
        built.appears_at = self.moment if is_soon else self.moment + DELAY
        if piece and note is None:
            built.edit_id, built.told_at = piece.edit_id, piece.told_at
            if piece.entry != piece.uuid:
                # The pieces of an entry appear together.
                built.entry, built.appears_at = piece.entry, piece.appears_at or built.appears_at
        if kind in MARKING:
            # Without a new note, a pending piece of the kind retains its own.
            if piece and not note and piece.kind in {kind, NewsKind.CHANGED}:
                note = Text(piece.note_sv, piece.note_en)
            built.note_sv, built.note_en = (note or NO_NOTE).sv, (note or NO_NOTE).en
        return built

    def _dump(self, state: NewsState | None) -> Any:
        if state is None:
            return {}
        names = self.locations.get(state.location), self.rooms.get(state.room)
        return msgspec.to_builtins(replace(state, place=", ".join(filter(None, names))))

    def _join(self, pieces: list[News]) -> None:
        """Join many pieces of a kind, and those of one note, into an entry that appears with the first."""
        kinds: dict[str, list[News]] = defaultdict(list)
        for piece in pieces:
            if piece.edit_id == self.edit and piece.entry == piece.uuid and piece.appears_at:
                kinds[piece.kind].append(piece)
        for kind, alike in kinds.items():
            is_note = kind == NewsKind.CHANGED and not self.telling.notes
            if len(alike) > (1 if is_note else MOST_SINGLE):
                entry, first = uuid4(), min(filter(None, (piece.appears_at for piece in alike)))
                for piece in alike:
                    piece.entry, piece.appears_at = entry, first


def _choose_pending(unseen: list[News]) -> list[News]:
    """Return the pieces that have yet to appear, and the hidden ones that belong to such pieces."""
    coming = {each.kind: each.told_at for each in unseen if each.appears_at}
    new, is_cancelled = coming.get(NewsKind.NEW), NewsKind.CANCELLED in coming
    return [
        each
        for each in unseen
        if each.appears_at or (is_cancelled if each.kind == NewsKind.NEW else new and new <= each.told_at)
    ]


def _create_piece(key: int, event: dict[str, Any], kind: str, edit: int, told_at: datetime) -> News:
    """Return a piece that is an entry of its own, with the present facts of the event."""
    uuid, facts = uuid4(), {name.removesuffix("_id"): event[name] for name in _FACTS}
    keys = {"edit_id": edit, "event_id": event["id"], "occasion_id": key}
    return News(uuid=uuid, entry=uuid, kind=kind, told_at=told_at, facts=facts, **keys)


def _load_latest(model: Any, keys: Iterable[int | None]) -> dict[Any, str]:
    """Return the latest names of rows, also of deleted ones."""
    return dict(select_latest(model.history.filter(id__in=set(keys) - {None})).values_list("id", "name"))


# --- Imported marks ------------------------------------------------------------------------------


def build_pieces(marks: Iterable[tuple[Occasion, Mark]], edit: int) -> Iterator[News]:
    """Yield pieces that give occasions, with events and places in memory, the marks of another service."""
    for row, mark in marks:
        if mark.changed_at is None:
            continue
        moves = mark.previous_start or mark.previous_place
        start = mark.previous_start or row.start
        place = row.location_id, row.room_id
        # Only the name of the former place is known; 0 is no ID.
        former = (None if row.location_id else 0, None) if mark.previous_place else place
        former_place = mark.previous_place or row.place_name
        before = NewsState(start, row.end + (start - row.start), False, *former, former_place)
        after = NewsState(row.start, row.end, row.cancelled, *place, row.place_name)
        kind = NewsKind.CANCELLED if row.cancelled else NewsKind.MOVED if moves else NewsKind.CHANGED
        piece = _create_piece(row.pk, build_side(row).event or {}, kind, edit, mark.changed_at)
        piece.appears_at = mark.changed_at
        piece.before, piece.after = msgspec.to_builtins([before, after])
        piece.note_sv, piece.note_en = mark.change_info.sv, mark.change_info.en
        yield piece


# --- After the edit ------------------------------------------------------------------------------


def take_back(pieces: QuerySet[News], instant: datetime) -> int:
    """Delete news, and with it the marks; return the number of pieces.

    With the news of a withdrawal that of the addition is deleted, unless the occasion is published again.
    `withdrawn_at` is set, so that the time stamps of feeds do not go back.
    """
    withdrawn = pieces.filter(kind=NewsKind.WITHDRAWN).values("occasion_id")
    shown = Occasion.objects.filter(pk=OuterRef("occasion_id"), event__status=Status.PUBLISHED)
    new = News.objects.filter(~Exists(shown), kind=NewsKind.NEW, occasion_id__in=withdrawn)
    if number := new.delete()[0] + pieces.delete()[0]:
        Revision.objects.update(withdrawn_at=instant)
    return number


def select_news(edit: int) -> QuerySet[News]:
    """Return the news of an edit, and the news pending at its moment of occasions that it wrote."""
    moment = Edit.objects.filter(pk=edit).values("moment")[:1]
    written = Occasion.history.filter(edit=edit).values("id")
    pending = Q(edit_id__lt=edit, appears_at__gt=moment, occasion_id__in=written)
    return News.objects.filter(Q(edit_id=edit) | pending)


def list_untold(edit: Edit, instant: datetime) -> tuple[list[PublicChange], bool]:
    """Return the unannounced changes of an edit whose occasions have not changed since.

    Also return whether the edit reverted any change before it was announced.
    """
    told = set(select_news(edit.pk).values_list("occasion_id", flat=True))
    changes = [each for each in _load_changes(edit.pk, True, True) if each.key not in told]
    unchanged = load_unchanged({each.key for each in changes})
    present = {(each.key, each.event["id"]): each.after.state for each in unchanged}
    left = {
        each.key: each
        for each in changes
        if find_news(*each.states, instant) and present.get((each.key, each.event["id"])) == each.after.state
    }
    unnoticed = _find_unnoticed(edit, left)
    untold = [each for each in left.values() if each.key not in unnoticed and is_told(*each.states, instant)]
    return untold, bool(unnoticed)


def _find_unnoticed(edit: Edit, changes: Mapping[int, PublicChange]) -> set[int]:
    """Return the occasions that have the state from before their last announcement."""
    if not changes:
        return set()
    since = Edit.objects.values_list("moment", flat=True).get(pk=edit.pk) - DELAY
    told = News.objects.filter(occasion_id__in=changes, told_at__gt=since, edit_id__lt=edit.pk)
    ids: dict[Any, list[int]] = {Occasion: [*changes], Event: [each.event["id"] for each in changes.values()]}
    known: dict[Any, dict[int, Any]] = {}
    for model, found in ids.items():
        earlier = select_latest(model.history.filter(id__in=found, history_date__lte=since))
        known[model] = {row["id"]: row for row in earlier.exclude(history_type=DELETED).values(*_READ[model])}
    same = {
        key
        for key, each in changes.items()
        if Side(known[Occasion].get(key), known[Event].get(each.event["id"])).state == each.after.state
    }
    return same.difference(told.values_list("occasion_id", flat=True))


def find_since(edit: Edit, key: int) -> list[PublicChange]:
    """Return the change of an occasion from before an edit to the present."""
    before = next(each.before for each in _load_changes(edit.pk, True, True) if each.key == key)
    return [change._replace(before=before) for change in load_unchanged({key})]


def tell(edit: Edit, changes: list[PublicChange], note: Text, instant: datetime) -> None:
    """Write the news of changes of a former edit now."""
    Newsroom(edit.pk, instant, instant, Telling(note=note), changes).write()


def correct_note(entry: UUID, note: Text) -> None:
    """Replace the note of an entry without changing its identity, states and dates."""
    News.objects.filter(entry=entry, kind__in=MARKING).update(note_sv=note.sv, note_en=note.en)


def sweep_news(instant: datetime) -> int:
    """Delete old news of additions and of deleted occasions; return the number of pieces.

    Other news of existing occasions remains, because their marks are read from it.
    """
    gone = ~Exists(Occasion.objects.filter(pk=OuterRef("occasion_id")))
    old = News.objects.filter(Q(kind=NewsKind.NEW) | Q(gone), told_at__lt=instant - KEPT)
    # On PostgreSQL the revision moves with a statement that deletes, even if it finds no row.
    return old.delete()[0] if old.exists() else 0
