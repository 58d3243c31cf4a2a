"""Which events and occasions of a schedule the programme has already.

Pure: the programme's events and occasions are anything with their attributes. Stored identifiers:

* of an event its key; where several events bore the same, `KEY =DIGEST` with a digest of the title;
* of an occasion its guid; `GUID #2` and so on where several have the same; and without a guid its
  event's identifier and a number: `KEY @1`.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Protocol

from feeds.names import fold
from programme.exchange.values import ScheduledEvent, ScheduledOccasion

_SPLIT = re.compile(r" =[0-9a-f]{12}~*$")
_REPEATED = re.compile(r" #[0-9]+$")
_NUMBERED = re.compile(r" @[0-9]+$")


class KnownEvent(Protocol):
    """An event that was imported before."""

    pk: int
    source_id: str
    title: str


class KnownOccasion(Protocol):
    """An occasion that was imported before."""

    pk: int
    source_id: str
    event_id: int
    start: datetime


def key_of(source_id: str) -> str:
    """Return an event's key of its stored identifier."""
    return _SPLIT.sub("", source_id)


def guid_of(source_id: str) -> str:
    """Return an occasion's guid of its stored identifier, '' where it has none."""
    return "" if _NUMBERED.search(source_id) else _REPEATED.sub("", source_id)


def free_id(source_id: str, taken: set[str]) -> str:
    """Return an event's identifier, made different from those that are taken; it is taken now."""
    while source_id in taken:
        source_id += "~"
    taken.add(source_id)
    return source_id


def free_occasion_id(guid: str, event_id: str, taken: set[str]) -> str:
    """Return an identifier for an occasion that no other has; it is taken now."""
    source_id, number = guid or f"{event_id} @1", 1
    while source_id in taken:
        number += 1
        source_id = f"{guid} #{number}" if guid else f"{event_id} @{number}"
    taken.add(source_id)
    return source_id


def match_events(
    events: Sequence[ScheduledEvent],
    known: Sequence[KnownEvent],
    occasions: Iterable[KnownOccasion],
) -> dict[int, Any]:
    """Return which of the events (by their place in the sequence) are which of those known.

    What is surest goes first, and no known event is two of the file's.
    """
    by_pk = {event.pk: event for event in known}
    owners: dict[str, list[KnownEvent]] = defaultdict(list)
    for occasion in occasions:
        if occasion.event_id in by_pk:
            owners[guid_of(occasion.source_id)].append(by_pk[occasion.event_id])

    def owning(event: ScheduledEvent) -> list[KnownEvent]:
        return [owner for occasion in event.occasions if occasion.guid for owner in owners[occasion.guid]]

    keys = _grouped(known, lambda event: key_of(event.source_id))
    exact = _grouped(known, lambda event: event.source_id)
    matches = Matches(len(events))

    def same_key(event: ScheduledEvent) -> list[KnownEvent]:
        return [candidate for candidate in owning(event) if key_of(candidate.source_id) == event.key]

    def same_title(event: ScheduledEvent) -> list[KnownEvent]:
        return [candidate for candidate in keys[event.key] if fold(candidate.title) == fold(event.title)]

    def only_one_left(event: ScheduledEvent) -> list[KnownEvent]:
        left = [candidate for candidate in keys[event.key] if candidate.pk not in matches.claimed]
        alone = left and sum(other.key == event.key for other in matches.without(events)) == 1
        return left if alone and len(left) == 1 else []

    matches.claim(events, same_key)
    matches.claim(events, lambda event: exact[event.source_id])
    matches.claim(events, same_title)
    matches.claim(events, only_one_left)
    # The source has given the event another identifier, and its occasion kept the guid.
    matches.claim(events, owning)
    return matches.found


def match_occasions(
    occasions: Sequence[tuple[int | None, ScheduledOccasion]], known: Sequence[KnownOccasion]
) -> dict[int, Any]:
    """Return which of the occasions (by their place in the sequence) are which of those known.

    Each comes with the primary key of its event, None where that is new. Where a guid stands for
    several occasions, and where there is none, the start tells them apart, else their order.
    """
    ordered = sorted(known, key=lambda occasion: (occasion.start, occasion.source_id))
    by_guid = _grouped(ordered, lambda occasion: guid_of(occasion.source_id))
    by_event = _grouped(ordered, lambda occasion: occasion.event_id)
    matches = Matches(len(occasions))

    def same_guid(place: tuple[int | None, ScheduledOccasion]) -> list[KnownOccasion]:
        return by_guid[place[1].guid] if place[1].guid else []

    def without_guid(place: tuple[int | None, ScheduledOccasion]) -> list[KnownOccasion]:
        """Of the same event, where either side has no guid that could tell."""
        event, occasion = place
        return [
            candidate
            for candidate in by_event[event]
            if not occasion.guid or not guid_of(candidate.source_id)
        ]

    for candidates in (same_guid, without_guid):
        matches.claim(
            occasions, lambda place, among=candidates: _at_same_time(place, among(place), same_event=True)
        )
        matches.claim(occasions, lambda place, among=candidates: _at_same_time(place, among(place)))
        matches.claim(occasions, candidates)
    return matches.found


def _at_same_time(
    place: tuple[int | None, ScheduledOccasion], candidates: list[KnownOccasion], *, same_event: bool = False
) -> list[KnownOccasion]:
    event, occasion = place
    return [
        candidate
        for candidate in candidates
        if candidate.start == occasion.start and (candidate.event_id == event or not same_event)
    ]


class Matches:
    """Pairs found so far: the places of what is looked for, and the rows claimed."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.found: dict[int, Any] = {}
        self.claimed: set[int] = set()

    def without(self, wanted: Sequence[Any]) -> list[Any]:
        return [wanted[place] for place in range(self.count) if place not in self.found]

    def claim(self, wanted: Sequence[Any], candidates: Callable[[Any], Iterable[Any]]) -> None:
        """Give each that has no match yet the first of its candidates that is nobody's."""
        for place in range(self.count):
            if place in self.found:
                continue
            for candidate in candidates(wanted[place]):
                if candidate.pk not in self.claimed:
                    self.found[place] = candidate
                    self.claimed.add(candidate.pk)
                    break


def _grouped(rows: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    groups: dict[Any, list[Any]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups
