"""The index of a programme: finds the occasions of a selection."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from feeds.names import fold
from feeds.search import SearchIndex
from feeds.selection import NAMED, NO_SUB_AREA, PARAMETERS, DateKeyword, Selection
from feeds.vocabulary import Area, EventType, Language, LanguageCode, Occasion, Organizer, SubArea, Text
from feeds.wording import WORDS

# Selections with more values are not cached: they can be combined without end, and a key of thousands
# would take more memory than its response.
MAX_VALUES = 50


class NameIndex:
    def __init__(self) -> None:
        self.spelled: dict[str, str] = {}
        self.shown: dict[str, Text] = {}
        self.positions: defaultdict[str, set[int]] = defaultdict(set)

    def add(self, key: str, spelled: str, shown: str | Text, *positions: int) -> None:
        """Add positions to a folded name, with its spelling in canonical selections and in titles."""
        self.spelled.setdefault(key, spelled)
        self.shown.setdefault(key, Text(shown) if isinstance(shown, str) else shown)
        self.positions[key].update(positions)

    def canonical(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return names in the programme's spelling, sorted, each once.

        Unknown names are left out, as they select nothing; but not all of them, which would select
        everything.
        """
        requested = {fold(name): name.strip() for name in sorted(names)}
        known = {self.spelled[key] for key in requested if key in self.spelled}
        return tuple(sorted(known or requested.values()))

    def find(self, names: Iterable[str]) -> frozenset[int]:
        return frozenset().union(*(self.positions.get(fold(name), ()) for name in names))

    def knows(self, names: Iterable[str]) -> bool:
        return any(fold(name) in self.positions for name in names)

    def titles(self, names: Iterable[str], language: LanguageCode) -> list[str]:
        shown = (self.shown.get(fold(name), Text(name)) for name in names)
        # An ID and a name may stand for the same.
        return list(dict.fromkeys(each.within(language) for each in shown))


class SelectionIndex:
    """Finds occasions by their position in the programme's order; `days` are their festival days."""

    def __init__(
        self, areas: tuple[Area, ...], occasions: tuple[Occasion, ...], days: Iterable[date]
    ) -> None:
        self.areas = areas
        self.occasions = occasions
        self._names_by_parameter: dict[str, NameIndex] = {}
        self.starts = [occasion.start for occasion in occasions]
        self.by_day: defaultdict[date, list[int]] = defaultdict(list)
        for position, day in enumerate(days):
            self.by_day[day].append(position)

    def canonical(self, selection: Selection) -> Selection:
        names: dict[str, Any] = {
            field: self._names(PARAMETERS[field]).canonical(getattr(selection, field))
            for field in NAMED
            if getattr(selection, field)
        }
        # Unknown IDs are left out as unknown names are.
        chosen = set(selection.chosen)
        return replace(
            selection,
            moments=tuple(sorted(set(selection.moments))),
            days=tuple(sorted(set(selection.days))),
            words=tuple(sorted(set(selection.words))),
            chosen=tuple(sorted(chosen & self._by_id.keys() or chosen)),
            **names,
        )

    def find(self, selection: Selection, now: datetime, today: date) -> tuple[Occasion, ...]:
        found = [self._names(key).find(names) for key, names in selection.named().items() if names]
        if selection.moments or selection.days:
            found.append(self._dated(selection, now, today))
        if selection.highlighted:
            found.append(self._highlighted)
        if selection.sign_interpreted:
            found.append(self._sign_interpreted)
        if selection.words:
            found.append(self._searchable.find(selection.words))
        if selection.chosen:
            found.append(frozenset(self._by_id[each] for each in selection.chosen if each in self._by_id))
        if not found:
            return self.occasions
        return tuple(self.occasions[position] for position in sorted(frozenset.intersection(*found)))

    def is_known(self, selection: Selection) -> bool:
        """Return whether a selection names things in the programme, and not too many.

        Others may not be cached, as readers can invent names, days and words without end.
        """
        if selection.words or selection.chosen:
            return False
        if sum(map(len, (selection.moments, selection.days, *selection.named().values()))) > MAX_VALUES:
            return False
        if not all(self._names(key).knows(names) for key, names in selection.named().items() if names):
            return False
        if selection.moments or not selection.days:
            return True
        return any(days.first <= day <= days.last for days in selection.days for day in self.by_day)

    def titles(self, selection: Selection) -> list[str]:
        words = WORDS[selection.language]
        titles = [getattr(words, moment) for moment in selection.moments]
        titles += [days.label(selection.language) for days in selection.days]
        for key, names in selection.named().items():
            shown = self._names(key).titles(names, selection.language) if names else []
            titles += [
                words.no_sub_area if key == "subarea" and title == NO_SUB_AREA else title for title in shown
            ]
        titles += [words.quoted.format(each) for each in selection.words]
        marks = {
            words.highlighted: selection.highlighted,
            words.sign_interpreted: selection.sign_interpreted,
            words.chosen: selection.chosen,
        }
        return [*titles, *(mark for mark, is_set in marks.items() if is_set)]

    def _names(self, parameter: str) -> NameIndex:
        if parameter not in self._names_by_parameter:
            self._names_by_parameter[parameter] = self._collect_names(parameter)
        return self._names_by_parameter[parameter]

    def _collect_names(self, parameter: str) -> NameIndex:
        # Names that are known even without occasions: those of all areas, and `none`.
        always = {"area": self.areas, "subarea": (None,)}.get(parameter, ())
        positions: dict[Any, list[int]] = {bearer: [] for bearer in always}
        bearer_of, entries = _NAMED_BY[parameter]
        for position, occasion in enumerate(self.occasions):
            positions.setdefault(bearer_of(occasion), []).append(position)
        names = NameIndex()
        for bearer, found in positions.items():
            for entry in entries(bearer):
                names.add(*entry, *found)
        return names

    @cached_property
    def _highlighted(self) -> frozenset[int]:
        return frozenset(
            position for position, occasion in enumerate(self.occasions) if occasion.event.highlighted
        )

    @cached_property
    def _sign_interpreted(self) -> frozenset[int]:
        return frozenset(
            position for position, occasion in enumerate(self.occasions) if occasion.event.sign_interpreted
        )

    @cached_property
    def _by_id(self) -> dict[int, int]:
        return {occasion.id: position for position, occasion in enumerate(self.occasions)}

    @cached_property
    def _searchable(self) -> SearchIndex:
        return SearchIndex(self.occasions)

    def _dated(self, selection: Selection, now: datetime, today: date) -> frozenset[int]:
        tomorrow = date.fromordinal(today.toordinal() + 1)
        ways: dict[DateKeyword, Callable[[], Iterable[int]]] = {
            DateKeyword.TODAY: lambda: self._on(today, today),
            DateKeyword.TOMORROW: lambda: self._on(tomorrow, tomorrow),
            DateKeyword.NOW: lambda: self._running(now),
            DateKeyword.UPCOMING: lambda: range(bisect_right(self.starts, now), len(self.starts)),
        }
        return frozenset().union(
            *(ways[moment]() for moment in selection.moments),
            *(self._on(days.first, days.last) for days in selection.days),
        )

    def _on(self, first: date, last: date) -> Iterator[int]:
        for day, positions in self.by_day.items():
            if first <= day <= last:
                yield from positions

    def _running(self, now: datetime) -> Iterator[int]:
        begun = range(bisect_right(self.starts, now))
        return (position for position in begun if now < self.occasions[position].end)


# What `NameIndex.add` takes: the folded name, its canonical spelling, and how titles show it.
Entry = tuple[str, str, str | Text]


def _area_entries(area: Area) -> Iterator[Entry]:
    for name in (area.name, area.full_name):
        yield fold(name), area.name, area.name


def _sub_area_entries(sub_area: SubArea | None) -> Iterator[Entry]:
    for name in (sub_area.name, sub_area.full_name) if sub_area else (NO_SUB_AREA,):
        yield fold(name), name, name


def _room(occasion: Occasion) -> str | None:
    return occasion.place.room.name if occasion.place and occasion.place.room else None


def _room_entries(name: str | None) -> Iterator[Entry]:
    if name is not None:
        yield fold(name), name, name


def _organizer_entries(organizer: Organizer | None) -> Iterator[Entry]:
    if organizer:
        yield str(organizer.id), str(organizer.id), organizer.name
        # Digits are an ID: such a name cannot be selected.
        if not _is_id(organizer.name):
            yield fold(organizer.name), organizer.name, organizer.name


def _type_entries(event_type: EventType) -> Iterator[Entry]:
    yield str(event_type.id), str(event_type.id), event_type.name
    for name in filter(None, (event_type.name.sv, event_type.name.en)):
        if not _is_id(name):
            yield fold(name), str(event_type.id), event_type.name


def _language_entries(language: Language | None) -> Iterator[Entry]:
    if language:
        yield fold(language.code), language.code, language.name


def _is_id(name: str) -> bool:
    return name.isascii() and name.isdigit()


# What has the names of each parameter in an occasion, and the entries of those names.
_NAMED_BY: dict[str, tuple[Callable[[Occasion], Any], Callable[[Any], Iterator[Entry]]]] = {
    "area": (lambda occasion: occasion.event.area, _area_entries),
    "subarea": (lambda occasion: occasion.event.sub_area, _sub_area_entries),
    "room": (_room, _room_entries),
    "organizer": (lambda occasion: occasion.event.organizer, _organizer_entries),
    "type": (lambda occasion: occasion.event.type, _type_entries),
    "spoken": (lambda occasion: occasion.event.language, _language_entries),
}
