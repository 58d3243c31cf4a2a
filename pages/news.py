"""The news page, by day, and the page of one entry with all of its pieces."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from feeds.news import NewsEntry
from feeds.news_listing import MOST_PAGES, NewsListing
from feeds.news_wording import NEWS_WORDS, format_kind, format_number, format_title, list_lines
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, build_news_path
from feeds.wording import format_clock, format_full_date
from pages.addresses import build_path
from pages.details import localize
from pages.query import PageQuery
from pages.selected import SelectedPage

# An entry in a list; `lines` are time and place, `mark` is the class of `label`.
NewsRow = dict[str, Any]


class NewsPage(SelectedPage):
    """The news of a selection, or the pieces of one entry."""

    def __init__(self, snapshot: Snapshot, query: PageQuery, entry: NewsEntry | None = None) -> None:
        super().__init__(snapshot, query)
        self.number = min(query.page, MOST_PAGES)
        self.listing = NewsListing(snapshot, query.selection, self.number)
        self.entry = entry
        self.entries: tuple[NewsEntry, ...] = self.listing.occasions
        self.heading = NEWS_WORDS[self.language].heading
        self.chosen = ", ".join(self.listing.names[1:])
        has_older = not entry and "next" in self.listing.pages("")
        self.newer = self._path_of(self.number - 1) if self.number > 1 else ""
        self.older = self._path_of(self.number + 1) if has_older else ""
        if entry:
            self.entries = tuple(NewsEntry((each,)) for each in entry.pieces)
            kind = format_kind(entry.first, self.language)
            self.heading = format_number(entry, self.language) if entry.is_batch else kind

    @property
    def days(self) -> Iterator[tuple[str, str, list[NewsRow]]]:
        """Yield date and name of each day with its rows."""
        local = self.snapshot.programme.site.time.local
        for day, entries in groupby(self.entries, key=lambda each: local(each.first.appears_at).date()):
            yield day.isoformat(), format_full_date(day, self.language), [*map(self._build_row, entries)]

    def path_in(self, language: LanguageCode) -> str:
        return build_path(build_news_path(language, self.entry.id if self.entry else None), self.selection)

    def _path_of(self, number: int) -> str:
        page = str(number) if number > 1 else ""
        return build_path(build_news_path(self.language), self.selection, page=page)

    def _build_row(self, entry: NewsEntry) -> NewsRow:
        festival, first = self.snapshot.programme.site.time, entry.first
        told = festival.local(first.appears_at)
        title, *lines = list_lines(first, festival, self.language)
        if entry.is_batch:
            title, lines = format_title(entry, festival, self.language), []
        return {
            "area_id": 0 if entry.is_batch else first.facts.area or 0,
            "url": self.listing.find_url(entry),
            "title": title,
            "label": "" if entry.is_batch else format_kind(first, self.language),
            "mark": "cancelled" if first.told_as in {"cancelled", "withdrawn"} else "changed",
            "told_at": told.isoformat(),
            "clock": format_clock(told),
            "lines": lines,
            "note": localize(entry.note, self.language),
        }
