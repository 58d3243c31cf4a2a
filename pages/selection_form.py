"""The form of the subscribe page, which chooses a selection: every filter, and the days."""

from datetime import date
from functools import partial

from feeds.selection import DateKeyword, Selection
from feeds.snapshot import Snapshot
from feeds.wording import WORDS, format_day
from pages.addresses import SUBSCRIBE, build_path
from pages.filters import MAX_AREAS, MAX_OPTIONS, AreaLink, Filters, Option

# Dates that stay true for a subscription.
RELATIVE_DATES = (DateKeyword.TODAY, DateKeyword.TOMORROW, DateKeyword.UPCOMING)


class SelectionForm:
    """The form around a canonical selection; its `filters` are those of the programme's page."""

    def __init__(self, snapshot: Snapshot, selection: Selection) -> None:
        self.snapshot = snapshot
        self.selection = selection
        self.language = selection.language
        # Not a method of this form, which would refer to itself and keep its snapshot in memory.
        self.filters = Filters(snapshot.programme, selection, partial(build_path, SUBSCRIBE[self.language]))

    @property
    def areas(self) -> list[AreaLink]:
        return self.filters.areas if len(self.filters.areas) > 1 else []

    @property
    def has_many_areas(self) -> bool:
        """Whether the areas scroll, so that the rest of the form is not far below."""
        return len(self.areas) > MAX_AREAS

    @property
    def dates(self) -> list[Option]:
        """The relative dates and the festival's days, and the chosen date if it is neither."""
        words, this_year = WORDS[self.language], self.snapshot.date.year
        chosen = self._dates[:1]
        named = {str(each): getattr(words, each) for each in RELATIVE_DATES}
        for day in self._days:
            year = "" if day.year == this_year else f" {day.year}"
            named[day.isoformat()] = f"{format_day(day, self.language)}{year}"
        others = {each: each for each in chosen if each not in named}
        return [Option(value, name, value in chosen) for value, name in (named | others).items()]

    @property
    def _days(self) -> list[date]:
        days = sorted(self.snapshot.programme.index.by_day)
        return days if len(days) <= MAX_OPTIONS else []

    @property
    def _dates(self) -> list[str]:
        return [str(each) for each in (*self.selection.moments, *self.selection.days)]

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """The parameters that the form sends along without a field of their own."""
        boxes = {each.name for each in self.areas}
        left = [pair for pair in self.filters.hidden if pair[0] != "date"]
        left = [(name, value) for name, value in left if name != "area" or value not in boxes]
        return [*left, *(("date", each) for each in self._dates[1:])]
