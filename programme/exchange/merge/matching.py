"""Match the events and occasions of a schedule with stored ones.

Pure: the programme's events and occasions are anything with their attributes. Stored identifiers:

* of an event its key; where several events bore the same, `KEY =DIGEST` with a digest of the title; and where
  one of another edition has it, too, `KEY =000000000001` and so on;
* of an occasion its guid; `GUID #2` and so on where several have the same; and without a guid its
  event's identifier and a number: `KEY @1`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, count
from typing import Any, Generic, TypeVar

from feeds.names import fold
from programme.exchange.values import ScheduledEvent, ScheduledOccasion, group_by
from programme.models import Event, Occasion
from programme.models.parsing import parse_int

_SPLIT = re.compile(r"(?: =[0-9a-f]{12}~*)+$")
_AGAIN = re.compile(r" =0{6}[0-9a-f]{6}$")
_REPEATED = re.compile(r" #[0-9]+$")
_NUMBERED = re.compile(r" @[0-9]+$")


Wanted = TypeVar("Wanted")
# An occasion with the primary key of its event, None where that is new.
OwnedOccasion = tuple[int | None, ScheduledOccasion]


def parse_event_key(source_id: str) -> str:
    return _SPLIT.sub("", source_id)


def parse_guid(source_id: str) -> str:
    """Return the guid in an occasion's stored identifier, '' where it has none."""
    return "" if _NUMBERED.search(source_id) else _REPEATED.sub("", source_id)


def parse_event_id(source_id: str) -> str:
    """Return the identifier that an event has in its file."""
    return _AGAIN.sub("", source_id)


def claim_event_id(source_id: str, taken: set[str]) -> str:
    """Return an identifier for an event that no other has, and add it to those that are taken."""
    return _claim(source_id, (f"{source_id} ={number:012x}" for number in count(1)), taken)


def claim_occasion_id(guid: str, event_id: str, taken: set[str]) -> str:
    numbered = f"{guid} #" if guid else f"{event_id} @"
    return _claim(guid or f"{event_id} @1", (f"{numbered}{number}" for number in count(2)), taken)


def _claim(first: str, others: Iterable[str], taken: set[str]) -> str:
    claimed = next(each for each in chain([first], others) if each not in taken)
    taken.add(claimed)
    return claimed


def find_events(
    events: Sequence[ScheduledEvent], known: Sequence[Event], occasions: Iterable[Occasion]
) -> dict[int, Any]:
    """Return which known event each of the events is, by its place in the sequence.

    The surest matches go first, and each known event is matched once.
    """
    by_pk = {event.pk: event for event in known}
    owners: dict[str, list[Event]] = defaultdict(list)
    for occasion in occasions:
        if occasion.event_id in by_pk:
            owners[parse_guid(occasion.source_id)].append(by_pk[occasion.event_id])
    by_key = group_by(known, lambda event: parse_event_key(event.source_id))
    by_source_id = group_by(known, lambda event: event.source_id)
    matches: Matches[ScheduledEvent] = Matches(events)

    def with_its_occasions(event: ScheduledEvent) -> list[Event]:
        return [owner for occasion in event.occasions if occasion.guid for owner in owners[occasion.guid]]

    matches.claim(with_its_occasions, lambda row, event: parse_event_key(row.source_id) == event.key)
    matches.claim(lambda event: by_source_id[event.source_id])
    matches.claim(lambda event: by_key[event.key], lambda row, event: fold(row.title) == fold(event.title))
    unmatched = Counter(event.key for place, event in enumerate(events) if place not in matches.found)
    matches.claim(lambda event: matches.find_last(by_key[event.key]) if unmatched[event.key] == 1 else ())
    # The source has given the event another identifier, and its occasion kept the guid.
    matches.claim(with_its_occasions)
    return matches.found


def find_occasions(
    occasions: Sequence[OwnedOccasion],
    known: Sequence[Occasion],
    is_same: Callable[[Any, ScheduledOccasion], bool] = lambda _row, _occasion: False,
) -> dict[int, Any]:
    """Return which known occasion each of the occasions is, by its place in the sequence.

    Where a guid stands for several occasions, and where there is none, one that `is_same` goes first. Else
    their starts distinguish them, and their order only if nothing else does.
    """
    ordered = sorted(known, key=lambda occasion: (occasion.start, occasion.source_id))
    by_guid = group_by(ordered, lambda occasion: parse_guid(occasion.source_id))
    by_event = group_by(ordered, lambda occasion: occasion.event_id)
    matches: Matches[OwnedOccasion] = Matches(occasions)

    def of_event_without_guid(owned: OwnedOccasion) -> list[Occasion]:
        event, occasion = owned
        return [row for row in by_event[event] if not (occasion.guid and parse_guid(row.source_id))]

    for candidates in (lambda owned: by_guid.get(owned[1].guid or None, []), of_event_without_guid):
        matches.claim(candidates, lambda row, owned: row.event_id == owned[0] and is_same(row, owned[1]))
        matches.claim(candidates, lambda row, owned: row.event_id == owned[0] and row.start == owned[1].start)
        matches.claim(candidates, lambda row, owned: row.start == owned[1].start)
        matches.claim(candidates)
    return matches.found


class Matches(Generic[Wanted]):
    """The matches found so far, by the places of what is wanted, and the rows claimed for them."""

    def __init__(self, wanted: Sequence[Wanted]) -> None:
        self.wanted = wanted
        self.found: dict[int, Any] = {}
        self.claimed: set[int] = set()

    def find_last(self, rows: Iterable[Any]) -> list[Any]:
        """Return the only row that is not claimed yet, if there is one."""
        left = [row for row in rows if row.pk not in self.claimed]
        return left if len(left) == 1 else []

    def claim(
        self,
        candidates: Callable[[Wanted], Iterable[Any]],
        fits: Callable[[Any, Wanted], bool] = lambda _row, _wanted: True,
    ) -> None:
        """Match each of the unmatched with the first of its candidates that fits and is not claimed yet."""
        for place, wanted in enumerate(self.wanted):
            if place not in self.found:
                for row in candidates(wanted):
                    if row.pk not in self.claimed and fits(row, wanted):
                        self.found[place] = row
                        self.claimed.add(row.pk)
                        break


def find_own_events(
    events: Sequence[ScheduledEvent], known: Sequence[Any], occasions: Sequence[Any]
) -> dict[int, Any]:
    """Return which known event each of the events is, by its place in the sequence.

    It is the one that has most of its occasions; else the one with its number and title, because another
    database may have given the number to another event; else the only one with its title.
    """
    by_pk = {event.pk: event for event in known}
    owners = {str(each.uuid): each.event_id for each in occasions if each.event_id in by_pk}
    by_title = group_by(known, lambda event: fold(event.title))
    by_number = group_by(known, lambda event: event.pk)
    matches: Matches[ScheduledEvent] = Matches(events)

    def with_its_occasions(event: ScheduledEvent) -> list[Any]:
        owned = Counter(owners[each.guid] for each in event.occasions if each.guid in owners)
        return [by_pk[pk] for pk, _count in owned.most_common()]

    matches.claim(with_its_occasions)
    matches.claim(
        lambda event: by_number[parse_int(event.key)], lambda row, event: fold(row.title) == fold(event.title)
    )
    matches.claim(lambda event: matches.find_last(by_title[fold(event.title)]))
    return matches.found


def find_own_occasions(occasions: Sequence[OwnedOccasion], known: Sequence[Any]) -> dict[int, Any]:
    """Return which known occasion each of the occasions is: by identity, else by event and start.

    Of several rows with one identity the others were copied from the first, or from the one at its time.
    """
    by_uuid = group_by(known, lambda row: str(row.uuid))
    by_start = group_by(known, lambda row: (row.event_id, row.start))
    matches: Matches[OwnedOccasion] = Matches(occasions)

    matches.claim(lambda owned: by_uuid[owned[1].guid], lambda row, owned: row.start == owned[1].start)
    matches.claim(lambda owned: by_uuid[owned[1].guid])
    matches.claim(lambda owned: by_start[owned[0], owned[1].start])
    return matches.found
