"""Listings: the occasions of a selection or a part of it, with the metadata that formats write."""

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
    """An occasion that clients are to drop, and when it or its event last changed.

    `start` is known if the occasion still exists but is no longer selected.
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

    # The path of its URL, without extension, and the fields of the selection that the path implies.
    path = "/api/events"
    in_path: tuple[str, ...] = ()
    # Whether it is a calendar to subscribe to, not an entry to add to an existing one.
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
        """Occasions that clients are to drop; None for a listing that clients cannot follow."""
        return None

    @property
    def index(self) -> SelectionIndex:
        return self.snapshot.programme.index

    @property
    def website(self) -> str:
        """The URL of the website that a feed belongs to."""
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
        """When an occasion was last modified or anything was withdrawn, else when the festival was saved."""
        programme = self.snapshot.programme
        moments = filter(None, (*self.moments, programme.revision.withdrawn_at))
        return max(moments, default=programme.festival.saved_at)

    @property
    def moments(self) -> Iterator[datetime]:
        """When its elements, and the lists that it names, were last modified."""
        yield from (occasion.event.last_modified for occasion in self.occasions)
        yield from (each.saved_at for each in self.index.find_lists(self.selection))

    def url(self, extension: str) -> str:
        return self._url(extension, self.part_query)

    def feed_id(self, extension: str) -> str:
        """Return the URL of the whole selection, which all its parts share."""
        return self._url(extension, "")

    @property
    def part_query(self) -> str:
        """The query parameters of a part of a selection; empty for the whole."""
        return ""

    @property
    def key(self) -> Hashable:
        """The cache key, unique within a snapshot."""
        return (self.path, self.selection, self.part_query)

    @property
    def depends_on_time(self) -> bool:
        return self.selection.depends_on_time

    @property
    def is_cacheable(self) -> bool:
        """Whether the response may be cached: not if clients can request endless variants."""
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
    """One occasion; `shown` is a selection with its language and treatment of cancellations."""

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


# The sizes of pages that are cached; all possible sizes would be too many.
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
        """Whether the page is one that clients reach from the first by following `next`."""
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
    """The occasions of a selection modified since an instant, and those that have left it.

    The instant is included: an edit may be of the same millisecond as the client's copy. Adding to a list
    does not modify an occasion, so after an edit of a list all of its occasions are included.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        selection: Selection,
        since: datetime,
        left: tuple[RemovedOccasion, ...] = (),
    ) -> None:
        """Initialize the listing; `left` are occasions that may have left the edition."""
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
        # Some may have returned since.
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
        """Return the client's next `modified_since`: the end of this revision."""
        return {"Modified-Until": format_timestamp(self.snapshot.programme.revision.moved_at)}

    def _is_new(self, occasion: Occasion) -> bool:
        return self._modified_at(occasion) >= self.since

    def _modified_at(self, occasion: Occasion) -> datetime:
        return max(occasion.event.last_modified, self._edited_at)

    @cached_property
    def _edited_at(self) -> datetime:
        """When the requested edition and lists were last edited; a deleted list counts as edited now."""
        programme = self.snapshot.programme
        saved = [each.saved_at for each in self.index.find_lists(self.selection)]
        gone = [programme.revision.moved_at] * bool(self.selection.lists)
        return max([programme.find_edit(self.selection.edition), *(saved or gone)])
