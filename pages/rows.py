"""Occasions as rows of a list: what a visitor chooses by."""

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString

from feeds.festival_time import ONE_DAY
from feeds.memoization import memoize
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion, build_occasion_path
from feeds.wording import EN_DASH, format_clock, format_relative_day


@memoize
def render_row(template: str, row: NamedTuple, language: LanguageCode) -> SafeString:
    """Return how a row is written. Most stay as they are from snapshot to snapshot, so it is remembered.

    It sets the language of its key: nothing can be remembered under the wrong one.
    """
    with translation.override(language):
        return render_to_string(f"pages/{template}.html", {"row": row})


class OccasionRow(NamedTuple):
    """An occasion in a list."""

    spoken: LanguageCode
    id: int
    path: str
    start: str
    times: str
    title: str
    place: str
    area: str
    area_id: int
    type: str
    cancelled: bool
    changed: bool
    highlighted: bool
    sign_interpreted: bool

    @property
    def as_list_item(self) -> SafeString:
        return render_row("list_row", self, self.spoken)

    @property
    def on_paper(self) -> SafeString:
        """How it is written in the table of a printed timetable."""
        return render_row("print_row", self, self.spoken)


class Slot(NamedTuple):
    """What begins at the same time; `anchor` is what it is jumped to by, '' where it is not."""

    clock: str
    rows: list[OccasionRow]
    anchor: str = ""


class RowBuilder:
    """Makes rows of occasions in one language."""

    def __init__(self, snapshot: Snapshot, language: LanguageCode) -> None:
        self.snapshot = snapshot
        self.language = language

    def row(self, occasion: Occasion, day: date | None = None) -> OccasionRow:
        """Return the row of an occasion, under the heading of a day: by default its own."""
        event, place = occasion.event, occasion.place.full_name if occasion.place else ""
        return OccasionRow(
            spoken=self.language,
            id=occasion.id,
            path=build_occasion_path(occasion.id, self.language),
            start=self.snapshot.programme.span(occasion).start.isoformat(timespec="minutes"),
            times=self.times(occasion, day),
            title=event.title,
            place=place,
            # Small festivals call both the same.
            area=event.area.name if event.area.name != place else "",
            area_id=event.area.id,
            type=event.type.name.within(self.language),
            cancelled=occasion.cancelled,
            changed=self.snapshot.is_updated(event),
            highlighted=event.highlighted,
            sign_interpreted=event.sign_interpreted,
        )

    def dated(self, occasion: Occasion) -> str:
        """Return `idag 14:00–15:00`."""
        return f"{self._day(self.snapshot.programme.span(occasion).day)}{self.times(occasion)}"

    def times(self, occasion: Occasion, day: date | None = None) -> str:
        """Return `14:00–15:00`; with the first day where the heading is another one's.

        The last day is told of what lasts a day and longer: 12:00–12:00 would look like no time at all.
        """
        span = self.snapshot.programme.span(occasion)
        lasts = span.end - span.start >= ONE_DAY and span.last_day != span.day
        first = self._day(span.day) if day not in (None, span.day) else ""
        last = self._day(span.last_day) if lasts else ""
        return f"{first}{format_clock(span.start)}{EN_DASH}{last}{format_clock(span.end)}"

    def _day(self, day: date) -> str:
        return f"{format_relative_day(day, self.snapshot.today, self.language)} "

    def slots(self, occasions: Iterable[Occasion]) -> list[Slot]:
        """Return occasions that stand in order, by when they begin."""
        starts = groupby(occasions, key=lambda each: format_clock(self.snapshot.programme.span(each).start))
        return [Slot(start, [self.row(each) for each in together]) for start, together in starts]

    def days(self, occasions: Iterable[Occasion]) -> Iterator[tuple[date, list[Slot]]]:
        """Yield the slots of each festival day."""
        for day, together in groupby(occasions, key=lambda each: self.snapshot.programme.span(each).day):
            yield day, self.slots(together)
