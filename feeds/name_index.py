"""The names by which selections refer to areas, rooms, organizers and so on, in both languages."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from feeds.grouping import Grouping, Replacement
from feeds.layered import Layered
from feeds.names import fold
from feeds.selection import NO_SUB_AREA
from feeds.vocabulary import LanguageCode, Location, Occasion, OccasionList, Organizer, Text


class NameEntry(NamedTuple):
    """A name: folded, in its spelling in canonical selections, and as titles show it."""

    folded: str
    spelled: str
    shown: Text


class Parameter(NamedTuple):
    """A query parameter: its values in an occasion (`bearers_of`), and the names of a value (`entries`)."""

    bearers_of: Callable[[Occasion], tuple[Any, ...]]
    entries: Callable[[Any], Iterable[NameEntry]]


# By folded name: its bearers, each with its entry. Few names have several bearers.
Holders = Layered[str, dict[Hashable, NameEntry]]


class NameIndex(NamedTuple):
    """The names of one parameter. `always` are the bearers that are known without occasions, in order."""

    parameter: Parameter
    always: tuple[Any, ...]
    groups: Grouping[Any]
    holders: Holders

    @classmethod
    def build(cls, parameter: Parameter, always: tuple[Any, ...], groups: Grouping[Any]) -> "NameIndex":
        return cls(parameter, always, groups, Layered({})).reindex({*always, *groups})

    def replace(self, always: tuple[Any, ...], replacement: Replacement) -> "NameIndex":
        index = self._replace(always=always, groups=self.groups.replace(replacement))
        occasions = (*replacement.removed, *replacement.added)
        touched = {*chain.from_iterable(map(self.parameter.bearers_of, occasions))}
        if always != self.always:
            touched |= {*self.always, *always}
        return index.reindex({each for each in touched if self.has(each) != index.has(each)})

    def has(self, bearer: Hashable) -> bool:
        return bearer in self.groups or bearer in self.always

    def reindex(self, bearers: Iterable[Hashable]) -> "NameIndex":
        """Return the index with the names of some bearers added, or removed if the bearers are gone."""
        changed: dict[str, dict[Hashable, NameEntry]] = {}
        for bearer in bearers:
            for entry in self.parameter.entries(bearer):
                holders = changed.setdefault(entry.folded, {**(self.holders.find(entry.folded) or {})})
                if self.has(bearer):
                    holders.setdefault(bearer, entry)
                else:
                    holders.pop(bearer, None)
        return self._replace(holders=self.holders.derive(changed))

    def canonical(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return names in the programme's spelling, sorted, each once.

        Unknown names select nothing and are left out, unless all are unknown: no name would select
        everything.
        """
        requested = {fold(name): name.strip() for name in sorted(names)}
        known = {entry.spelled for key in requested if (entry := self._entry(key))}
        return tuple(sorted(known or requested.values()))

    def find(self, names: Iterable[str]) -> set[Any]:
        """Return the bearers of any of the names."""
        return {bearer for name in names for bearer in self.holders.find(fold(name)) or ()}

    def knows(self, names: Iterable[str]) -> bool:
        return any(fold(name) in self.holders for name in names)

    def titles(self, names: Iterable[str], language: LanguageCode) -> list[str]:
        entries = ((self._entry(fold(name)), name) for name in names)
        # An ID and a name may have the same bearer.
        return list(dict.fromkeys(entry.shown.within(language) if entry else name for entry, name in entries))

    def _entry(self, folded: str) -> NameEntry | None:
        """Return the entry of a name's first bearer in the programme's order."""
        holders = self.holders.find(folded)
        return holders[min(holders, key=self._rank)] if holders else None

    def _rank(self, bearer: Any) -> tuple[Any, ...]:
        if bearer in self.always:
            return 0, self.always.index(bearer)
        first = self.groups[bearer][0]
        return 1, first.order, [*self.parameter.bearers_of(first)].index(bearer)


def _plain_entry(name: str) -> NameEntry:
    return NameEntry(fold(name), name, Text(name))


def _id_entries(key: int, shown: Text, *, keeps_name: bool = False) -> Iterator[NameEntry]:
    yield NameEntry(str(key), str(key), shown)
    for name in filter(None, (shown.sv, shown.en)):
        # Digits are read as an ID, so such a name cannot be selected.
        if not (name.isascii() and name.isdigit()):
            yield NameEntry(fold(name), name if keeps_name else str(key), shown)


def _named_entries(bearer: Location | Organizer | None) -> Iterable[NameEntry]:
    return _id_entries(bearer.id, Text(bearer.name), keeps_name=True) if bearer else ()


NAME_PARAMETERS = {
    "area": Parameter(
        lambda occasion: (occasion.event.area,),
        lambda area: (
            NameEntry(fold(name), area.name, Text(area.name)) for name in (area.name, area.full_name)
        ),
    ),
    "subarea": Parameter(
        lambda occasion: (occasion.event.sub_area,),
        lambda area: map(_plain_entry, (area.name, area.full_name) if area else (NO_SUB_AREA,)),
    ),
    "location": Parameter(
        lambda occasion: (occasion.place.location,) if occasion.place else (), _named_entries
    ),
    "room": Parameter(
        lambda occasion: (occasion.place.room.name,) if occasion.place and occasion.place.room else (),
        lambda name: (_plain_entry(name),),
    ),
    "organizer": Parameter(lambda occasion: (occasion.event.organizer,), _named_entries),
    "type": Parameter(lambda occasion: occasion.event.types, lambda each: _id_entries(each.id, each.name)),
    "spoken": Parameter(
        lambda occasion: (occasion.event.language,),
        lambda each: (NameEntry(fold(each.code), each.code, each.name),) if each else (),
    ),
}


def build_list_parameter(lists: Iterable[OccasionList]) -> Parameter:
    """Return the parameter of lists, which refer to their occasions."""
    of_events: defaultdict[int, list[OccasionList]] = defaultdict(list)
    of_occasions: defaultdict[int, list[OccasionList]] = defaultdict(list)
    for each in lists:
        for key in each.event_ids:
            of_events[key].append(each)
        for key in each.occasion_ids:
            of_occasions[key].append(each)

    def bearers_of(occasion: Occasion) -> tuple[OccasionList, ...]:
        found = (*of_events.get(occasion.event.id, ()), *of_occasions.get(occasion.id, ()))
        return tuple(dict.fromkeys(found))

    return Parameter(bearers_of, lambda each: _id_entries(each.id, each.title))
