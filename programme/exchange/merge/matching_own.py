"""Which events and occasions a sheet of our own means: occasions by their identities, events by theirs.

Pure, like programme.exchange.merge.matching.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from feeds.names import fold
from programme.exchange.merge.matching import Matches
from programme.exchange.values import ScheduledEvent, ScheduledOccasion
from programme.models.parsing import parse_int


def match_our_events(
    events: Sequence[ScheduledEvent], known: Sequence[Any], occasions: Sequence[Any]
) -> dict[int, Any]:
    """Return which of the events (by their place in the sequence) are which of those known.

    That of which most of its occasions are; else the one with its number and title, which another database
    may have given to another event; else the only one with its title.
    """
    by_pk = {event.pk: event for event in known}
    owners = {str(occasion.uuid): occasion.event_id for occasion in occasions}
    by_title = defaultdict(list)
    for event in known:
        by_title[fold(event.title)].append(event)
    matches = Matches(len(events))

    def owning(event: ScheduledEvent) -> list[Any]:
        owned = Counter(owners[each.guid] for each in event.occasions if each.guid in owners)
        return [by_pk[pk] for pk, _count in owned.most_common()]

    def with_number(event: ScheduledEvent) -> list[Any]:
        row = by_pk.get(parse_int(event.key))
        return [row] if row and fold(row.title) == fold(event.title) else []

    def only_one_left(event: ScheduledEvent) -> list[Any]:
        left = [row for row in by_title[fold(event.title)] if row.pk not in matches.claimed]
        return left if len(left) == 1 else []

    for candidates in (owning, with_number, only_one_left):
        matches.claim(events, candidates)
    return matches.found


def match_our_occasions(
    occasions: Sequence[tuple[int | None, ScheduledOccasion]], known: Sequence[Any]
) -> dict[int, Any]:
    """Return which of the occasions are which of those known: by identity, else by event and start.

    Of several rows with one identity the others were copied from the first, or from the one at its time.
    """
    by_uuid = {str(row.uuid): row for row in known}
    by_start = {(row.event_id, row.start): row for row in known}
    matches = Matches(len(occasions))

    def same(place: tuple[int | None, ScheduledOccasion]) -> list[Any]:
        row = by_uuid.get(place[1].guid)
        return [row] if row else []

    def same_and_at_its_time(place: tuple[int | None, ScheduledOccasion]) -> list[Any]:
        return [row for row in same(place) if row.start == place[1].start]

    def at_its_time(place: tuple[int | None, ScheduledOccasion]) -> list[Any]:
        row = by_start.get((place[0], place[1].start))
        return [row] if row else []

    for candidates in (same_and_at_its_time, same, at_its_time):
        matches.claim(occasions, candidates)
    return matches.found
