"""Finds where each row of an event is held, and the event's own place, whatever the order of the rows."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from feeds.names import fold
from programme.exchange.readers.sheet.rows import RowPlace, SheetRow, find_place


def settle_places(rows: Sequence[SheetRow]) -> tuple[RowPlace, list[RowPlace]]:
    """Return the place that most of an event's rows have, of several the first by name; and that of each row.

    A row without a title is where the row is that it continues; any other without a place is where most are.
    """
    stated = list(_continue_places(rows))
    usual = _find_usual(stated)
    return usual, [_complete(place, usual, stated) for place in stated]


def _continue_places(rows: Iterable[SheetRow]) -> Iterator[RowPlace]:
    above = RowPlace()
    for row in rows:
        place = find_place(row)
        if row.text("title") or row.text("event_id"):
            above = place
        yield place.filled_from(above)


def _find_usual(places: Iterable[RowPlace]) -> RowPlace:
    stated = list(filter(None, places))
    counts = Counter(map(_fold, stated))
    # Of several spellings the one with an address, and of these the first.
    ordered = sorted(stated, key=lambda each: (-counts[_fold(each)], _fold(each), not each.address, each))
    return ordered[0] if ordered else RowPlace()


def _complete(place: RowPlace, usual: RowPlace, stated: Iterable[RowPlace]) -> RowPlace:
    """Return a place with the address of its location, and its room, if other rows say which these are."""
    place = place.within(usual) if place else usual
    there = [each for each in stated if each and fold(each.location) == fold(place.location)]
    rooms = {fold(each.room): each.room for each in sorted(there, reverse=True) if each.room}
    room = place.room or (next(iter(rooms.values())) if len(rooms) == 1 else "")
    addressed = _find_usual(each for each in there if each.address)
    return RowPlace(place.location, place.address or addressed.address, room)


def _fold(place: RowPlace) -> tuple[str, str]:
    return fold(place.location), fold(place.room)
