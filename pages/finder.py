"""Finds what a page shows: of a selection what begins after an hour, which no feed knows."""

from typing import NamedTuple

from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import Occasion

# The hours that visitors choose from.
HOURS = (12, 15, 18, 21)


class Finder(NamedTuple):
    snapshot: Snapshot
    after: int | None

    def find(self, selection: Selection) -> tuple[Occasion, ...]:
        found = self.snapshot.find(selection)
        return found if self.after is None else self.leave(found, self.after)

    def leave(self, found: tuple[Occasion, ...], after: int) -> tuple[Occasion, ...]:
        """Return what begins at an hour or later: a festival day may go on after midnight."""
        span, first = self.snapshot.programme.span, self.snapshot.programme.site.time.first_hour
        least = (after - first) % 24
        return tuple(each for each in found if (span(each).start.hour - first) % 24 >= least)
