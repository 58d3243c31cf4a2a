"""The published programme at one revision, and what is computed from it independently of the time."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import msgspec

from feeds.festival_time import ONE_DAY, LocalSpan
from feeds.index import SelectionIndex
from feeds.vocabulary import Area, Event, Festival, GoneOccasion, Occasion, Revision, Site
from feeds.wording import is_label_changed_on

Built = TypeVar("Built")

UPDATED_FOR = timedelta(hours=36)
# A programme may hold several years of a festival.
BETWEEN_EDITIONS = timedelta(days=60)


class Counts(NamedTuple):
    """How many different events, and occasions of them."""

    events: int
    occasions: int


NOTHING = Counts(0, 0)


class Programme(msgspec.Struct, frozen=True, dict=True, weakref=True):
    """The published programme at one revision.

    `areas` and `occasions` are in display order (`Area.order`, `Occasion.order`); `gone` are the occasions
    that are no longer published, by ID; `published_years` says of each calendar year when an occasion of it
    was first published.
    """

    revision: Revision
    site: Site
    festival: Festival
    areas: tuple[Area, ...]
    occasions: tuple[Occasion, ...]
    gone: Mapping[int, GoneOccasion]
    published_years: Mapping[int, datetime] = {}

    def precompute(self) -> None:
        """Compute what the first requests need, so that no reader waits for it."""
        _ = self.index, self.by_event, self.counts, self.per_day, self.transitions

    def cached_on(self, day: date, key: Hashable, build: Callable[[], Built]) -> Built:
        """Return what `build` returns for a date; cached by key until another date is requested."""
        cached = self._daily.get(key)
        if cached is None or cached[0] != day:
            cached = self._daily[key] = (day, build())
        built: Built = cached[1]
        return built

    @cached_property
    def _daily(self) -> dict[Hashable, tuple[date, Any]]:
        return {}

    @cached_property
    def index(self) -> SelectionIndex:
        return SelectionIndex(
            self.areas, self.occasions, [self.span(occasion).day for occasion in self.occasions]
        )

    @cached_property
    def by_id(self) -> dict[int, Occasion]:
        return {occasion.id: occasion for occasion in self.occasions}

    @cached_property
    def by_event(self) -> dict[int, tuple[Occasion, ...]]:
        grouped = defaultdict(list)
        for occasion in self.occasions:
            grouped[occasion.event.id].append(occasion)
        return {event_id: tuple(occasions) for event_id, occasions in grouped.items()}

    @cached_property
    def _spans(self) -> dict[int, LocalSpan]:
        return {}

    def span(self, occasion: Occasion) -> LocalSpan:
        span = self._spans.get(occasion.id)
        if span is None:
            span = self._spans[occasion.id] = self.site.time.span(occasion.start, occasion.end)
        return span

    def edition(self, occasion: Occasion) -> tuple[datetime, datetime]:
        """Return the begin and the end of the edition of the festival that an occasion belongs to."""
        return next(each for each in self._editions if each[0] <= occasion.start <= each[1])

    @cached_property
    def _editions(self) -> list[tuple[datetime, datetime]]:
        """The editions, in order, with at least `BETWEEN_EDITIONS` without an occasion between them."""
        editions: list[tuple[datetime, datetime]] = []
        for occasion in self.occasions:
            if editions and occasion.start - editions[-1][1] < BETWEEN_EDITIONS:
                begins, ends = editions.pop()
                editions.append((begins, max(ends, occasion.end)))
            else:
                editions.append((occasion.start, occasion.end))
        return editions

    @cached_property
    def counts(self) -> dict[tuple[str, int], Counts]:
        """Counts by kind of thing and its ID.

        Kinds: `area`, `sub_area`, `organizer`, and `in_sub_areas` (by the area's ID).
        """
        counted: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
        for occasions in self.by_event.values():
            for key in _counted_in(occasions[0].event):
                counted[key].append(len(occasions))
        return {key: Counts(len(each), sum(each)) for key, each in counted.items()}

    @cached_property
    def per_day(self) -> dict[tuple[str, int], dict[date, int]]:
        """The number of occasions of each area and sub area on each festival day with any."""
        days: defaultdict[tuple[str, int], defaultdict[date, int]] = defaultdict(lambda: defaultdict(int))
        for occasion in self.occasions:
            event, day = occasion.event, self.span(occasion).day
            days["area", event.area.id][day] += 1
            if event.sub_area:
                days["sub_area", event.sub_area.id][day] += 1
        return {key: dict(counts) for key, counts in days.items()}

    @cached_property
    def transitions(self) -> tuple[datetime, ...]:
        """The instants, in order, at which time changes a response."""
        return tuple(
            sorted({*self._occasion_transitions(), *self._change_transitions(), *self._day_transitions()})
        )

    def _occasion_transitions(self) -> Iterator[datetime]:
        """`upcoming` and `now` change when an occasion starts, `now` also when it ends."""
        for occasion in self.occasions:
            yield occasion.start
            yield occasion.end

    def _change_transitions(self) -> Iterator[datetime]:
        """`updated` changes when an occasion or its event is marked as changed, and 36 hours later."""
        for changed_at in {occasion.changed_at for occasion in self.occasions}:
            if changed_at:
                yield changed_at
                yield changed_at + UPDATED_FOR

    def _day_transitions(self) -> Iterator[datetime]:
        """A festival day that begins changes `today` and `tomorrow`, and a date the label of a day."""
        festival = self.site.time
        for day in self.index.by_day:
            yield from (festival.day_begins(day + ONE_DAY * offset) for offset in (-1, 0, 1))
        for shown in self._shown_dates():
            near = (shown + ONE_DAY * offset for offset in (-1, 0, 1, 2))
            new_years = (date(year, 1, 1) for year in (shown.year, shown.year + 1))
            for day in (*near, *new_years):
                if is_label_changed_on(day, shown):
                    yield festival.instant(day, time.min)

    def _shown_dates(self) -> set[date]:
        """Return the dates that time spans name: of starts, and of long occasions' ends."""
        spans = [self.span(occasion) for occasion in self.occasions]
        return {span.start.date() for span in spans} | {span.end.date() for span in spans if span.is_long}


def _counted_in(event: Event) -> Iterator[tuple[str, int]]:
    yield "area", event.area.id
    if event.sub_area:
        yield "in_sub_areas", event.area.id
        # As `?area=…&subarea=…` counts, which asks for the sub area's own area.
        if event.sub_area.area_id == event.area.id:
            yield "sub_area", event.sub_area.id
    if event.organizer:
        yield "organizer", event.organizer.id
