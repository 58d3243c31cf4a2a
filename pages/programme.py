"""The programme's page: a day of a selection as a list or a timetable, with its filters."""

from datetime import date
from functools import cache, cached_property, partial

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _
from django.utils.translation import override
from msgspec.structs import replace

from feeds.festival_time import ONE_DAY
from feeds.news_listing import NewsListing
from feeds.selection import DateKeyword, DayRange, Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion
from feeds.wording import format_full_date
from pages.addresses import EVERYTHING, START, build_path
from pages.choices import Chip
from pages.days import (
    DaySection,
    DayTab,
    DayTabs,
    NowAndNext,
    add_anchors,
    build_day_section,
    find_now_and_next,
    find_shown,
    part_by_day,
)
from pages.editions import name_following
from pages.fact_filters import FactFilters
from pages.filters import DATES, Filters
from pages.found import FoundGroup, FoundRows, list_elsewhere
from pages.grid import DayGrid, build_grid
from pages.layout import build_running_head
from pages.pictures import Card, build_highlights
from pages.query import ALL_DAYS, GRID, LIST, PageQuery
from pages.rows import OccasionRow, RowBuilder, StartGroup, count_occasions
from pages.selected import SelectedPage

# A day is one page, so that it is printed and stored offline as a whole; the bound is five times the busiest
# day of a real festival. Several days are paginated.
MAX_OF_DAY, PAGE_SIZE = 3_000, 300


class ProgrammePage(SelectedPage):
    """The programme in one language, as a query selects it."""

    is_embeddable = True

    def __init__(self, snapshot: Snapshot, query: PageQuery) -> None:
        super().__init__(snapshot, query)
        self.found = FoundRows(snapshot, self.selection) if self.selection.words else None
        self.rows = self.found or RowBuilder(snapshot, self.language)
        self.subtitle = self.programme.festival.subtitle.within(self.language)
        # Most filters ask for the same selection, without a filter that is not set.
        self._find = cache(partial(find_shown, snapshot))
        self.is_empty = not self.programme.occasions
        self.undated = replace(self.selection, moments=(), days=(), during=())
        self.every_day_path = build_path(START[self.language], self.undated, days=ALL_DAYS)
        self.following = name_following(snapshot, self.language)
        self.is_over = all(each.end <= snapshot.now for each in self.programme.occasions)
        today = replace(self.undated, during=(DateKeyword.TODAY,))
        self.near_path = build_path(EVERYTHING[self.language], today)

    @property
    def is_start(self) -> bool:
        """Whether the page is the start page, without filters, day and view."""
        is_whole = replace(self.undated, edition="", language="sv") == Selection()
        is_first = self.query.page == 1 and not (self.query.is_dated or self.shows_every_day)
        return is_whole and is_first and not self.grid

    # --- Days and occasions

    @cached_property
    def _of_every_day(self) -> tuple[Occasion, ...]:
        return self._find(self.undated)

    @cached_property
    def _days(self) -> DayTabs:
        return DayTabs(self.snapshot, self._of_every_day)

    @cached_property
    def day(self) -> date | None:
        if self.query.is_dated:
            return self.query.find_day(self.snapshot.today)
        return None if self.shows_every_day else self._days.default()

    @property
    def shows_every_day(self) -> bool:
        wide = self.query.is_every_day or bool(self.selection.words or self.selection.chosen)
        return wide and not self.query.is_dated

    @property
    def _shown(self) -> Selection:
        if self.query.is_dated:
            return self.selection
        return self.undated if self.day is None else self._select_day(self.day)

    @cached_property
    def occasions(self) -> tuple[Occasion, ...]:
        return self._of_every_day if self._shown == self.undated else self._find(self._shown)

    @property
    def heading(self) -> str:
        if self.day is not None:
            return self.rows.name_day(self.day)
        if self.shows_every_day:
            return _("All days")
        dates = {field: getattr(self.selection, field) for field in DATES}
        return ", ".join(self.programme.index.titles(Selection(language=self.language, **dates)))

    @property
    def is_elsewhere(self) -> bool:
        return self.day is not None and bool(self._of_every_day)

    @property
    def other_edition(self) -> tuple[str, str] | None:
        """The name and the address of the edition of the day, if it is another one."""
        day, editions = self.day, self.programme.editions
        found = next((each for each in editions if day and each.holds(day)), self.programme.edition)
        if found is None or found == self.programme.edition:
            return None
        path = build_path(START[self.language], replace(self.selection, edition=found.slug))
        return found.name.within(self.language), path

    @property
    def count(self) -> str:
        """The number of occasions, with the range that is listed if not all are."""
        if self._is_divided and not self.grid:
            first, last = self._part.start_index(), self._part.end_index()
            return _("{first}–{last} of {count}").format(
                first=first, last=last, count=count_occasions(len(self.occasions))
            )
        if self._ranking:
            return self._ranking.count(self.occasions)
        before = len(self._begun_before)
        count = count_occasions(len(self.occasions) - before)
        return _("{} and {} already on").format(count, before) if before else count

    @property
    def title(self) -> str:
        return self._entitle(self.heading)

    @property
    def shared_title(self) -> str:
        """The title of link previews, which are stored: without the day, unless it was requested."""
        return self._entitle("" if self.day and not self.query.is_dated else self.heading)

    def _entitle(self, when: str) -> str:
        return ", ".join(filter(None, (when, *(chip.label for chip in self.filters.chips))))

    # --- As a list

    @property
    def _is_today(self) -> bool:
        return self.day is not None and self.day == self.snapshot.today

    @cached_property
    def _over(self) -> tuple[Occasion, ...]:
        """The past occasions of today; empty on other days, and if all are past."""
        ended = tuple(each for each in self.occasions if each.end <= self.snapshot.now)
        is_apart = self._is_today and not self._is_divided and len(ended) < len(self.occasions)
        return ended if is_apart else ()

    @cached_property
    def earlier(self) -> list[StartGroup]:
        """The past occasions, with the anchors of hours that the list does not have."""
        left = {slot.anchor for section in self.sections for slot in section.slots}
        slots = add_anchors(self.rows.group_by_start(self._over))
        return [each._replace(anchor="") if each.anchor in left else each for each in slots]

    @property
    def earlier_count(self) -> str:
        return count_occasions(len(self._over))

    @cached_property
    def _listed(self) -> tuple[Occasion, ...]:
        over = set(self._over)
        left = (each for each in self.occasions if each not in over)
        return tuple(sorted(left, key=self._ranking.rank) if self._ranking else left)

    @property
    def _ranking(self) -> FoundRows | None:
        """The search that ranks the list of all days, None for a chronological list."""
        return self.found if self.shows_every_day else None

    @property
    def ranked(self) -> list[FoundGroup]:
        return self._ranking.group(self._part) if self._ranking else []

    @property
    def elsewhere(self) -> list[Chip]:
        here, every = len(self.occasions), len(self._of_every_day)
        return [*list_elsewhere(self.snapshot, self.undated, here, every)] if self.found else []

    @property
    def _page_size(self) -> int:
        ends = self.rows.split_days(self.occasions[:1] + self.occasions[-1:], self._shown.during)
        return PAGE_SIZE if len([*ends]) > 1 else MAX_OF_DAY

    @property
    def _is_divided(self) -> bool:
        return len(self.occasions) > self._page_size

    @cached_property
    def _part(self) -> Page[Occasion]:
        """The requested page of the list, or the last one if there are fewer."""
        return Paginator(self._listed, self._page_size).get_page(self.query.page or 1)

    @cached_property
    def sections(self) -> list[DaySection]:
        if self._ranking or len(self._begun_before) == len(self._listed):
            return []
        return [
            # The page's heading names the only day.
            build_day_section(
                day, "" if day == self.day else format_full_date(day, self.language), occasions, self.rows
            )
            for day, occasions in self.rows.split_days(self._part, self._shown.during)
        ]

    @cached_property
    def _begun_before(self) -> list[Occasion]:
        """The occasions that continue from an earlier day."""
        return part_by_day(self.snapshot, self.day, self.occasions)[0] if self.day else []

    @property
    def still_on(self) -> list[OccasionRow]:
        return [self.rows.build(each, self.day) for each in self._begun_before]

    @property
    def pages_beside(self) -> list[str]:
        """The addresses of the previous and the next page, '' without any."""
        numbers, every = (self._part.number - 1, self._part.number + 1), self._part.paginator.page_range
        return [self._build_path(self.selection, page=each) if each in every else "" for each in numbers]

    @property
    def whole_path(self) -> str:
        """The address of all coming occasions on one page, for printing; '' if this page has all."""
        return build_path(EVERYTHING[self.language], self.selection) if self._is_divided else ""

    # --- Now and next

    @cached_property
    def now_and_next(self) -> NowAndNext | None:
        """The running and next occasions, on the start page during the festival, else None."""
        is_shown = self.is_start and self._is_today
        return find_now_and_next(self.snapshot, self.undated, self.rows) if is_shown else None

    @property
    def knows_positions(self) -> bool:
        """Whether any place today has coordinates, so that occasions can be sorted by distance."""
        places = (each.place for each in self.occasions if self._is_today and not self.grid)
        return any(place and place.location.latitude is not None for place in places)

    @property
    def now_path(self) -> str:
        return self._build_path(self.now_and_next.selection) if self.now_and_next else ""

    @property
    def highlights(self) -> list[Card]:
        """The highlighted events, on the start page."""
        return build_highlights(self.snapshot, self.rows) if self.is_start else []

    @property
    def count_changes(self) -> int:
        """The number of entries of news without additions of today and yesterday, on the start page."""
        since = self.programme.site.time.day_begins(self.snapshot.today - ONE_DAY)
        told = NewsListing(self.snapshot, self.selection).every if self.is_start else ()
        return sum(each.first.appears_at >= since and each.first.told_as != "new" for each in told)

    # --- As a timetable

    @cached_property
    def grid(self) -> DayGrid | None:
        if self.query.view != GRID or self.day is None:
            return None
        begun = self.occasions[len(self._begun_before) :]
        return build_grid(self.snapshot, begun, self.day, self.language)

    # --- Links

    @cached_property
    def filters(self) -> Filters:
        # Not a bound method, which would make a reference cycle that retains the snapshot.
        start, display = START[self.language], self._build_display(self.query.view)
        return Filters(
            self.snapshot,
            self.selection,
            lambda selection, **more: build_path(start, selection, **{**more, **display}),
            self._shown,
            self._find,
        )

    @cached_property
    def facts(self) -> FactFilters:
        return FactFilters(self.selection, self.filters.build_path, self._shown, self.occasions, self._find)

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """The hidden fields of the form."""
        return [*self.filters.list_hidden(self.facts), *self._build_display(self.query.view).items()]

    @cached_property
    def _shown_days(self) -> list[date]:
        return self._days.around(self.day)

    @cached_property
    def tabs(self) -> list[DayTab]:
        return self._days.tabs(self.day, self._shown_days, self.language, self._build_day_path)

    @cached_property
    def days_beyond(self) -> list[str]:
        """The addresses of the days before and after the tabs, '' without any."""
        return [self._build_day_path(day) if day else "" for day in self._days.beyond(self._shown_days)]

    @property
    def view_paths(self) -> dict[str, str]:
        return {view: self._build_path(self.selection, view=view) for view in (LIST, GRID)}

    @property
    def rules(self) -> str:
        # The title is in the page's language.
        with override(self.language):
            areas = super().rules + build_running_head(self.title, "right")
        return areas + self.grid.rules if self.grid else areas

    def path_in(self, language: LanguageCode) -> str:
        return self._build_path(self.selection, page=self._part.number, language=language)

    def _build_day_path(self, day: date) -> str:
        view = GRID if self.query.view == GRID else ""
        return build_path(START[self.language], self._select_day(day), view=view)

    def _select_day(self, day: date) -> Selection:
        return replace(self.undated, during=(DayRange(day, day),))

    def _build_path(
        self, selection: Selection, view: str = "", page: int = 1, language: LanguageCode | None = None
    ) -> str:
        display, number = self._build_display(view or self.query.view), str(page) if page > 1 else ""
        return build_path(START[language or self.language], selection, **display, page=number)

    def _build_display(self, view: str) -> dict[str, str]:
        days = {"days": ALL_DAYS} if self.shows_every_day and self.query.is_every_day else {}
        return days | ({"view": GRID} if view == GRID else {})
