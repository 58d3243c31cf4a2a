"""The news of a selection, in entries and pages."""

from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from itertools import groupby, islice
from operator import attrgetter
from uuid import UUID

from msgspec.structs import replace

from feeds.index import SelectionIndex
from feeds.listing import PageListing
from feeds.news import News, NewsEntry
from feeds.news_wording import NEWS_WORDS
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import Identity, build_news_path

PAGE_SIZE, MOST_PAGES = 50, 10


class NewsListing(PageListing):
    """A page of news, whose elements are entries; `selection` is canonical in the index of news."""

    path = "/api/news"

    def __init__(self, snapshot: Snapshot, selection: Selection, page: int = 1) -> None:
        super().__init__(snapshot, selection, PAGE_SIZE, PAGE_SIZE * (page - 1))

    @property
    def index(self) -> SelectionIndex:
        return self.snapshot.programme.news_index

    @cached_property
    def every(self) -> tuple[NewsEntry, ...]:
        entries = islice(groupby(self._find(), key=attrgetter("entry")), PAGE_SIZE * MOST_PAGES)
        return tuple(NewsEntry(tuple(pieces)) for _entry, pieces in entries)

    @property
    def names(self) -> list[str]:
        return [NEWS_WORDS[self.language].heading, *super().names]

    @property
    def subtitle(self) -> str:
        return NEWS_WORDS[self.language].intro

    @property
    def website(self) -> str:
        return self._find_page(replace(self.selection, language="sv"))

    @cached_property
    def modified(self) -> datetime:
        """When its newest entry appeared or anything was withdrawn, else when the festival was saved."""
        newest, revision = self.every[:1], self.snapshot.programme.revision
        moments = (*(each.first.appears_at for each in newest), revision.withdrawn_at)
        return max(filter(None, moments), default=self.snapshot.programme.festival.saved_at)

    def find_identity(self, news: News) -> Identity:
        return self.index.by_id[news.occasion_id].identity

    def find_url(self, entry: NewsEntry) -> str:
        """Return the URL of an entry: of its occasion, even if that is gone, or of the batch."""
        if entry.is_batch:
            return self._find_page(Selection(edition=self.selection.edition), entry.id)
        return self.site.occasion_url(self.find_identity(entry.first), self.language)

    def _find_page(self, selection: Selection, entry: UUID | None = None) -> str:
        query = selection.query
        return f"{self.site.base_url}{build_news_path(self.language, entry)}{query and '?'}{query}"

    def _find(self) -> Iterator[News]:
        """Yield the news that is shown; a moved occasion matches by its former and its new time."""
        now, today = self.snapshot.now, self.snapshot.today
        matches = self.index.build_test(self.selection, now, today)
        for each in self.snapshot.programme.news:
            if each.appears_at <= now < each.ends:
                occasion = self.index.by_id[each.occasion_id]
                if any(matches(replace(occasion, start=at.start, end=at.end)) for at in each.states):
                    yield each

    def _page_query(self, offset: int) -> str:
        return f"page={offset // PAGE_SIZE + 1}" if offset else ""
