"""All coming occasions as one document, for printing and for reading offline."""

from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.selection import DayRange
from feeds.vocabulary import Location, Occasion
from feeds.wording import format_full_span
from pages.addresses import EVERYTHING, NEWS, START, build_path
from pages.details import DetailText, localize
from pages.query import GRID
from pages.rows import OccasionRow, RowBuilder
from pages.selected import SelectedPage

# A page of more would take seconds to read and to write.
MAX_ARTICLES = 3_000


class Article(NamedTuple):
    """An occasion with its texts; `begins` and `ends` are in seconds of the epoch, `position` in degrees."""

    row: OccasionRow
    begins: int
    ends: int
    position: str
    texts: list[DetailText]


class EverythingPage(SelectedPage):
    paths = EVERYTHING

    @cached_property
    def _coming(self) -> list[Occasion]:
        return [each for each in self.snapshot.find(self.selection) if each.end > self.snapshot.now]

    @cached_property
    def days(self) -> list[tuple[str, str, list[Article]]]:
        rows = RowBuilder(self.snapshot, self.language)
        split = rows.split_days(self._coming[:MAX_ARTICLES], self.selection.during)
        return [
            (day.isoformat(), rows.name_day(day), [self._build(each, rows) for each in found])
            for day, found in split
        ]

    @property
    def more(self) -> str:
        left = len(self._coming) - MAX_ARTICLES
        return _("{} more").format(left) if left > 0 else ""

    @property
    def kept(self) -> list[str]:
        """The addresses of further pages to store for offline use: timetable, news, and each day's views."""
        start = START[self.language]
        dated = [
            replace(self.selection, during=(DayRange(day, day),))
            for day in sorted({self.programme.span(each).day for each in self._coming})
            if day >= self.snapshot.today
        ]
        of_days = [build_path(start, each, view=view) for each in dated for view in ("", GRID)]
        return [
            build_path(start, self.selection, view=GRID),
            build_path(NEWS[self.language], self.selection),
            *of_days,
        ]

    def _build(self, occasion: Occasion, rows: RowBuilder) -> Article:
        event, time = occasion.event, self.programme.site.time
        when = format_full_span(time.span(occasion.start, occasion.end), self.language)
        texts = (localize(each, self.language) for each in (event.intro, event.description))
        return Article(
            # With full dates and without pictures, for use offline.
            rows.build(occasion)._replace(times=when, dated="", picture="", text=""),
            int(occasion.start.timestamp()),
            int(occasion.end.timestamp()),
            _write_position(occasion.place.location) if occasion.place else "",
            [each for each in texts if each.text],
        )


def _write_position(location: Location) -> str:
    return "" if location.latitude is None else f"{location.latitude:.5f},{location.longitude:.5f}"
