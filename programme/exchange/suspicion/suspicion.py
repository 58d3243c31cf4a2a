"""What seems odd of a programme that a file would make, by kind, for people who import it."""

from collections.abc import Iterator
from operator import itemgetter

import msgspec
from django.utils.text import capfirst

from programme.changes.difference import format_span
from programme.exchange.suspicion.finders import KINDS, Odd
from programme.exchange.suspicion.imported import FormerOccasion, ImportedOccasion, ImportedProgramme
from programme.exchange.values import ScheduledEvent, ScheduledOccasion
from programme.exchange.workbook import name_row

_MOST_ROWS = 20


class Suspicion(msgspec.Struct, frozen=True):
    """A kind of what looks odd: how often, where, and what to do."""

    key: str
    title: str
    advice: str = ""
    count: int = 0
    rows: tuple[str, ...] = ()

    def __str__(self) -> str:
        first = f"{self.title}: {self.count}" if self.count else self.title
        return "\n  ".join([first, *self.rows, *(["…"] if self.count > len(self.rows) else [])])


def find_suspicions(programme: ImportedProgramme) -> Iterator[Suspicion]:
    """Yield what looks odd of what is new or changed; the reader's warnings are of this kind, too."""
    warned = (each.what for each in programme.contents.problems if each.warns)
    yield from (Suspicion(f"read-{number}", capfirst(what)) for number, what in enumerate(warned))
    for kind in KINDS:
        named = dict.fromkeys(_name(programme, each) for each in kind.find(programme))
        if rows := [text for _row, text in sorted(filter(None, named), key=itemgetter(0))]:
            shown = tuple(rows[:_MOST_ROWS])
            yield Suspicion(kind.key, str(kind.title), str(kind.advice), len(rows), shown)


def _name(programme: ImportedProgramme, odd: Odd) -> tuple[int, str] | None:
    """Return the row and the words of what is odd, None for what is as it was."""
    if isinstance(odd, (str, FormerOccasion)):
        return 0, odd if isinstance(odd, str) else odd.name
    stated: ScheduledEvent | ScheduledOccasion
    if isinstance(odd, ImportedOccasion):
        stated, words = odd.stated, [odd.event.title, format_span(odd.start, odd.end), odd.place]
    else:
        stated, words = odd, [odd.title]
    if id(stated) not in programme.written:
        return None
    where = f"{name_row(programme.contents.sheets, stated.row)}: " if stated.row else ""
    return stated.row, where + ", ".join(filter(None, words))
