"""The index of a programme: finds the occasions of a selection."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import cache, cached_property
from itertools import product
from operator import attrgetter
from typing import Any, NamedTuple

from msgspec.structs import replace

from feeds.facts import SIGN_LANGUAGE, find_sought, find_tests, order_tokens, phrase_token
from feeds.festival_time import ONE_DAY, FestivalTime
from feeds.grouping import DENSE, Grouping, Occasions, Replacement, Run, unite
from feeds.name_index import NAME_PARAMETERS, NameIndex, build_list_parameter
from feeds.search import Groupings, Search, number_place
from feeds.selection import NAMED, NO_SUB_AREA, PARAMETERS, DateKeyword, DayRange, Selection, find_days
from feeds.vocabulary import Area, Occasion, OccasionList, Value
from feeds.wording import WORDS

# Selections with more values are not cached: their combinations are endless, and a key of thousands of
# values would take more memory than its response.
MAX_VALUES = 50
# A longer occasion is not grouped by its dates but under the key LONG.
LONGEST_LISTED = timedelta(days=31)
LONG = None
NIGHT_ENDS = time(6)

by_start = attrgetter("start")

# By parameter: the IDs of merged rows, each with the ID of the row that it was merged into.
Merged = Mapping[str, Mapping[int, int]]


class Criterion(NamedTuple):
    """A condition of a selection: the occasions that meet it, as runs in display order, and its test.

    If it is not `exact`, only some occasions of the runs meet it.
    """

    runs: Sequence[Occasions]
    matches: Callable[[Occasion], bool]
    exact: bool = True

    @property
    def size(self) -> int:
        return sum(map(len, self.runs))


def any_of(criteria: list[Criterion]) -> Criterion:
    if len(criteria) == 1:
        return criteria[0]
    runs = [run for criterion in criteria for run in criterion.runs]
    exact = all(criterion.exact for criterion in criteria)
    return Criterion(runs, lambda occasion: any(criterion.matches(occasion) for criterion in criteria), exact)


@dataclass(eq=False)
class SelectionIndex:
    """Finds the occasions of selections in groups, which are built on first use."""

    areas: tuple[Area, ...]
    occasions: Occasions
    festival: FestivalTime
    merged: Merged = field(default_factory=dict)
    lists: tuple[OccasionList, ...] = ()
    name_indexes: dict[str, NameIndex] = field(default_factory=dict, init=False)
    groupings: dict[str, Grouping[Any]] = field(default_factory=dict, init=False)

    def inherit(self, before: "SelectionIndex", removed: Occasions, added: Occasions) -> "SelectionIndex":
        """Return this index with the groups of a former index, updated for the occasions that differ."""
        by_id = self.by_id = before.by_id.copy()
        for occasion in removed:
            del by_id[occasion.id]
        by_id |= {occasion.id: occasion for occasion in added}
        replacement = Replacement(removed, added, before.by_id, by_id)
        # Copied, because readers' threads add to them.
        for name, grouping in before.groupings.copy().items():
            self.groupings[name] = grouping.replace(replacement)
        for parameter, names in before.name_indexes.copy().items():
            # Lists refer to occasions, so changed lists need a new index of names.
            if parameter != "list" or self.lists == before.lists:
                self.name_indexes[parameter] = names.replace(self._always(parameter), replacement)
        if "search" in vars(before):
            self.search = before.search.replace(self._searched, replacement)
        return self

    @cached_property
    def by_id(self) -> dict[int, Occasion]:
        return {occasion.id: occasion for occasion in self.occasions}

    @property
    def by_event(self) -> Grouping[int]:
        return self._group("event", lambda occasion: (occasion.event.id,))

    @property
    def by_place(self) -> Grouping[int]:
        """The occasions at each place, by its number."""
        return self._group("place", lambda each: (number_place(each.place),) if each.place else ())

    @property
    def by_day(self) -> Grouping[date]:
        """The occasions of each festival day with any."""
        festival = self.festival
        return self._group("day", lambda occasion: (festival.span(occasion.start, occasion.end).day,))

    @cached_property
    def search(self) -> Search:
        return Search.build(self._searched)

    @property
    def _searched(self) -> Groupings:
        return self.by_event, self.by_place, self.by_fact

    def find_having(self, parameter: str, thing: Value) -> Occasions:
        """Return the occasions of a value of a parameter: an area, an organizer."""
        return self._named(parameter).groups.get(thing) or ()

    def count_days(self, parameter: str, thing: Value) -> dict[date, int]:
        """Return the number of the occasions of a value on each festival day with any."""
        span, bearers_of = self.festival.span, self.find_bearers_of(parameter)
        groups = self._group(
            f"day of {parameter}", lambda each: product(bearers_of(each), (span(each.start, each.end).day,))
        )
        return {day: len(groups[thing, day]) for day in self.by_day if (thing, day) in groups}

    def find_bearers_of(self, parameter: str) -> Callable[[Occasion], Iterable[Any]]:
        """Return the function from an occasion to its values of a parameter."""
        return self._named(parameter).parameter.bearers_of

    def canonical(self, selection: Selection) -> Selection:
        names: dict[str, Any] = {
            field: self._named(PARAMETERS[field]).canonical(self._follow(field, getattr(selection, field)))
            for field in NAMED
            if getattr(selection, field)
        }
        for name in ("moments", "days", "after", "words"):
            names[name] = tuple(sorted(set(getattr(selection, name))))
        # Unknown IDs are left out as unknown names are.
        chosen = set(selection.chosen)
        return replace(
            selection,
            during=tuple(sorted(set(selection.during), key=lambda each: (isinstance(each, DayRange), each))),
            chosen=tuple(sorted(chosen & self.by_id.keys() or chosen)),
            facts=order_tokens(selection.facts),
            **names,
        )

    def _follow(self, field: str, names: tuple[str, ...]) -> Iterable[str]:
        """Return names, with the IDs of merged rows replaced by the IDs of the rows that remain."""
        merged = self.merged.get(PARAMETERS[field], {})
        return (str(merged.get(int(name), name)) if name.isdecimal() else name for name in names)

    def find(self, selection: Selection, now: datetime, today: date) -> tuple[Occasion, ...]:
        criteria = sorted(self._criteria(selection, now, today), key=attrgetter("size"))
        found: Iterable[Occasion] = self._meet(criteria[0]) if criteria else self.occasions
        for criterion in criteria[1:]:
            found = filter(criterion.matches, found)
        return tuple(found)

    def build_test(self, selection: Selection, now: datetime, today: date) -> Callable[[Occasion], bool]:
        """Return the test of whether an occasion meets a selection."""
        tests = [each.matches for each in self._criteria(selection, now, today)]
        return lambda occasion: all(test(occasion) for test in tests)

    def _meet(self, criterion: Criterion) -> Iterable[Occasion]:
        """Return the occasions that meet a criterion, in display order."""
        if not criterion.exact:
            runs = (tuple(filter(criterion.matches, run)) for run in criterion.runs)
            criterion = Criterion([run for run in runs if run], criterion.matches)
        if len(criterion.runs) == 1:
            return criterion.runs[0]
        if criterion.size * DENSE > len(self.occasions):
            return filter(criterion.matches, self.occasions)
        return unite(criterion.runs)

    def _criteria(self, selection: Selection, now: datetime, today: date) -> Iterator[Criterion]:
        for parameter, names in selection.named().items():
            if names:
                yield self._bearing(parameter, names)
        if selection.within:
            yield self._bearing("list", (selection.within,))
        yield from self._criteria_of_time(selection, now, today)
        if selection.highlighted:
            is_set = attrgetter("event.highlighted")
            highlighted = self._group("highlighted", lambda each: (True,) if is_set(each) else ())
            yield Criterion([highlighted.get(True) or ()], is_set)
        if selection.sign_interpreted:
            yield self._stating(SIGN_LANGUAGE.__eq__)
        for test in find_tests(selection.facts):
            yield self._stating(test)
        if selection.chosen:
            yield self._identified(self.by_id.keys() & selection.chosen)
        if selection.words:
            yield self._identified(self.search.find(selection.words))

    def _criteria_of_time(self, selection: Selection, now: datetime, today: date) -> Iterator[Criterion]:
        if selection.moments or selection.days:
            moments = [self._at(moment, now, today) for moment in selection.moments]
            yield any_of([*moments, *(self._on(days.first, days.last) for days in selection.days)])
        if selection.during:
            asked = (find_days(each, today) for each in selection.during)
            yield any_of([self._during(each, selection.after) for each in asked])
        elif selection.after:
            yield Criterion([self.occasions], build_hour_test(self.festival, selection.after), exact=False)

    def _identified(self, ids: set[int]) -> Criterion:
        # Two runs, because the IDs are not in display order.
        return Criterion([Run([*ids], self.by_id), ()], lambda occasion: occasion.id in ids)

    def _bearing(self, parameter: str, names: Iterable[str]) -> Criterion:
        index = self._named(parameter)
        bearers_of, bearers = index.parameter.bearers_of, index.find(names)
        runs = [index.groups[bearer] for bearer in bearers if bearer in index.groups]
        return Criterion(runs, lambda occasion: not bearers.isdisjoint(bearers_of(occasion)))

    def _stating(self, is_wanted: Callable[[str], bool]) -> Criterion:
        runs = [group for token, group in self.by_fact.items() if is_wanted(token)]
        return Criterion(runs, lambda occasion: any(map(is_wanted, find_sought(occasion.facts))))

    @property
    def by_fact(self) -> Grouping[str]:
        """The occasions that are found by each token of a fact."""
        return self._group("fact", lambda occasion: find_sought(occasion.facts))

    def _at(self, moment: DateKeyword, now: datetime, today: date) -> Criterion:
        match moment:
            case DateKeyword.TODAY | DateKeyword.TOMORROW:
                days = find_days(moment, today)
                return self._on(days.first, days.last)
            case DateKeyword.NOW:
                return self._running(now)
            case DateKeyword.UPCOMING:
                upcoming = self.occasions[bisect_right(self.occasions, now, key=by_start) :]
                return Criterion([upcoming], lambda occasion: occasion.start > now)

    def _on(self, first: date, last: date) -> Criterion:
        span = self.festival.span
        runs = [group for day, group in self.by_day.items() if first <= day <= last]
        return Criterion(runs, lambda occasion: first <= span(occasion.start, occasion.end).day <= last)

    def _during(self, days: DayRange, hours: tuple[int, ...]) -> Criterion:
        begun, goes_on = self._on(days.first, days.last), build_day_test(self.festival, days.first)
        is_late = build_hour_test(self.festival, hours, days.first) if hours else lambda _occasion: True
        before = self._running(self.festival.day_begins(days.first))
        return Criterion(
            [*before.runs, *begun.runs],
            lambda occasion: (begun.matches(occasion) or goes_on(occasion)) and is_late(occasion),
            exact=False,
        )

    def _running(self, now: datetime) -> Criterion:
        dates = self._group("dates", _list_dates)

        def is_running(occasion: Occasion) -> bool:
            return occasion.start <= now < occasion.end

        near = (tuple(filter(is_running, dates.get(key) or ())) for key in (now.date(), LONG))
        return Criterion([tuple(unite(near))], is_running)

    def find_lists(self, selection: Selection) -> set[OccasionList]:
        return self.find_named("list", tuple(filter(None, (*selection.lists, selection.within))))

    def find_named(self, parameter: str, names: tuple[str, ...]) -> set[Any]:
        """Return the values of a parameter with any of the names."""
        return self._named(parameter).find(names) if names else set()

    def is_known(self, selection: Selection) -> bool:
        """Return whether a selection has only values of the programme, and not too many."""
        if selection.words or selection.chosen:
            return False
        named = selection.named().values()
        asked = (selection.moments, selection.days, selection.during, selection.after, selection.facts)
        if sum(map(len, (*asked, *named))) > MAX_VALUES:
            return False
        if not all(any(map(test, self.by_fact)) for test in find_tests(selection.facts)):
            return False
        if not all(self._named(key).knows(names) for key, names in selection.named().items() if names):
            return False
        days = [each for each in (*selection.days, *selection.during) if isinstance(each, DayRange)]
        if selection.depends_on_time or not days:
            return True
        return any(each.first <= day <= each.last for each in days for day in self.by_day)

    def titles(self, selection: Selection) -> list[str]:
        words = WORDS[selection.language]
        titles = [
            each.label(selection.language) if isinstance(each, DayRange) else getattr(words, each)
            for each in (*selection.moments, *selection.days, *selection.during)
        ]
        titles += [words.after.format(hour) for hour in selection.after]
        if selection.within:
            titles += self._named("list").titles((selection.within,), selection.language)
        for key, names in selection.named().items():
            shown = self._named(key).titles(names, selection.language) if names else []
            titles += [
                words.no_sub_area if key == "subarea" and title == NO_SUB_AREA else title for title in shown
            ]
        titles += [words.quoted.format(each) for each in selection.words]
        titles += [phrase_token(each).within(selection.language) for each in selection.facts]
        marks = {
            words.highlighted: selection.highlighted,
            words.sign_interpreted: selection.sign_interpreted,
            words.chosen: selection.chosen,
        }
        return [*titles, *(mark for mark, is_set in marks.items() if is_set)]

    def _named(self, parameter: str) -> NameIndex:
        if parameter not in self.name_indexes:
            declared = NAME_PARAMETERS.get(parameter) or build_list_parameter(self.lists)
            groups = Grouping.build(declared.bearers_of, self.occasions, self.by_id)
            self.name_indexes[parameter] = NameIndex.build(declared, self._always(parameter), groups)
        return self.name_indexes[parameter]

    def _always(self, parameter: str) -> tuple[Any, ...]:
        """Return the values that are known without occasions: areas, lists, and None as a sub area."""
        return {"area": self.areas, "subarea": (None,), "list": self.lists}.get(parameter, ())

    def _group(self, name: str, keys_of: Callable[[Occasion], Iterable[Any]]) -> Grouping[Any]:
        if name not in self.groupings:
            self.groupings[name] = Grouping.build(keys_of, self.occasions, self.by_id)
        return self.groupings[name]


def _list_dates(occasion: Occasion) -> Iterable[date | None]:
    """Return the dates, in UTC, on which an occasion takes place; `LONG` where there are too many to list."""
    first, last = occasion.start.date(), occasion.end.date()
    if last - first > LONGEST_LISTED:
        return (LONG,)
    return (first + ONE_DAY * days for days in range((last - first).days + 1))


# --- Occasions that continue from an earlier day, and occasions after an hour ---------------------


def build_day_test(festival: FestivalTime, day: date) -> Callable[[Occasion], bool]:
    """Return the test of whether an occasion that began before a festival day continues on it.

    An occasion of the evening before that ends in the night does not.
    """
    begins, morning = festival.day_begins(day), festival.instant(day, NIGHT_ENDS)

    def goes_on(occasion: Occasion) -> bool:
        if not occasion.start < begins < occasion.end:
            return False
        return occasion.end > morning or festival.is_long(occasion.start, occasion.end)

    return goes_on


def build_hour_test(
    festival: FestivalTime, hours: Iterable[int], first: date = date.min
) -> Callable[[Occasion], bool]:
    """Return the test of whether an occasion begins or continues after one of some hours.

    The hours are of the occasion's festival day, or of `first` if that is later.
    """
    clocks = [*map(time, hours)]

    @cache
    def find_moments(day: date) -> list[datetime]:
        return [datetime.combine(festival.calendar_date(day, each), each, festival.zone) for each in clocks]

    def is_on(occasion: Occasion) -> bool:
        span = festival.span(occasion.start, occasion.end)
        moments = find_moments(max(span.day, first))
        return any(each <= span.start or each < span.end for each in moments)

    return is_on
