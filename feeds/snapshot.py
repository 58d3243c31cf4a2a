"""Snapshots: the programme between two transitions."""

from collections.abc import Callable
from datetime import datetime

from feeds.programme import Programme
from feeds.selection import Selection
from feeds.transitions import UPDATED_FOR
from feeds.vocabulary import LanguageCode, Occasion
from feeds.wording import format_time_span


class Snapshot:
    """The programme at an instant, the same until `ends`."""

    def __init__(self, programme: Programme, now: datetime) -> None:
        self.programme = programme
        self.now = now
        self.begins, self.ends = programme.transitions.around(now)
        # The festival day, for selections, and the calendar date, for wording.
        self.today = programme.site.time.day_of(now)
        self.date = programme.site.time.local(now).date()

    def find(self, selection: Selection) -> tuple[Occasion, ...]:
        return self.programme.index.find(selection, self.now, self.today)

    def build_test(self, selection: Selection) -> Callable[[Occasion], bool]:
        """Return the test of whether an occasion meets a selection."""
        return self.programme.index.build_test(selection, self.now, self.today)

    def time_span(self, occasion: Occasion, language: LanguageCode) -> str:
        """Return `idag 14:00–15:00` and the like."""
        return format_time_span(self.programme.span(occasion), self.date, language)

    def is_updated(self, occasion: Occasion) -> bool:
        """Return whether an occasion or its event was marked as changed within the last 36 hours."""
        changed = occasion.changed_at
        return changed is not None and changed <= self.now < changed + UPDATED_FOR
