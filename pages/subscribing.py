"""What the page says on which a selection is taken away: calendars, feeds, lists for websites, the API."""

import shlex
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote, urlencode

from django.utils.html import escape
from msgspec.structs import replace

from feeds.formats import BY_EXTENSION, FORMATS
from feeds.listing import Listing
from feeds.selection import DateKeyword, Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion
from pages.addresses import EMBED, LIST_STYLE, START, SUBSCRIBE, build_feed_path, build_path
from pages.phrases import count_occasions, format_long_day
from pages.qr import render_qr
from pages.rows import RowBuilder
from pages.selection_form import SelectionForm

# The next of a selection, that one sees what one gets.
MAX_PREVIEWED = 5
# More is no post in a forum.
MAX_PASTED = 40
GOOGLE = "https://calendar.google.com/calendar/r"
OUTLOOK = "https://outlook.live.com/calendar/0/addfromweb"


class CalendarSubscription:
    """The ways into a calendar from one address."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.name = name

    @property
    def webcal(self) -> str:
        return f"webcal:{self.url.partition(':')[2]}"

    @property
    def google(self) -> str:
        # It takes what is asked for by webcal as an address to add, anything else as a calendar of its own.
        return f"{GOOGLE}?{urlencode({'cid': self.webcal})}"

    @property
    def outlook(self) -> str:
        return f"{OUTLOOK}?{urlencode({'url': self.url, 'name': self.name}, quote_via=quote)}"

    @property
    def qr(self) -> str:
        """A picture that a phone reads: it opens the calendar with what is chosen here."""
        return render_qr(self.webcal)


class FormatLink(NamedTuple):
    """A format: what people call it, what it is for, and where it is."""

    label: str
    purpose: str
    path: str
    extension: str


class DayRows(NamedTuple):
    """Occasions of a selection by day."""

    date: str
    name: str
    rows: list


class SubscribePage:
    """A selection and all the ways to take it away. The selection must be canonical."""

    def __init__(self, snapshot: Snapshot, selection: Selection) -> None:
        self.snapshot = snapshot
        self.selection = selection
        self.language: LanguageCode = selection.language
        self.listing = Listing(snapshot, selection)
        self.base_url = snapshot.programme.site.base_url

    @cached_property
    def choosing(self) -> SelectionForm:
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
        """What the selection is called in calendars and feeds."""
        return self.listing.title

    @cached_property
    def next_days(self) -> list[DayRows]:
        """The next few to come by day; when all is over, the last few."""
        ahead = [each for each in self.occasions if each.end > self.snapshot.now]
        shown = ahead[:MAX_PREVIEWED] or self.occasions[-MAX_PREVIEWED:]
        return group_by_day(self.snapshot, shown, self.language)

    @property
    def more(self) -> int:
        return len(self.occasions) - sum(len(each.rows) for each in self.next_days)

    # --- Ways to take it away

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
                extension=each.extension,
            )
            for each in FORMATS
        ]

    @property
    def framed_path(self) -> str:
        return build_path(EMBED[self.language], self.selection)

    @property
    def framed_url(self) -> str:
        return f"{self.base_url}{self.framed_path}"

    @property
    def frame_snippet(self) -> str:
        return (
            f'<iframe src="{escape(self.framed_url)}" title="{escape(self.name)}"\n'
            '  width="100%" height="600" style="border: 0" loading="lazy"></iframe>'
        )

    @property
    def colours_example(self) -> str:
        return f"{'&' if '?' in self.framed_path else '?'}accent=8c2f4b&ink=1d1b19&paper=ffffff"

    @property
    def fetch_snippet(self) -> str:
        """A line of crontab: what cannot be fetched leaves the list as it was."""
        # A bare percent sign ends a line of crontab.
        url = shlex.quote(self.fragment_url).replace("%", r"\%")
        return (
            "* * * * * cd /var/www/html && "
            f"curl -fsS --compressed -o program.new {url} && mv program.new program.html"
        )

    @property
    def include_snippet(self) -> str:
        return (
            f'<link rel="stylesheet" href="{self.base_url}{LIST_STYLE}">\n'
            "<style>.event-list { --festival-accent: #8c2f4b; --festival-font: inherit; }</style>\n"
            '<!--#include file="program.html" -->'
        )

    @property
    def fragment_url(self) -> str:
        """The address of the list of what is not over, unless days were chosen."""
        return Listing(self.snapshot, self._ahead).url("qx1")

    @property
    def _ahead(self) -> Selection:
        dated = self.selection.moments or self.selection.days
        return (
            self.selection
            if dated
            else replace(self.selection, moments=(DateKeyword.NOW, DateKeyword.UPCOMING))
        )

    @property
    def has_several_days(self) -> bool:
        """Whether times alone would not say when something is."""
        span = self.snapshot.programme.span
        return len({span(each).day for each in self.occasions}) > 1

    @property
    def fragment(self) -> str:
        """The list itself to paste; '' where it is too long for that."""
        return self._written("qx1")

    @property
    def post(self) -> str:
        return self._written("bbcode")

    def _written(self, extension: str) -> str:
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


def group_by_day(
    snapshot: Snapshot, occasions: tuple[Occasion, ...] | list, language: LanguageCode
) -> list[DayRows]:
    """Return rows of occasions that stand in order, under the names of their days."""
    writer = RowBuilder(snapshot, language)
    return [
        DayRows(day.isoformat(), format_long_day(day, language), [row for slot in slots for row in slot.rows])
        for day, slots in writer.days(occasions)
    ]
