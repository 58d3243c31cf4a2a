"""News: announced changes of occasions. Its values do not change when the occasion does."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Any, TypeVar
from uuid import UUID

from feeds import vocabulary
from feeds.index import SelectionIndex
from feeds.names import order_name

SHOWN_FOR = timedelta(days=60)
# News that is older than the newest by more than this is not shown again.
KEPT_FOR = SHOWN_FOR + timedelta(days=1)
# If one edit changes more occasions in the same way, they are one entry.
MOST_SINGLE = 10
NEVER = datetime.max.replace(tzinfo=UTC)


class NewsState(vocabulary.Value, frozen=True):
    """The time and place of an occasion as published: IDs, and the name of the place."""

    start: datetime
    end: datetime
    cancelled: bool = False
    location: int | None = None
    room: int | None = None
    place: str = ""

    @property
    def minutes(self) -> tuple[datetime, datetime]:
        """The start and end in whole minutes, as readers see them."""
        start, end = (each.replace(second=0, microsecond=0) for each in (self.start, self.end))
        return start, end

    @property
    def seen(self) -> tuple[object, ...]:
        """The time and place as readers see them."""
        return *self.minutes, self.location, self.room


class NewsFacts(vocabulary.Value, frozen=True):
    """The properties of an occasion when its news was announced, as IDs of rows that may be deleted."""

    title: str = ""
    area: int | None = None
    sub_area: int | None = None
    type: int | None = None
    organizer: int | None = None
    # Whether its withdrawal was announced before.
    restored: bool = False


class News(vocabulary.Value, frozen=True):
    """A piece of news about one occasion; a state is None where the occasion was not published.

    Pieces with the same `entry` are one entry; that of a single piece is its own UUID. A mark shows it from
    `told_at` on, and feeds from `appears_at` on, which may be `NEVER`.
    """

    uuid: UUID
    entry: UUID
    kind: vocabulary.NewsKind
    edit_id: int
    event_id: int
    occasion_id: int
    told_at: datetime
    appears_at: datetime
    before: NewsState | None
    after: NewsState | None
    facts: NewsFacts
    note: vocabulary.Text

    @property
    def states(self) -> tuple[NewsState, ...]:
        return tuple(filter(None, (self.before, self.after)))

    @property
    def latest(self) -> NewsState:
        """The latest published state."""
        return self.states[-1]

    @property
    def told_as(self) -> vocabulary.NewsKind:
        """The kind; `cancelled` for new and changed occasions that are, `reinstated` for restored ones."""
        if self.kind in {"new", "changed"} and self.latest.cancelled:
            return "cancelled"
        return "reinstated" if self.facts.restored else self.kind

    @property
    def ends(self) -> datetime:
        return self.appears_at + SHOWN_FOR

    @property
    def instants(self) -> Iterator[datetime]:
        """The instants at which time changes the selections that show it."""
        yield from (self.appears_at, self.ends)
        for state in self.states:
            yield from (state.start, state.end)

    @property
    def order(self) -> tuple[timedelta, int, str, str, datetime, str, int, str]:
        """The sort key: the newest first, and the pieces of an entry together."""
        told = NEVER - self.appears_at, -self.edit_id, self.kind
        together = str(self.entry) if self.entry != self.uuid else ""
        piece = self.latest.start, order_name(self.facts.title), self.occasion_id, str(self.uuid)
        return *told, together, *piece


def choose_newest(ordered: Sequence[News]) -> tuple[News, ...]:
    """Return the news, given in order, without news too old to be shown."""
    oldest = ordered[0].appears_at - KEPT_FOR if ordered else NEVER
    return tuple(ordered[: bisect_left(ordered, True, key=lambda each: each.appears_at <= oldest)])


class NewsEntry(vocabulary.Value, frozen=True):
    """An entry of feeds and pages: a piece of news, or the selected pieces of a batch."""

    pieces: tuple[News, ...]

    @property
    def id(self) -> UUID:
        return self.first.entry

    @property
    def first(self) -> News:
        return self.pieces[0]

    @property
    def is_batch(self) -> bool:
        return len(self.pieces) > 1

    @property
    def note(self) -> vocabulary.Text:
        """The note that all pieces share, else an empty one."""
        notes = {each.note for each in self.pieces}
        return notes.pop() if len(notes) == 1 else vocabulary.Text()


# --- The occasions of news ----------------------------------------------------------------------

Known = TypeVar("Known", bound=vocabulary.Value)
Things = Mapping[tuple[Any, int | None], Any]


def index_news(
    index: SelectionIndex, news: tuple[News, ...], gone: Mapping[int, vocabulary.Identity]
) -> SelectionIndex:
    """Return an index of the occasions of news: published ones, and former ones in their latest state."""
    last = {each.occasion_id: each for each in reversed(news) if each.occasion_id not in index.by_id}
    if not last:
        return index
    events, places = ({*map(attrgetter(name), index.occasions)} for name in ("event", "place"))
    parts = (thing for each in events for thing in (each.sub_area, each.type, each.organizer))
    named = (*index.areas, *parts, *(each.room for each in places if each))
    things = {(type(each), each.id): each for each in named if each}
    former = [_build_former(each, gone.get(key), things) for key, each in last.items()]
    every = (*index.occasions, *former)
    found = SelectionIndex(index.areas, every, index.festival, index.merged, index.lists)
    return found.inherit(index, (), former)


def _build_former(news: News, known: vocabulary.Identity | None, things: Things) -> vocabulary.Occasion:
    """Return an occasion that is gone, with only the properties that filters need."""

    def find(kind: Callable[[int], Known], key: int | None) -> Known | None:
        return None if key is None else things.get((kind, key)) or kind(key)

    facts, state = news.facts, news.latest
    event = vocabulary.Event(
        id=news.event_id,
        area=find(vocabulary.Area, facts.area) or vocabulary.Area(0),
        sub_area=find(vocabulary.SubArea, facts.sub_area),
        title=facts.title,
        organizer=find(vocabulary.Organizer, facts.organizer),
        type=find(vocabulary.EventType, facts.type) or vocabulary.EventType(0),
    )
    place = vocabulary.Place(
        vocabulary.Location(state.location or 0, state.place), things.get((vocabulary.Room, state.room))
    )
    identity = known or vocabulary.Identity(news.occasion_id, news.uuid, news.event_id)
    return vocabulary.Occasion(identity, event, state.start, state.end, state.cancelled, place, None)
