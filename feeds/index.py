"""The index of a programme: finds the occasions of a selection."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

from msgspec.structs import replace

from feeds.festival_time import ONE_DAY, FestivalTime
from feeds.name_index import NAME_PARAMETERS, NameIndex, search
from feeds.selection import NAMED, NO_SUB_AREA, PARAMETERS, DateKeyword, DayRange, Selection
from feeds.vocabulary import Area, Occasion, Occasions
from feeds.wording import WORDS

# Selections with more values are not cached: they can be combined without end, and a key of thousands
# would take more memory than its response.
MAX_VALUES = 50

Key = TypeVar("Key")
# Whether an occasion meets what a selection demands.
Test = Callable[[Occasion], bool]


def group(occasions: Occasions, key_of: Callable[[Occasion], Key]) -> dict[Key, Occasions]:
    groups: dict[Key, list[Occasion]] = {}
    for occasion in occasions:
        groups.setdefault(key_of(occasion), []).append(occasion)
    return {key: tuple(grouped) for key, grouped in groups.items()}


class SelectionIndex:
    """Finds the occasions of selections; names are looked up once they are asked for."""

    def __init__(self, areas: tuple[Area, ...], occasions: Occasions, festival: FestivalTime) -> None:
        self.areas = areas
        self.occasions = occasions
        self.festival = festival
        self._names: dict[str, NameIndex] = {}

    @cached_property
    def by_id(self) -> dict[int, Occasion]:
        return {occasion.id: occasion for occasion in self.occasions}

    @cached_property
    def by_day(self) -> dict[date, Occasions]:
        """The occasions of each festival day with any."""
        return group(self.occasions, self._day_of)

    def _day_of(self, occasion: Occasion) -> date:
        return self.festival.span(occasion.start, occasion.end).day

    def canonical(self, selection: Selection) -> Selection:
        names: dict[str, Any] = {
            field: self._named(PARAMETERS[field]).canonical(getattr(selection, field))
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
            chosen=tuple(sorted(chosen & self.by_id.keys() or chosen)),
            **names,
        )

    def find(self, selection: Selection, now: datetime, today: date) -> Occasions:
        found: Iterable[Occasion] = self.occasions
        for test in self._tests(selection, now, today):
            found = filter(test, found)
        return tuple(found)

    def _tests(self, selection: Selection, now: datetime, today: date) -> Iterator[Test]:
        if selection.chosen:
            chosen = frozenset(selection.chosen)
            yield lambda occasion: occasion.id in chosen
        for parameter, names in selection.named().items():
            if names:
                yield self._test_names(parameter, names)
        if selection.highlighted:
            yield attrgetter("event.highlighted")
        if selection.sign_interpreted:
            yield attrgetter("event.sign_interpreted")
        if selection.moments or selection.days:
            yield self._test_dates(selection, now, today)
        # Last, because it takes longest.
        if selection.words:
            yield search(selection.words)

    def _test_names(self, parameter: str, names: Iterable[str]) -> Test:
        bearer_of = NAME_PARAMETERS[parameter].bearer_of
        bearers = self._named(parameter).find(names)
        return lambda occasion: bearer_of(occasion) in bearers

    def _test_dates(self, selection: Selection, now: datetime, today: date) -> Test:
        ranges = [*selection.days]
        tests: list[Test] = []
        for moment in selection.moments:
            match moment:
                case DateKeyword.TODAY:
                    ranges.append(DayRange(today, today))
                case DateKeyword.TOMORROW:
                    ranges.append(DayRange(today + ONE_DAY, today + ONE_DAY))
                case DateKeyword.NOW:
                    tests.append(lambda occasion: occasion.start <= now < occasion.end)
                case DateKeyword.UPCOMING:
                    tests.append(lambda occasion: occasion.start > now)
        days = {day for day in self.by_day for each in ranges if each.first <= day <= each.last}
        tests.append(lambda occasion: self._day_of(occasion) in days)
        return lambda occasion: any(test(occasion) for test in tests)

    def is_known(self, selection: Selection) -> bool:
        """Return whether a selection names things in the programme, and not too many.

        Others may not be cached, as readers can invent names, days and words without end.
        """
        if selection.words or selection.chosen:
            return False
        if sum(map(len, (selection.moments, selection.days, *selection.named().values()))) > MAX_VALUES:
            return False
        if not all(self._named(key).knows(names) for key, names in selection.named().items() if names):
            return False
        if selection.moments or not selection.days:
            return True
        return any(days.first <= day <= days.last for days in selection.days for day in self.by_day)

    def titles(self, selection: Selection) -> list[str]:
        words = WORDS[selection.language]
        titles = [getattr(words, moment) for moment in selection.moments]
        titles += [days.label(selection.language) for days in selection.days]
        for key, names in selection.named().items():
            shown = self._named(key).titles(names, selection.language) if names else []
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

    def _named(self, parameter: str) -> NameIndex:
        if parameter not in self._names:
            # What has a name even without occasions: all areas, and nothing (`none`) as a sub area.
            always = {"area": self.areas, "subarea": (None,)}.get(parameter, ())
            self._names[parameter] = NameIndex(NAME_PARAMETERS[parameter], always, self.occasions)
        return self._names[parameter]
