"""The developers' page: a selection for websites, forums and programs, and in every format."""

import shlex

from feeds.formats import BY_EXTENSION, FORMATS
from feeds.listing import Listing
from feeds.snapshot import Snapshot
from pages.addresses import DEVELOPERS, START, build_feed_path, build_path
from pages.editions import select_days
from pages.embed import EmbeddingCode
from pages.query import PageQuery
from pages.rows import count_occasions
from pages.selected import SelectedPage

# More occasions are too long for a forum.
MAX_PASTED = 40


class DevelopersPage(SelectedPage):
    """A selection in all formats, and the code that embeds it."""

    paths = DEVELOPERS
    rules = ""

    def __init__(self, snapshot: Snapshot, query: PageQuery) -> None:
        super().__init__(snapshot, query)
        selection = query.selection
        self.listing = Listing(snapshot, selection)
        self.name = self.listing.title
        embedded = select_days(snapshot, selection)
        self.embedding = EmbeddingCode(self.listing.site.base_url, embedded, self.name)
        self.curl = f"curl --compressed {shlex.quote(self.listing.url('json'))}"
        self.post_path = build_feed_path("bbcode", selection)
        self.programme_path = build_path(START[self.language], selection)
        self.feeds = [
            {
                "label": each.label.within(self.language),
                "purpose": each.purpose.within(self.language),
                "path": build_feed_path(each.extension, selection, each.suggested_limit),
            }
            for each in FORMATS
        ]
        span, occasions = snapshot.programme.span, self.listing.occasions
        # Clock times alone would be ambiguous.
        self.has_several_days = len({span(each).day for each in occasions}) > 1
        self.fragment, self.post = map(self._render, ("qx1", "bbcode"))

    @property
    def count(self) -> str:
        return count_occasions(len(self.listing.occasions))

    def _render(self, extension: str) -> str:
        if not 0 < len(self.listing.occasions) <= MAX_PASTED:
            return ""
        return BY_EXTENSION[extension]().write_events(self.listing).decode().strip()
