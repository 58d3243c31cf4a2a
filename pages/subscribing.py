"""The subscribe page: a selection as calendars, feeds, lists for websites, and the API."""

import shlex
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote, urlencode

from feeds.formats import BY_EXTENSION, FORMATS
from feeds.listing import Listing
from feeds.selection import SHOW, Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion
from pages.addresses import START, SUBSCRIBE, build_feed_path, build_path
from pages.embedding import EmbeddingCode
from pages.phrases import count_occasions
from pages.qr import render_qr
from pages.rows import DayRows, RowBuilder
from pages.selection_form import SelectionForm

# The next occasions of the selection.
MAX_PREVIEWED = 5
# More is too long for a forum.
MAX_PASTED = 40
# Google's form for the address of a calendar, which it documents (“From URL”). Addresses that fill it in have
# been refused, or made empty calendars: docs/consumers.md.
GOOGLE = "https://calendar.google.com/calendar/r/settings/addbyurl"
OUTLOOK = "https://outlook.live.com/calendar/0/addfromweb"


class CalendarSubscription:
    """The address of a calendar, and the ways to subscribe to it."""

    google = GOOGLE

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.name = name

    @property
    def webcal(self) -> str:
        return f"webcal:{self.url.partition(':')[2]}"

    @property
    def outlook(self) -> str:
        return f"{OUTLOOK}?{urlencode({'url': self.url, 'name': self.name}, quote_via=quote)}"

    @property
    def showing_cancelled(self) -> "CalendarSubscription":
        """The same calendar for programs that hide what is cancelled."""
        parameter = urlencode({"cancelled": SHOW})
        return CalendarSubscription(f"{self.url}{'&' if '?' in self.url else '?'}{parameter}", self.name)

    @property
    def qr(self) -> str:
        return render_qr(self.webcal)


class FormatLink(NamedTuple):
    label: str
    purpose: str
    path: str


class SubscribePage:
    """A canonical selection and all the ways to subscribe to it."""

    def __init__(self, snapshot: Snapshot, selection: Selection) -> None:
        self.snapshot = snapshot
        self.selection = selection
        self.language: LanguageCode = selection.language
        self.listing = Listing(snapshot, selection)

    @cached_property
    def form(self) -> SelectionForm:
        return SelectionForm(self.snapshot, self.selection)

    # --- The selection

    @property
    def occasions(self) -> tuple[Occasion, ...]:
        return self.listing.occasions

    @property
    def count(self) -> str:
        return count_occasions(len(self.occasions))

    @property
    def name(self) -> str:
        return self.listing.title

    @cached_property
    def next_days(self) -> list[DayRows]:
        ahead = [each for each in self.occasions if each.end > self.snapshot.now]
        shown = ahead[:MAX_PREVIEWED] or self.occasions[-MAX_PREVIEWED:]
        return RowBuilder(self.snapshot, self.language).group_by_day(shown)

    @property
    def more(self) -> int:
        return len(self.occasions) - sum(len(each.rows) for each in self.next_days)

    # --- Ways to subscribe

    @cached_property
    def calendar(self) -> CalendarSubscription:
        return CalendarSubscription(self.listing.url("ics"), self.name)

    @property
    def feeds(self) -> list[FormatLink]:
        return [
            FormatLink(
                label=each.label.within(self.language),
                purpose=each.purpose.within(self.language),
                path=build_feed_path(each.extension, self.selection),
            )
            for each in FORMATS
        ]

    @cached_property
    def embedding(self) -> EmbeddingCode:
        return EmbeddingCode(self.snapshot.programme.site.base_url, self.selection, self.name)

    @property
    def has_several_days(self) -> bool:
        """Whether clock times alone would be ambiguous."""
        span = self.snapshot.programme.span
        return len({span(each).day for each in self.occasions}) > 1

    @property
    def fragment(self) -> str:
        return self._render("qx1")

    @property
    def post(self) -> str:
        return self._render("bbcode")

    def _render(self, extension: str) -> str:
        if not 0 < len(self.occasions) <= MAX_PASTED:
            return ""
        return BY_EXTENSION[extension]().render(self.listing).decode().strip()

    @property
    def curl(self) -> str:
        return f"curl --compressed {shlex.quote(self.listing.url('json'))}"

    @property
    def post_path(self) -> str:
        return build_feed_path("bbcode", self.selection)

    @property
    def programme_path(self) -> str:
        return build_path(START[self.language], self.selection)

    def path_in(self, language: LanguageCode) -> str:
        return build_path(SUBSCRIBE[language], self.selection)
