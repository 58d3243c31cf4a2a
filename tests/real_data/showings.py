"""Showings: what a source says and what the service has stored, in one form, so that both can be compared."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from datetime import datetime, timedelta, tzinfo
from typing import NamedTuple

# As these sources write it before or after a title.
_CANCELLED = re.compile(r"^(?:\[CANCELLED\]|CANCELLED -) | \(Cancelled\)$")
# White space of no width, which str.split leaves alone.
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u2060\ufeff"), "")

# The area of what names none.
AREA = "Festivalen"


class Counts(NamedTuple):
    """Counts of a set; None for what nobody has stated."""

    events: int | None
    occasions: int | None
    places: int | None
    days: int | None


class Showing(NamedTuple):
    """An occasion with its event; both times are None for an event without occasions.

    `event` is whatever identifies its event: the source and the database have identities of their own.
    """

    title: str
    start: datetime | None
    end: datetime | None
    location: str = ""
    room: str = ""
    cancelled: bool = False
    event: Hashable = ""

    @property
    def words(self) -> str:
        times = f"{self.start:%Y-%m-%d %H:%M} to {self.end:%Y-%m-%d %H:%M} UTC" if self.start else "never"
        place = ", ".join(filter(None, (self.location, self.room)))
        return f"“{self.title}”, {times}, {place or 'nowhere'}{', cancelled' if self.cancelled else ''}"


class Difference(NamedTuple):
    """`where` is the side that alone has this showing, or this grouping of showings into an event."""

    where: str
    showing: Showing

    def __str__(self) -> str:
        return f"{self.where}: {self.showing.words}"


SOURCE, HERE = "only in the source", "only here"
GROUPED_THERE, GROUPED_HERE = "an event in the source", "an event here"


def tidy(text: object) -> str:
    """Return a text on one line and in NFC, as two writings of the same words compare equal."""
    plain = unicodedata.normalize("NFC", str(text or ""))
    return " ".join(plain.translate(_INVISIBLE).split())


def split_mark(title: str) -> tuple[str, bool]:
    """Return a title without the mark that it is cancelled, and whether it has one."""
    plain = _CANCELLED.sub("", title.strip())
    return plain, plain != title.strip()


def fold_place(text: str) -> str:
    """Return the name of a place in a form in which only another place differs."""
    return tidy(text).casefold()


def compare(source: Iterable[Showing], stored: Iterable[Showing]) -> list[Difference]:
    """Return in what the rows differ, and in what those that both have are grouped differently."""
    there, here = list(map(_comparable, source)), list(map(_comparable, stored))
    rows_there, rows_here = Counter(map(_row, there)), Counter(map(_row, here))
    differences = [Difference(SOURCE, row) for row in (rows_there - rows_here).elements()]
    differences += [Difference(HERE, row) for row in (rows_here - rows_there).elements()]
    common = rows_there & rows_here
    groups_there, groups_here = _groups(there, common), _groups(here, common)
    differences += [Difference(GROUPED_THERE, group[0]) for group in (groups_there - groups_here).elements()]
    differences += [Difference(GROUPED_HERE, group[0]) for group in (groups_here - groups_there).elements()]
    return differences


def count(showings: Iterable[Showing], zone: tzinfo, night: timedelta = timedelta()) -> Counts:
    """Return the counts of what has a time.

    Places are counted as they are written, and nowhere as one; a day begins so long after midnight.
    """
    timed = [each for each in showings if each.start]
    places = {(each.location, each.room) for each in timed}
    days = {(each.start.astimezone(zone).replace(tzinfo=None) - night).date() for each in timed}
    return Counts(len({each.event for each in timed}), len(timed), len(places), len(days))


def _comparable(showing: Showing) -> Showing:
    return showing._replace(
        title=tidy(showing.title), location=fold_place(showing.location), room=fold_place(showing.room)
    )


def _row(showing: Showing) -> Showing:
    return showing._replace(event="")


def _groups(showings: list[Showing], common: Counter[Showing]) -> Counter[tuple[Showing, ...]]:
    """Return the rows of each event, of those rows that both sides have."""
    left, groups = Counter(common), defaultdict(list)
    for showing in sorted(showings, key=repr):
        row = _row(showing)
        if left[row]:
            left[row] -= 1
            groups[showing.event].append(row)
    return Counter(tuple(sorted(rows, key=repr)) for rows in groups.values())
