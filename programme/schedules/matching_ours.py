"""Which events and occasions a sheet of our own means: occasions by their identities, events by theirs.

Pure, like programme.schedules.matching.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from feeds.names import fold
from programme.schedules.values import ScheduledEvent, ScheduledOccasion


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
    found: dict[int, Any] = {}
    claimed: set[int] = set()

    def claim(place: int, row: Any) -> None:
        if row is not None and place not in found and row.pk not in claimed:
            found[place] = row
            claimed.add(row.pk)

    for place, event in enumerate(events):
        owning = Counter(owners[each.guid] for each in event.occasions if each.guid in owners)
        for pk, _count in owning.most_common():
            claim(place, by_pk[pk])
    for place, event in enumerate(events):
        row = by_pk.get(int(event.key)) if event.key.isdecimal() else None
        claim(place, row if row and fold(row.title) == fold(event.title) else None)
    for place, event in enumerate(events):
        same = [row for row in by_title[fold(event.title)] if row.pk not in claimed]
        claim(place, same[0] if len(same) == 1 else None)
    return found


def match_our_occasions(
    occasions: Sequence[tuple[int | None, ScheduledOccasion]], known: Sequence[Any]
) -> dict[int, Any]:
    """Return which of the occasions are which of those known: by identity, else by event and start.

    Of several rows with one identity the others were copied from the first, or from the one at its time.
    """
    by_uuid = {str(row.uuid): row for row in known}
    by_start = {(row.event_id, row.start): row for row in known}
    found: dict[int, Any] = {}
    claimed: set[int] = set()

    def claim(place: int, row: Any) -> None:
        if row is not None and place not in found and row.pk not in claimed:
            found[place] = row
            claimed.add(row.pk)

    for place, (_event, each) in enumerate(occasions):
        row = by_uuid.get(each.guid)
        claim(place, row if row and row.start == each.start else None)
    for place, (_event, each) in enumerate(occasions):
        claim(place, by_uuid.get(each.guid))
    for place, (event, each) in enumerate(occasions):
        claim(place, by_start.get((event, each.start)))
    return found
