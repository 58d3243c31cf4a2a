"""The published programme at one revision, values computed from it, and the next one after edits."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import cached_property
from itertools import chain
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from feeds import vocabulary
from feeds.editions import Edition, find_current
from feeds.festival_time import LocalSpan
from feeds.grouping import Grouping, Occasions, splice
from feeds.index import Merged, SelectionIndex
from feeds.layered import Layered
from feeds.news import News, choose_newest, index_news
from feeds.selection import Selection
from feeds.transitions import Transitions


class Replaceable(Protocol):
    """A value computed from a programme, which can be derived for one that differs in some occasions."""

    def replace(self, programme: "Programme", removed: Occasions, added: Occasions) -> "Replaceable": ...


# A programme may hold several years of a festival.
BETWEEN_EDITIONS = timedelta(days=60)


class Programme(msgspec.Struct, frozen=True, dict=True, weakref=True):
    """The published programme at one revision.

    `areas` and `occasions` are in display order (`Area.order`, `Occasion.order`); `gone` are the occasions
    that are no longer published, by ID; `published_years` has for each calendar year the instant of its first
    publication; `news` is in order (`News.order`), without pieces too old to be shown; `merged` has the IDs
    of merged rows, by parameter; `lists` are the published ones, in order. `editions` are all of the
    festival, in order, and `edition` is the edition of the occasions, or None.
    """

    revision: vocabulary.Revision
    site: vocabulary.Site
    festival: vocabulary.Festival
    areas: tuple[vocabulary.Area, ...]
    occasions: tuple[vocabulary.Occasion, ...]
    gone: Mapping[int, vocabulary.GoneOccasion]
    published_years: Mapping[int, datetime] = {}
    news: tuple[News, ...] = ()
    merged: Merged = {}
    lists: tuple[vocabulary.OccasionList, ...] = ()
    editions: tuple[Edition, ...] = ()
    edition: Edition | None = None

    def precompute(self) -> None:
        """Compute the values that the first requests need."""
        _ = self.by_event, self.transitions, self.index.by_day, self._news_of

    def apply(
        self,
        event_ids: frozenset[int],
        occasions: Occasions,
        gone: Iterable[vocabulary.GoneOccasion] = (),
        news: Iterable[News] = (),
        **fields: Any,
    ) -> "Programme":
        """Return the programme after edits of some events, derived from this one.

        `occasions`, `gone` and `news` are all those of the events, in any order; `fields` are other fields
        that may differ.
        """
        removed = [*chain.from_iterable(self.by_event.get(each) or () for each in event_ids)]
        told, untold = [*news], [each for key in event_ids for each in self._news_of.find(key) or ()]
        every = splice(self.news, untold, told)
        newest = choose_newest(every)
        outdated = every[len(newest) :]
        left = (each for each in self.gone.values() if each.event_id not in event_ids)
        programme = replace(
            self,
            occasions=splice(self.occasions, removed, occasions),
            gone={each.id: each for each in (*left, *gone)},
            news=newest,
            **fields,
        )
        touched: dict[int, tuple[News, ...]] = dict.fromkeys(event_ids, ())
        touched |= dict.fromkeys((each.event_id for each in outdated), ())
        kept = (each for key in touched.keys() - event_ids for each in self._news_of.find(key) or ())
        for each in {*kept, *told} - {*outdated}:
            touched[each.event_id] += (each,)
        vars(programme).update(
            _news_of=self._news_of.derive(touched),
            transitions=self.transitions.replace(
                self.site.time, removed, occasions, [*untold, *outdated], told
            ),
            index=programme.index.inherit(self.index, removed, occasions),
        )
        for language, built in self.derived.copy().items():
            programme.derived[language] = built.replace(programme, removed, occasions)
        return programme

    @cached_property
    def _news_of(self) -> Layered[int, tuple[News, ...]]:
        """The news of each event with any."""
        found: defaultdict[int, list[News]] = defaultdict(list)
        for each in self.news:
            found[each.event_id].append(each)
        return Layered({key: tuple(pieces) for key, pieces in found.items()})

    @cached_property
    def derived(self) -> dict[vocabulary.LanguageCode, Replaceable]:
        """A format's cache, by language."""
        return {}

    @cached_property
    def index(self) -> SelectionIndex:
        return SelectionIndex(self.areas, self.occasions, self.site.time, self.merged, self.lists)

    @cached_property
    def news_index(self) -> SelectionIndex:
        return index_news(self.index, self.news, self.gone)

    @property
    def by_id(self) -> Mapping[int, vocabulary.Occasion]:
        return self.index.by_id

    @property
    def by_event(self) -> Grouping[int]:
        return self.index.by_event

    def span(self, occasion: vocabulary.Occasion) -> LocalSpan:
        return self.site.time.span(occasion.start, occasion.end)

    @cached_property
    def transitions(self) -> Transitions:
        return Transitions.build(self.site.time, self.occasions, self.news)

    @property
    def is_current(self) -> bool:
        """Whether readers get it if they ask for no edition."""
        return self.edition == find_current(self.editions)

    def select(self, language: vocabulary.LanguageCode, **fields: Any) -> Selection:
        """Return a selection in its edition; the current one is not named."""
        other = "" if self.edition is None or self.is_current else self.edition.slug
        return Selection(language=language, edition=other, **fields)

    def find_title(self, language: vocabulary.LanguageCode, *, asked: bool = True) -> str:
        """Return the name of the festival, with its edition's if that is asked for."""
        name = self.festival.name
        return self.edition.title(name, language) if asked and self.edition else name.within(language)

    def find_edit(self, named: str) -> datetime:
        """Return when the occasions of an edition may last have changed by an edit of editions.

        That is the last edit of the `named` edition, or without a name of any edition.
        """
        saved = (each.saved_at for each in self.editions if named in ("", each.slug))
        return max(saved, default=vocabulary.BEFORE_ALL)

    @cached_property
    def listed_areas(self) -> tuple[vocabulary.Area, ...]:
        """The areas with occasions of its edition, and for the current one the areas marked so."""
        if self.edition is None:
            return self.areas
        used = {each[0].event.area.id for each in self.by_event.values()}
        return tuple(each for each in self.areas if each.id in used or (each.current and self.is_current))

    def list_days(self, area: vocabulary.Area) -> list[vocabulary.AreaDay]:
        """Return the entered days of an area that belong to its edition."""
        return [each for each in area.days if self.edition is None or self.edition.holds(each.date)]

    @cached_property
    def listed_lists(self) -> tuple[vocabulary.OccasionList, ...]:
        """The lists with occasions of its edition."""
        if self.edition is None:
            return self.lists
        return tuple(each for each in self.lists if any(map(each.has, self.occasions)))

    def find_years(self, occasion: vocabulary.Occasion) -> tuple[datetime, datetime]:
        """Return the begin and the end of the festival year of an occasion."""
        return next(each for each in self._years if each[0] <= occasion.start <= each[1])

    @cached_property
    def _years(self) -> list[tuple[datetime, datetime]]:
        """The festival years, in order: an edition, or occasions with gaps below `BETWEEN_EDITIONS`."""
        editions: list[tuple[datetime, datetime]] = []
        for occasion in self.occasions:
            if editions and (self.edition or occasion.start - editions[-1][1] < BETWEEN_EDITIONS):
                begins, ends = editions.pop()
                editions.append((begins, max(ends, occasion.end)))
            else:
                editions.append((occasion.start, occasion.end))
        return editions
