"""Previews of an event: what readers would get of it, from a programme that holds no other."""

from collections.abc import Callable
from datetime import datetime
from functools import cached_property

from feeds.formats import FORMATS
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion

# Writes the page of an occasion, and the text of its style element. The pages import this room, so their
# writer is passed to it.
PageWriter = Callable[[Snapshot, Occasion, LanguageCode], tuple[bytes, str]]


class Preview:
    """The event of a programme that holds no other, at an instant."""

    def __init__(self, programme: Programme, instant: datetime, write_page: PageWriter) -> None:
        self.snapshot = Snapshot(programme, instant)
        self.write_page = write_page

    @cached_property
    def occasion(self) -> Occasion | None:
        """The occasion whose page is shown: the next that is not over, else the last; None without any."""
        every = self.snapshot.programme.occasions
        ahead = (each for each in every if each.end > self.snapshot.now)
        return next(ahead, every[-1] if every else None)

    def page(self, language: LanguageCode) -> tuple[str, str]:
        """Return the page and the text of its style element; nothing without an occasion."""
        if self.occasion is None:
            return "", ""
        body, style = self.write_page(self.snapshot, self.occasion, language)
        return body.decode(), style

    def representations(self, language: LanguageCode) -> dict[str, str]:
        """Return what readers get, by the extension of the format."""
        selection = self.snapshot.programme.index.canonical(Selection(language=language))
        listing = Listing(self.snapshot, selection)
        return {each.extension: each().write_events(listing).decode() for each in FORMATS}
