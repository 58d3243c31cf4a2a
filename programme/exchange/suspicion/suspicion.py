"""What seems odd of a programme that a file would make, by kind, for people who import it."""

from collections.abc import Iterator

import msgspec
from django.utils.text import capfirst

from programme.changes.difference import format_span
from programme.exchange.suspicion.finders import KINDS, Odd
from programme.exchange.suspicion.imported import FormerOccasion, ImportedOccasion, ImportedProgramme
from programme.exchange.values import ScheduledEvent
from programme.exchange.workbook import name_row

_MOST_ROWS = 20


class Suspicion(msgspec.Struct, frozen=True):
    """A kind of what looks odd: how often, where, and what to do."""

    key: str
    title: str
    count: int = 0
    rows: tuple[str, ...] = ()
    advice: str = ""

    def __str__(self) -> str:
        rows = [*self.rows, "…"] if self.count > len(self.rows) else self.rows
        return "\n  ".join([f"{self.title}: {self.count}" if self.count else self.title, *rows])


def find_suspicions(programme: ImportedProgramme) -> Iterator[Suspicion]:
    """Yield what looks odd of what is new or changed; warnings of the reader are of this kind, too."""
    warned = (each.what for each in programme.contents.problems if each.warns)
    yield from (Suspicion(f"read-{number}", capfirst(what)) for number, what in enumerate(warned))
    for kind in KINDS:
        found = [each for each in kind.find(programme) if _is_written(programme, each)]
        if found:
            rows = dict.fromkeys(_name(programme, each) for each in sorted(found, key=_find_row))
            shown = tuple(rows)[:_MOST_ROWS]
            yield Suspicion(kind.key, str(kind.title), len(rows), shown, str(kind.advice))


def _is_written(programme: ImportedProgramme, odd: Odd) -> bool:
    stated = odd.stated if isinstance(odd, ImportedOccasion) else odd
    return isinstance(odd, (str, FormerOccasion)) or id(stated) in programme.written


def _find_row(odd: Odd) -> int:
    if isinstance(odd, (str, FormerOccasion)):
        return 0
    return odd.stated.row if isinstance(odd, ImportedOccasion) else odd.row


def _name(programme: ImportedProgramme, odd: Odd) -> str:
    if isinstance(odd, (str, FormerOccasion)):
        return odd if isinstance(odd, str) else odd.name
    row = _find_row(odd)
    where = f"{name_row(programme.contents.sheets, row)}: " if row else ""
    if isinstance(odd, ScheduledEvent):
        return f"{where}{odd.title}"
    span = format_span(odd.start, odd.end)
    return f"{where}{', '.join(filter(None, (odd.title, span, odd.place)))}"
