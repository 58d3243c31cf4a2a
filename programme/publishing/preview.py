"""How an event will look to readers before they see it: from a programme of its own, that nobody keeps."""

from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from feeds.formats import FORMATS
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion

PageWriter = Callable[[Snapshot, Occasion, LanguageCode], bytes]


class PageWriterRegistry:
    """Where the package of the pages, which imports this one, says how it writes an occasion's page."""

    write_page: PageWriter | None = None


class Representation(NamedTuple):
    extension: str
    text: str


class Preview:
    """An event of a programme that holds no other, seen from an instant, as all formats write it."""

    def __init__(self, programme: Programme, instant: datetime) -> None:
        self.snapshot = Snapshot(programme, instant)

    @cached_property
    def occasion(self) -> Occasion | None:
        """The occasion whose page is shown: the next that is not over, else the last; None without any."""
        every = self.snapshot.programme.occasions
        ahead = (each for each in every if each.end > self.snapshot.now)
        return next(ahead, every[-1] if every else None)

    def page(self, language: LanguageCode) -> str:
        """Return the occasion's page, '' where there is no occasion or nobody who writes pages."""
        if self.occasion is None or PageWriterRegistry.write_page is None:
            return ""
        return PageWriterRegistry.write_page(self.snapshot, self.occasion, language).decode()

    def representations(self, language: LanguageCode) -> list[Representation]:
        """Return the list of the event's occasions in each format."""
        selection = self.snapshot.programme.index.canonical(Selection(language=language))
        return [
            Representation(
                each.extension,
                each().write_events(Listing(self.snapshot, selection)).decode(),
            )
            for each in FORMATS
        ]
