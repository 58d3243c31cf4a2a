"""What is on now and what begins next, above today's list."""

from functools import cached_property

from msgspec.structs import replace

from feeds.selection import DateKeyword, Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import Occasion
from pages.rows import OccasionRow, RowBuilder

# Of those on now and those next.
MAX_ROWS = 4


class NowAndNext:
    """The occasions of a selection, which asks for no days, that are on now, and the next ones of today."""

    def __init__(self, snapshot: Snapshot, undated: Selection, rows: RowBuilder) -> None:
        self._snapshot = snapshot
        self._undated = undated
        self._rows = rows
        self.selection = replace(undated, moments=(DateKeyword.NOW,))

    @cached_property
    def _running(self) -> tuple[Occasion, ...]:
        return tuple(reversed(self._snapshot.find(self.selection)))

    @cached_property
    def running(self) -> list[OccasionRow]:
        """Those that began last come first."""
        return [self._rows.build(each, self._snapshot.today) for each in self._running[:MAX_ROWS]]

    @property
    def running_count(self) -> int:
        return len(self._running)

    @cached_property
    def upcoming(self) -> list[OccasionRow]:
        found = self._snapshot.find(replace(self._undated, moments=(DateKeyword.UPCOMING,)))
        span, today = self._snapshot.programme.span, self._snapshot.today
        return [self._rows.build(each) for each in found[:MAX_ROWS] if span(each).day == today]
