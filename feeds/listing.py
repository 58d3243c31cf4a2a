"""A selection as a format writes it: the occasions, and the facts about the document as a whole."""

from datetime import datetime
from functools import cached_property

from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion, Site
from feeds.wording import WORDS


class Listing:
    """What every format is given to write.

    `selection` must be canonical (`Index.canonical`), so that equal wishes give equal bytes.
    """

    def __init__(self, snapshot: Snapshot, selection: Selection) -> None:
        self.snapshot = snapshot
        self.selection = selection

    @cached_property
    def occasions(self) -> tuple[Occasion, ...]:
        return self.snapshot.find(self.selection)

    @property
    def language(self) -> LanguageCode:
        return self.selection.language

    @property
    def site(self) -> Site:
        return self.snapshot.programme.site

    @property
    def festival_name(self) -> str:
        return self.snapshot.programme.festival.name.within(self.language)

    @property
    def subtitle(self) -> str:
        """The fixed descriptive text of feeds."""
        festival = self.snapshot.programme.festival
        return festival.subtitle.within(self.language) or self.description

    @cached_property
    def title(self) -> str:
        """The festival's name, followed by the names of what was selected."""
        titles = self.snapshot.programme.index.titles(self.selection)
        return f"{self.festival_name}: {', '.join(titles)}" if titles else self.festival_name

    @property
    def description(self) -> str:
        """`Programpunkter under` and the title."""
        return f"{WORDS[self.language].programme_of} {self.title}"

    @cached_property
    def modified(self) -> datetime:
        """When anything in it was last modified; of an empty one, when the festival was last saved."""
        moments = (occasion.event.last_modified for occasion in self.occasions)
        return max(moments, default=self.snapshot.programme.festival.saved_at)

    def url(self, extension: str) -> str:
        """Return the canonical URL of the selection in a format."""
        query = self.selection.query
        return f"{self.site.base_url}/api/events.{extension}{'?' if query else ''}{query}"
