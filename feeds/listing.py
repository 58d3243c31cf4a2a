"""Listings: what formats write of a selection or a part of it, and the facts about the document."""

from collections.abc import Hashable, Iterator
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Literal

from django.utils.text import slugify
from msgspec.structs import replace

from feeds.index import SelectionIndex
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import Identity, LanguageCode, Occasion, Site, Value
from feeds.wording import WORDS

# Letters of a title in the name of a file.
MAX_FILE_NAME = 60


class RemovedOccasion(Value, frozen=True):
    """An occasion to drop, and when it or its event last changed.

    `start` is known if the occasion still exists, and is only not selected any more.
    """

    identity: Identity
    at: datetime
    start: datetime | None = None

    @property
    def reason(self) -> Literal["gone", "unselected"]:
        return "unselected" if self.start else "gone"


def format_timestamp(moment: datetime) -> str:
    """Return an instant in UTC, to the microsecond: `2026-07-29T12:00:00.000000Z`."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


class Listing:
    """A selection to write in a format.

    `selection` must be canonical (`SelectionIndex.canonical`), so that equal selections give equal bytes.
    """

    # The path of its URL, without extension, and the fields of the selection that it says.
    path = "/api/events"
    in_path: tuple[str, ...] = ()
    # Whether it is subscribed to as a calendar of its own, not added to one that is there.
    is_calendar = True

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
        festival = self.snapshot.programme.festival
        return festival.subtitle.within(self.language) or self.description

    @property
    def removed(self) -> tuple[RemovedOccasion, ...] | None:
        """Occasions that followers of the listing are to drop; None: it cannot be followed."""
        return None

    @property
    def index(self) -> SelectionIndex:
        return self.snapshot.programme.index

    @property
    def website(self) -> str:
        """The URL of what a feed is a feed of."""
        return self.snapshot.programme.festival.website or f"{self.site.base_url}/"

    @property
    def names(self) -> list[str]:
        return self.index.titles(self.selection)

    @cached_property
    def title(self) -> str:
        programme, titles = self.snapshot.programme, ", ".join(self.names)
        named = programme.find_title(self.language, asked=bool(self.selection.edition))
        return f"{named}: {titles}" if titles else named

    @property
    def description(self) -> str:
        """`Programpunkter under` and the title."""
        return f"{WORDS[self.language].programme_of} {self.title}"

    @cached_property
    def modified(self) -> datetime:
        """When an occasion was last modified, or anything withdrawn; where neither, when the festival was."""
        programme = self.snapshot.programme
        withdrawn = programme.revision.withdrawn_at
        moments = (*self.moments, *([withdrawn] if withdrawn else []))
        return max(moments, default=programme.festival.saved_at)

    @property
    def moments(self) -> Iterator[datetime]:
        """When each of its elements was last modified, and the lists that they are on."""
        yield from (occasion.event.last_modified for occasion in self.occasions)
        yield from (each.saved_at for each in self.index.find_lists(self.selection))

    def url(self, extension: str) -> str:
        return self._url(extension, self.part_query)

    def feed_id(self, extension: str) -> str:
        """Return the URL of the whole selection, which all its parts share."""
        return self._url(extension, "")

    @property
    def part_query(self) -> str:
        """The query parameters of the part of a selection that this is; empty for the whole."""
        return ""

    @property
    def key(self) -> Hashable:
        """What tells it from other listings of a snapshot."""
        return (self.path, self.selection, self.part_query)

    @property
    def depends_on_time(self) -> bool:
        return self.selection.depends_on_time

    @property
    def is_cacheable(self) -> bool:
        """Whether the response may be cached: not of parts that readers can invent without end."""
        return self.index.is_known(self.selection)

    def pages(self, extension: str) -> dict[str, str]:  # noqa: ARG002 - the whole has none
        """Return the URLs of other pages, by relation (RFC 8288)."""
        return {}

    def headers(self, extension: str) -> dict[str, str]:  # noqa: ARG002
        return {}

    def _url(self, extension: str, part_query: str) -> str:
        selection = replace(self.selection, **dict.fromkeys(self.in_path, ()))
        query = "&".join(filter(None, (selection.query, part_query)))
        return f"{self.site.base_url}{self.path}.{extension}{'?' if query else ''}{query}"


def build_api_path(occasion_id: int) -> str:
    """Return the path of one occasion in the API, without extension."""
    return f"/api/occations/{occasion_id}"


class OccasionListing(Listing):
    """One occasion; `shown` is a selection of everything, which says in what language and way."""

    is_calendar = False

    def __init__(self, snapshot: Snapshot, occasion: Occasion, shown: Selection) -> None:
        super().__init__(snapshot, shown)
        self.occasion = occasion
        self.path = build_api_path(occasion.id)

    @cached_property
    def occasions(self) -> tuple[Occasion, ...]:
        return (self.occasion,)

    @cached_property
    def modified(self) -> datetime:
        # Nothing can be withdrawn from it.
        return self.occasion.event.last_modified

    @property
    def is_cacheable(self) -> bool:
        return True

    @property
    def names(self) -> list[str]:
        return [self.occasion.event.title]

    @property
    def file_name(self) -> str:
        """The name of a file with it, without extension: its title in ASCII, and its ID."""
        title = slugify(self.occasion.event.title)[:MAX_FILE_NAME]
        return f"{title}-{self.occasion.id}" if title else str(self.occasion.id)


# Pages of these sizes are cached: of all sizes there are too many.
CACHEABLE_LIMITS = frozenset({10, 20, 25, 50, 100, 200, 500, 1000})


class PageListing(Listing):
    """A page of a selection: `limit` elements, which are occasions, from `offset` on."""

    def __init__(self, snapshot: Snapshot, selection: Selection, limit: int, offset: int) -> None:
        super().__init__(snapshot, selection)
        self.limit = limit
        self.offset = offset

    @cached_property
    def every(self) -> tuple[Any, ...]:
        return self.snapshot.find(self.selection)

    @cached_property
    def occasions(self) -> tuple[Any, ...]:
        return self.every[self.offset : self.offset + self.limit]

    @property
    def is_cacheable(self) -> bool:
        """Whether readers come to it who begin with the first page and follow `next`."""
        is_page = self.limit in CACHEABLE_LIMITS and not self.offset % self.limit
        return is_page and self.offset <= self._last and super().is_cacheable

    @property
    def part_query(self) -> str:
        return self._page_query(self.offset)

    def pages(self, extension: str) -> dict[str, str]:
        offsets = {"first": 0}
        if self.offset:
            offsets["prev"] = max(0, min(self.offset - self.limit, self._last))
        if self.offset + self.limit < len(self.every):
            offsets["next"] = self.offset + self.limit
        offsets["last"] = self._last
        return {name: self._url(extension, self._page_query(each)) for name, each in offsets.items()}

    def headers(self, extension: str) -> dict[str, str]:
        links = (f'<{url}>; rel="{relation}"' for relation, url in self.pages(extension).items())
        return {"Link": ", ".join(links), "X-Total-Count": str(len(self.every))}

    @property
    def _last(self) -> int:
        return max(0, len(self.every) - 1) // self.limit * self.limit

    def _page_query(self, offset: int) -> str:
        return f"limit={self.limit}&offset={offset}" if offset else f"limit={self.limit}"


class ModifiedListing(Listing):
    """What was modified in a selection since an instant, and what has left it.

    The instant itself counts: an edit may be of the same millisecond as the copy's revision. What comes onto
    a list or leaves it is not modified: after an edit of a list all is told again.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        selection: Selection,
        since: datetime,
        left: tuple[RemovedOccasion, ...] = (),
    ) -> None:
        """Make the listing; `left` is what may be of the edition no more."""
        super().__init__(snapshot, selection)
        self.since = since
        self.left = left

    @cached_property
    def occasions(self) -> tuple[Occasion, ...]:
        return tuple(each for each in self.snapshot.find(self.selection) if self._is_new(each))

    @cached_property
    def removed(self) -> tuple[RemovedOccasion, ...]:
        programme = self.snapshot.programme
        selected = {each.id for each in self.occasions}
        found = [RemovedOccasion(each, each.at) for each in programme.gone.values() if each.at >= self.since]
        found += [
            RemovedOccasion(each.identity, self._modified_at(each), each.start)
            for each in programme.occasions
            if self._is_new(each) and each.id not in selected
        ]
        # They may have come back since.
        found += [each for each in self.left if each.identity.id not in programme.by_id]
        return tuple(sorted(found, key=lambda each: (each.at, each.identity.id)))

    @property
    def moments(self) -> Iterator[datetime]:
        yield from super().moments
        yield from (each.at for each in self.removed)

    @property
    def part_query(self) -> str:
        return f"modified_since={format_timestamp(self.since)}"

    @property
    def is_cacheable(self) -> bool:
        return False

    def headers(self, extension: str) -> dict[str, str]:  # noqa: ARG002
        """Return the next `modified_since`: no edit before the end of this revision can be newer."""
        return {"Modified-Until": format_timestamp(self.snapshot.programme.revision.moved_at)}

    def _is_new(self, occasion: Occasion) -> bool:
        return self._modified_at(occasion) >= self.since

    def _modified_at(self, occasion: Occasion) -> datetime:
        return max(occasion.event.last_modified, self._edited_at)

    @cached_property
    def _edited_at(self) -> datetime:
        """When the edition and the lists that are asked for were last edited; a list that is gone, now."""
        programme = self.snapshot.programme
        saved = [each.saved_at for each in self.index.find_lists(self.selection)]
        gone = [programme.revision.moved_at] * bool(self.selection.lists)
        return max([programme.find_edit(self.selection.edition), *(saved or gone)])
