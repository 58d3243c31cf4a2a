"""Coordinates of places as a file states them: what cannot be right is reported, and left out."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable

from django.utils.translation import gettext as _

from feeds.names import fold
from programme.exchange.readers.fields import Report
from programme.exchange.text.lines import truncate
from programme.exchange.values import PlaceNames
from programme.models.coordinates import Coordinates, are_swapped, parse_coordinates, read_pair


class StatedCoordinates:
    """Collects what a file states of its places; `others` are those of the places that are here."""

    def __init__(self, others: Collection[Coordinates] = ()) -> None:
        self.others = others
        self._stated: dict[PlaceNames, list[tuple[Coordinates, Report]]] = defaultdict(list)

    def note(
        self, names: PlaceNames, report: Report, latitude: str, longitude: str = "", coordinates: str = ""
    ) -> None:
        """Note what texts state of a place, any of which may be both, or the address of a map."""
        texts = ", ".join(filter(None, (latitude, longitude, coordinates)))
        if not (texts and any(names)):
            return
        first, second = read_pair(latitude, longitude)
        if first is not None and second is not None:
            found: Coordinates | None = Coordinates(first, second)
        else:
            found = parse_coordinates(coordinates)
        if why := self._refuse(found, texts):
            report(why)
        elif found:
            self._stated[names].append((found, report))

    def _refuse(self, found: Coordinates | None, texts: str) -> str:
        if found is None:
            what = _("“%(text)s” does not say where a place is: write it as 57.708870, 11.974560; left out")
            return what % {"text": truncate(texts, 60)}
        if not found.is_on_earth:
            what = _("latitude %(latitude)s and longitude %(longitude)s are nowhere on earth; left out")
        elif are_swapped(found, self.others):
            what = _("latitude %(latitude)s and longitude %(longitude)s seem to be swapped; left out")
        else:
            return ""
        return what % found._asdict()

    def settle(self) -> dict[PlaceNames, Coordinates]:
        """Return what is stated of each place, and report what most rows state otherwise."""
        usual: dict[PlaceNames, Counter[Coordinates]] = defaultdict(Counter)
        for names, stated in self._stated.items():
            usual[_identify(names)].update(each for each, _report in stated)
        chosen = {names: choose_usual(usual[_identify(names)].elements()) for names in self._stated}
        what = _("latitude %(latitude)s and longitude %(longitude)s are taken, as elsewhere for this place")
        for names, stated in self._stated.items():
            for each, report in stated:
                if each != chosen[names]:
                    report(what % chosen[names]._asdict())
        return chosen


def choose_usual(stated: Iterable[Coordinates]) -> Coordinates:
    """Return the most common ones, of several the smallest, whatever their order."""
    counts = Counter(stated)
    return min(counts, key=lambda each: (-counts[each], each))


def _identify(names: PlaceNames) -> PlaceNames:
    """Return what rooms of one location share."""
    location, address, room = map(fold, names)
    return (location, address) if location else (room,)
