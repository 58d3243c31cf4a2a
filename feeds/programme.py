"""The published programme at one revision, what is computed from it, and the next one after edits."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property
from typing import NamedTuple

import msgspec

from feeds.festival_time import LocalSpan
from feeds.index import SelectionIndex, group
from feeds.tallies import Tallies
from feeds.transitions import find_transitions
from feeds.vocabulary import Area, Festival, GoneOccasion, Occasion, Occasions, Revision, Site


class Change(NamedTuple):
    """All that differs between a programme and a later one, and perhaps some of what does not.

    `areas` are all of them, in display order. `event_ids` are the events whose occasions are replaced: by
    `occasions`, what is published of them now, and by `gone`, what is gone of them now, both in any order.
    """

    revision: Revision
    festival: Festival
    areas: tuple[Area, ...]
    published_years: Mapping[int, datetime]
    event_ids: frozenset[int]
    occasions: tuple[Occasion, ...]
    gone: tuple[GoneOccasion, ...]


# A programme may hold several years of a festival.
BETWEEN_EDITIONS = timedelta(days=60)


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
    occasions: Occasions
    gone: Mapping[int, GoneOccasion]
    published_years: Mapping[int, datetime] = {}

    def precompute(self) -> None:
        """Compute what the first requests need, so that no reader waits for it."""
        _ = self.by_event, self.tallies, self.transitions, self.index.by_day, self.by_id

    def apply(self, change: Change) -> "Programme":
        """Return the programme after edits."""
        kept = (each for each in self.occasions if each.event.id not in change.event_ids)
        gone = {key: each for key, each in self.gone.items() if each.event_id not in change.event_ids}
        return Programme(
            revision=change.revision,
            site=self.site,
            festival=change.festival,
            areas=change.areas,
            occasions=tuple(sorted((*kept, *change.occasions), key=lambda each: each.order)),
            gone=gone | {each.id: each for each in change.gone},
            published_years=change.published_years,
        )

    @cached_property
    def index(self) -> SelectionIndex:
        return SelectionIndex(self.areas, self.occasions, self.site.time)

    @property
    def by_id(self) -> Mapping[int, Occasion]:
        return self.index.by_id

    @cached_property
    def by_event(self) -> Mapping[int, Occasions]:
        return group(self.occasions, lambda occasion: occasion.event.id)

    def span(self, occasion: Occasion) -> LocalSpan:
        return self.site.time.span(occasion.start, occasion.end)

    @cached_property
    def tallies(self) -> Tallies:
        return Tallies(self.by_event.values(), lambda occasion: self.span(occasion).day)

    @cached_property
    def transitions(self) -> list[datetime]:
        return find_transitions(self.site.time, self.occasions)

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
