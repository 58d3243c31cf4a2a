"""The festival's days as tabs, the hours of a busy day, and the running and next occasions."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import date, timedelta
from itertools import groupby
from typing import Any, NamedTuple

from msgspec.structs import replace

from feeds.day_layout import choose_tabs
from feeds.index import build_day_test
from feeds.selection import DateKeyword, DayRange, Selection, find_days
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion
from feeds.wording import WORDS
from pages.rows import OccasionRow, RowBuilder, StartGroup

# The context of a tab: `year` if it is not the present one, `today` the word for today.
DayTab = dict[str, Any]


class DayTabs:
    def __init__(self, snapshot: Snapshot, selected: Collection[Occasion]) -> None:
        span = snapshot.programme.span
        self.snapshot = snapshot
        self.every = sorted(snapshot.programme.index.by_day)
        spans = [(each, span(each)) for each in selected]
        self.counts = Counter(span.day for _each, span in spans)
        lasting = [each for each, span in spans if span.end.date() > span.day]
        for day in self.every if lasting else ():
            goes_on = build_day_test(snapshot.programme.site.time, day)
            self.counts[day] += sum(map(goes_on, lasting))

    def default(self) -> date | None:
        """Return today or the next day with occasions, else the last; for a former edition the first."""
        having = [day for day in self.every if self.counts[day]] or self.every
        to_come = [day for day in having if day >= self.snapshot.today]
        last = -1 if self.snapshot.programme.is_current else 0
        return to_come[0] if to_come else having[last] if having else None

    def around(self, chosen: date | None) -> list[date]:
        return choose_tabs(self.every, chosen or self.default() or date.min)

    def beyond(self, shown: list[date]) -> tuple[date | None, date | None]:
        before = max((day for day in self.every if day < shown[0]), default=None)
        after = min((day for day in self.every if day > shown[-1]), default=None)
        return before, after

    def tabs(
        self, chosen: date | None, shown: list[date], language: LanguageCode, path: Callable[[date], str]
    ) -> list[DayTab]:
        words, today = WORDS[language], self.snapshot.today
        year = self.snapshot.date.year
        several_years = len({day.year for day in shown} | {year}) > 1
        return [
            {
                "date": day.isoformat(),
                "weekday": words.days_short[day.weekday()],
                "number": day.day,
                "month": words.months_short[day.month - 1],
                "year": str(day.year) if several_years and day.year != year else "",
                "size": self.counts[day],
                "today": words.today if day == today else "",
                "chosen": day == chosen,
                "path": path(day),
            }
            for day in shown
        ]


# Shorter lists are read from end to end.
MIN_ROWS_FOR_LINKS = 40
# Longer occasions, such as exhibitions, are not attended from start to end.
MAX_ATTENDED = timedelta(hours=5)


class DaySection(NamedTuple):
    """A day's list, its name if there are several days, links to its hours, and its long occasions."""

    date: str
    name: str
    slots: list[StartGroup]
    hours: list[tuple[str, str]]
    long: list[OccasionRow]


def build_day_section(day: date, name: str, occasions: Iterable[Occasion], rows: RowBuilder) -> DaySection:
    """Return the section of a day; without a name it has the anchors that other pages link to."""
    before, begun = part_by_day(rows.snapshot, day, occasions)
    listed, long = _part(begun)
    slots = list(add_anchors(rows.group_by_start(listed), f"{day}-" if name else ""))
    links = [(slot.clock[:2], slot.anchor) for slot in slots if slot.anchor]
    has_links = len(listed) > MIN_ROWS_FOR_LINKS and len(links) > 1
    built = (rows.build(each, day) for each in before + long)
    beside = [each._replace(text="") if each.text else each for each in built]
    return DaySection(day.isoformat(), name, slots, links if has_links else [], beside)


def find_shown(snapshot: Snapshot, selection: Selection) -> tuple[Occasion, ...]:
    """Return the occasions that a page shows; for today, without past occasions of earlier days."""
    found, today = snapshot.find(selection), DayRange(snapshot.today, snapshot.today)
    if [find_days(each, snapshot.today) for each in selection.during] != [today]:
        return found
    span, now = snapshot.programme.span, snapshot.now
    return tuple(each for each in found if each.end > now or span(each).day == snapshot.today)


def part_by_day(
    snapshot: Snapshot, day: date, occasions: Iterable[Occasion]
) -> tuple[list[Occasion], list[Occasion]]:
    """Return the occasions that began before a day, and the others."""
    parts: tuple[list[Occasion], list[Occasion]] = ([], [])
    for each in occasions:
        parts[snapshot.programme.span(each).day >= day].append(each)
    return parts


def _part(occasions: list[Occasion]) -> tuple[list[Occasion], list[Occasion]]:
    """Return the occasions of the hours, and on busy days the long ones, unless all are long."""
    long = [each for each in occasions if each.end - each.start > MAX_ATTENDED]
    if len(occasions) <= MIN_ROWS_FOR_LINKS or len(long) == len(occasions):
        return occasions, []
    return [each for each in occasions if each.end - each.start <= MAX_ATTENDED], long


def build_hour_anchor(clock: str, prefix: str = "") -> str:
    """Return the target of links to an hour, the same on lists and timetables: `kl-18`."""
    return f"{prefix}kl-{clock[:2]}"


def add_anchors(slots: Iterable[StartGroup], prefix: str = "") -> Iterator[StartGroup]:
    """Yield the groups; the first of each hour gets an anchor."""
    for hour, group in groupby(slots, key=lambda each: each.clock[:2]):
        first, *others = group
        yield first._replace(anchor=build_hour_anchor(hour, prefix))
        yield from others


# The most rows each of running and of upcoming occasions.
MAX_ROWS = 4


class NowAndNext(NamedTuple):
    """The running occasions, the latest first, with their number and selection, and the next ones today."""

    selection: Selection
    running: list[OccasionRow]
    running_count: int
    upcoming: list[OccasionRow]


def find_now_and_next(snapshot: Snapshot, undated: Selection, rows: RowBuilder) -> NowAndNext:
    """Return the running and the next occasions of a selection without days."""
    selection = replace(undated, moments=(DateKeyword.NOW,))
    span, today = snapshot.programme.span, snapshot.today
    running = snapshot.find(selection)[::-1]
    found = snapshot.find(replace(undated, moments=(DateKeyword.UPCOMING,)))[:MAX_ROWS]
    upcoming = [rows.build(each) for each in found if span(each).day == today]
    shown = [rows.build(each, today) for each in running[:MAX_ROWS]]
    return NowAndNext(selection, shown, len(running), upcoming)
