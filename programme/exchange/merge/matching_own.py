"""Find the stored events and occasions that those of a sheet of this service are, by their identities.

Pure, like programme.exchange.merge.matching.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from feeds.names import fold
from programme.exchange.merge.matching import Matches, OwnedOccasion, group_by
from programme.exchange.values import ScheduledEvent
from programme.models.parsing import parse_int


def find_own_events(
    events: Sequence[ScheduledEvent], known: Sequence[Any], occasions: Sequence[Any]
) -> dict[int, Any]:
    """Return which known event each of the events is, by its place in the sequence.

    It is the one that has most of its occasions; else the one with its number and title, because another
    database may have given the number to another event; else the only one with its title.
    """
    by_pk = {event.pk: event for event in known}
    owners = {str(occasion.uuid): occasion.event_id for occasion in occasions}
    by_title = group_by(known, lambda event: fold(event.title))
    matches: Matches[ScheduledEvent] = Matches(events)

    def with_its_occasions(event: ScheduledEvent) -> list[Any]:
        owned = Counter(owners[each.guid] for each in event.occasions if each.guid in owners)
        return [by_pk[pk] for pk, _count in owned.most_common()]

    def with_number(event: ScheduledEvent) -> list[Any]:
        row = by_pk.get(parse_int(event.key))
        return [row] if row and fold(row.title) == fold(event.title) else []

    def the_last_with_title(event: ScheduledEvent) -> list[Any]:
        left = [row for row in by_title[fold(event.title)] if row.pk not in matches.claimed]
        return left if len(left) == 1 else []

    for candidates in (with_its_occasions, with_number, the_last_with_title):
        matches.claim(candidates)
    return matches.found


def find_own_occasions(occasions: Sequence[OwnedOccasion], known: Sequence[Any]) -> dict[int, Any]:
    """Return which known occasion each of the occasions is: by identity, else by event and start.

    Of several rows with one identity the others were copied from the first, or from the one at its time.
    """
    by_uuid = {str(row.uuid): row for row in known}
    by_start = {(row.event_id, row.start): row for row in known}
    matches: Matches[OwnedOccasion] = Matches(occasions)

    def with_identity(owned: OwnedOccasion) -> list[Any]:
        row = by_uuid.get(owned[1].guid)
        return [row] if row else []

    def of_event_at_its_start(owned: OwnedOccasion) -> list[Any]:
        row = by_start.get((owned[0], owned[1].start))
        return [row] if row else []

    matches.claim(with_identity, lambda row, owned: row.start == owned[1].start)
    matches.claim(with_identity)
    matches.claim(of_event_at_its_start)
    return matches.found
