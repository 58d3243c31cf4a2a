"""The subscribe page: a form for a selection, and its calendars and news feeds."""

from functools import partial
from typing import NamedTuple
from urllib.parse import quote, urlencode

import segno

from feeds.listing import Listing
from feeds.news_formats import NEWS_FORMATS
from feeds.news_listing import NewsListing
from feeds.selection import Cancelled, DateKeyword, Selection
from feeds.snapshot import Snapshot
from feeds.wording import WORDS
from pages.addresses import START, SUBSCRIBE, build_path
from pages.choices import Option
from pages.fact_filters import FactFilters
from pages.filters import Filters
from pages.query import PageQuery
from pages.rows import RowBuilder, count_occasions
from pages.selected import SelectedPage

# Phones do not read a denser code from a screen at arm's length.
MAX_BYTES = 700


def render_qr(url: str) -> str:
    """Return an SVG in the colour of the text around it, '' for an address that is too long."""
    if len(url.encode()) > MAX_BYTES:
        return ""
    code = segno.make_qr(url, error="l", boost_error=False)
    return code.svg_inline(omitsize=True, border=4, svgclass=None, lineclass=None)


# The relative dates, which remain valid for a subscription.
RELATIVE_DATES = (DateKeyword.TODAY, DateKeyword.TOMORROW, DateKeyword.UPCOMING)

# The most occasions in the preview.
MAX_PREVIEWED = 3
# Google's form for the address of a calendar, which it documents (“From URL”). Addresses that fill it in have
# been refused, or made empty calendars: docs/consumers.md.
GOOGLE = "https://calendar.google.com/calendar/r/settings/addbyurl"
OUTLOOK = "https://outlook.live.com/calendar/0/addfromweb"


class CalendarSubscription(NamedTuple):
    """The address of a calendar, and the ways to subscribe to it."""

    url: str
    name: str
    google: str = GOOGLE

    @property
    def webcal(self) -> str:
        return f"webcal:{self.url.partition(':')[2]}"

    @property
    def outlook(self) -> str:
        return f"{OUTLOOK}?{urlencode({'url': self.url, 'name': self.name}, quote_via=quote)}"

    @property
    def by_way(self) -> dict[str, "CalendarSubscription"]:
        """The same calendar for programs that mishandle the status of cancelled occasions."""
        joint = "&" if "?" in self.url else "?"
        return {
            way.value: CalendarSubscription(f"{self.url}{joint}cancelled={way.value}", self.name)
            for way in Cancelled
        }

    @property
    def qr(self) -> str:
        return render_qr(self.webcal)


class SubscribePage(SelectedPage):
    """A selection in a form with the programme's filters, and the ways in which visitors subscribe to it."""

    paths = SUBSCRIBE

    def __init__(self, snapshot: Snapshot, query: PageQuery) -> None:
        super().__init__(snapshot, query)
        selection = query.selection
        self.listing = Listing(snapshot, selection)
        self.name = self.listing.title
        self.filters = Filters(snapshot, selection, partial(build_path, SUBSCRIBE[self.language]))
        # The facts of the whole programme, so that ticking a box does not remove others.
        every, path = snapshot.programme.occasions, self.filters.build_path
        whole = Selection(language=self.language, edition=selection.edition)
        self.facts = FactFilters(selection, path, whole, every, snapshot.find)
        self.calendar = CalendarSubscription(self.listing.url("ics"), self.name)
        self.programme_path = build_path(START[self.language], selection)
        self.occasions = self.listing.occasions
        ahead = [each for each in self.occasions if each.start > snapshot.now]
        shown = ahead[:MAX_PREVIEWED] or self.occasions[-MAX_PREVIEWED:]
        self.next_days = RowBuilder(snapshot, self.language).group_by_day(shown)
        self.more = len(self.occasions) - len(shown)
        self._dates = [str(each) for each in (*selection.moments, *selection.days, *selection.during)]
        news = NewsListing(snapshot, selection)
        feeds = (each for each in NEWS_FORMATS if each.extension != "json")
        self.news_feeds = [(each.label.within(self.language), news.url(each.extension)) for each in feeds]

    @property
    def dates(self) -> list[Option]:
        """The relative dates, the festival's days, and the chosen date if it is another one."""
        words, rows = WORDS[self.language], RowBuilder(self.snapshot, self.language)
        chosen = self._dates[:1]
        relative = RELATIVE_DATES if self.snapshot.programme.is_current else ()
        named = {str(each): getattr(words, each) for each in relative}
        named |= {day.isoformat(): rows.name_day(day) for day in sorted(self.programme.index.by_day)}
        others = {each: each for each in chosen if each not in named}
        return [Option(value, name, value in chosen) for value, name in (named | others).items()]

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """The hidden fields of the form."""
        left = [pair for pair in self.filters.list_hidden(self.facts) if pair[0] not in ("date", "during")]
        return [*left, *(("date", each) for each in self._dates[1:])]

    @property
    def count(self) -> str:
        return count_occasions(len(self.occasions))
