"""A selection as a format writes it: the occasions, and the facts about the document as a whole."""

from datetime import datetime
from functools import cached_property

from django.utils.text import slugify

from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.tombstones import RemovedOccasion
from feeds.vocabulary import LanguageCode, Occasion, Site
from feeds.wording import WORDS

# Letters of a title in the name of a file.
LONGEST_NAME = 60


class Listing:
    """What every format is given to write.

    `selection` must be canonical (`Index.canonical`), so that equal wishes give equal bytes.
    """

    # Where it is found under the service's address, without extension and query.
    path = "/api/events"

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

    @property
    def removed(self) -> tuple[RemovedOccasion, ...] | None:
        """What followers are to drop; None: nobody follows, and no format speaks of it."""
        return None

    @property
    def is_topic(self) -> bool:
        """Whether it is the whole programme or an area's: what readers subscribe to (`topics`)."""
        alone = Selection(areas=self.selection.areas, language=self.selection.language)
        return not self.part_query and self.selection == alone and len(self.selection.areas) <= 1

    @property
    def names(self) -> list[str]:
        """What was selected, as titles say it."""
        return self.snapshot.programme.index.titles(self.selection)

    @cached_property
    def title(self) -> str:
        """The festival's name, followed by the names of what was selected."""
        titles = self.names
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
        """Return the canonical URL in a format."""
        return self._url(extension, self.part_query)

    def feed_id(self, extension: str) -> str:
        """Return the URL of the whole, which is the same for all its parts."""
        return self._url(extension, "")

    # The query of the part of a selection that this is, and whether readers come to it by themselves: its
    # answer may be kept. Of moments and offsets to invent there is no end.
    part_query = ""
    is_cacheable = True

    def pages(self, extension: str) -> dict[str, str]:  # noqa: ARG002 - of a whole there are none
        """Return the URLs of other pages, by relation (RFC 8288)."""
        return {}

    def headers(self, extension: str) -> dict[str, str]:  # noqa: ARG002
        """Return what an answer says beside the document."""
        return {}

    def _url(self, extension: str, part_query: str) -> str:
        query = "&".join(filter(None, (self.selection.query, part_query)))
        return f"{self.site.base_url}{self.path}.{extension}{'?' if query else ''}{query}"


def build_api_path(occasion_id: int) -> str:
    """Return where one occasion is found under the service's address, without extension."""
    return f"/api/occations/{occasion_id}"


class OccasionListing(Listing):
    """One occasion by itself, at an address of its own."""

    def __init__(self, snapshot: Snapshot, occasion: Occasion, language: LanguageCode) -> None:
        super().__init__(snapshot, Selection(language=language))
        self.occasion = occasion
        self.path = build_api_path(occasion.id)

    @property
    def is_topic(self) -> bool:
        return False

    @property
    def occasions(self) -> tuple[Occasion, ...]:  # type: ignore[override]
        return (self.occasion,)

    @property
    def names(self) -> list[str]:
        return [self.occasion.event.title]

    @property
    def file_name(self) -> str:
        """A name for a file of it, without extension: its title as letters that every system can write."""
        return "-".join(
            filter(None, (slugify(self.occasion.event.title)[:LONGEST_NAME], str(self.occasion.id)))
        )
