"""Parts of a selection: a page, or what was modified since somebody copied it."""

from collections.abc import Iterator
from datetime import datetime
from functools import cached_property

from feeds.listing import Listing
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.tombstones import RemovedOccasion, format_timestamp
from feeds.vocabulary import Occasion

# Pages of these sizes are cached: of all sizes there are too many.
CACHEABLE_LIMITS = frozenset({10, 20, 25, 50, 100, 200, 500, 1000})


class PageListing(Listing):
    """A page of a selection: `limit` occasions from `offset` on."""

    def __init__(self, snapshot: Snapshot, selection: Selection, limit: int, offset: int) -> None:
        super().__init__(snapshot, selection)
        self.limit = limit
        self.offset = offset

    @cached_property
    def every(self) -> tuple[Occasion, ...]:
        return self.snapshot.find(self.selection)

    @cached_property
    def occasions(self) -> tuple[Occasion, ...]:
        return self.every[self.offset : self.offset + self.limit]

    @property
    def is_cacheable(self) -> bool:
        """Whether readers come to it who begin with the first page and follow `next`."""
        return self.limit in CACHEABLE_LIMITS and not self.offset % self.limit and self.offset <= self._last

    @property
    def part_query(self) -> str:
        return self._page_query(self.offset)

    def pages(self, extension: str) -> dict[str, str]:
        offsets = {"first": 0, "last": self._last}
        if self.offset:
            offsets["prev"] = max(0, min(self.offset - self.limit, self._last))
        if self.offset + self.limit < len(self.every):
            offsets["next"] = self.offset + self.limit
        return {
            relation: self._url(extension, self._page_query(offsets[relation]))
            for relation in ("first", "prev", "next", "last")
            if relation in offsets
        }

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

    The instant itself counts: an edit may be of the same millisecond as the copy's revision.
    """

    def __init__(self, snapshot: Snapshot, selection: Selection, since: datetime) -> None:
        super().__init__(snapshot, selection)
        self.since = since

    @cached_property
    def occasions(self) -> tuple[Occasion, ...]:
        return tuple(each for each in self.snapshot.find(self.selection) if self._is_new(each))

    @cached_property
    def removed(self) -> tuple[RemovedOccasion, ...]:
        programme = self.snapshot.programme
        selected = {each.id for each in self.occasions}
        found = [RemovedOccasion(each, each.at) for each in programme.gone.values() if each.at >= self.since]
        found += [
            RemovedOccasion(each.identity, each.event.last_modified, each.start)
            for each in programme.occasions
            if self._is_new(each) and each.id not in selected
        ]
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
        return occasion.event.last_modified >= self.since
