"""The listing of what was modified since an instant, which followers who keep a copy ask for."""

from collections.abc import Iterator
from datetime import datetime
from functools import cached_property

from feeds.listing import Listing, RemovedOccasion, format_timestamp
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import Occasion


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
