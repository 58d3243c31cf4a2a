"""Finds nights and afternoons that the rows of a day leave to be understood, and asks whether they are."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain, pairwise

from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.festival_time import ONE_DAY
from feeds.names import fold
from programme.exchange.questions import Answers, Question
from programme.exchange.readers.sheet.rows import SheetRow
from programme.exchange.text.times import parse_clock
from programme.exchange.values import group_by
from programme.exchange.workbook import YES, confirm

_DAY, _NOON, _EVENING, _MORNING, _HOUR = 24 * 60, 12 * 60, 18 * 60, 6 * 60, 60
# A morning begins before noon; what is before seven, in a day of twelve hours, is none.
_FORENOON, _FIRST = 10 * 60, 7 * 60
# A date and a place; start and end in minutes, the end None where it is not stated.
_Held = tuple[date, str]
_Span = tuple[int, int | None]


def settle_hours(rows: Sequence[SheetRow], answers: Answers) -> tuple[list[SheetRow], tuple[Question, ...]]:
    """Return rows, whose dates and times are as parsers expect them, with the hours that are meant."""
    later, questions = {id(row): meant for row, meant in _find_afternoons(rows)}, []
    if later:
        text = _("Twelve-hour clock, occasions in the afternoon (1:30 is 13:30): %(count)d. Is that right?")
        questions.append(confirm(answers, "afternoon", text % {"count": len(later)}))
        is_right = questions[-1].answer == YES
        rows = [later.get(id(row), row) for row in rows] if is_right else rows
    if nights := {id(row) for row in _find_nights(rows)}:
        text = _("Occasions after midnight, in the night after the day stated: %(count)d. Is that right?")
        questions.append(confirm(answers, "night", text % {"count": len(nights)}))
        is_right = questions[-1].answer == YES
        rows = [replace(row, next_day=is_right) if id(row) in nights else row for row in rows]
    return [*rows], tuple(questions)


def _find_span(row: SheetRow) -> _Span | None:
    """Return when a row begins and ends on its day; None without a start, or with one of another date.

    Where the date of the end is stated nothing is left to be understood.
    """
    start, end = (parse_clock(row.text(field)) for field in ("start", "end"))
    if start is None or start.ends_day:
        return None
    begin = start.hour * _HOUR + start.minute
    if end is None or row.text("end_day"):
        return begin, None
    last = _DAY if end.ends_day else end.hour * _HOUR + end.minute
    return begin, last + _DAY * (last <= begin)


# --- Afternoons


def _find_afternoons(rows: Sequence[SheetRow]) -> Iterator[tuple[SheetRow, SheetRow]]:
    """Yield the rows that are later by twelve hours, and what they are then.

    Some span leads over noon (11:30–1:00), or the rows of a day do, and no time of the file is later than
    twelve.
    """
    spans = {id(row): span for row in rows if (span := _find_span(row))}
    clocks = [each % _DAY for span in spans.values() for each in span if each is not None]
    over_noon = any(
        end is not None and _FORENOON <= start < _NOON + _HOUR and _DAY < end < _DAY + _FIRST
        for start, end in spans.values()
    )
    if not clocks or max(clocks) >= _NOON + _HOUR:
        return
    after = set(_find_after_noon(rows, spans)) if min(clocks) >= _HOUR else set()
    for row in rows if over_noon or after else ():
        start, end = spans.get(id(row), (_DAY, None))
        later = start + _NOON * (start < _FIRST or (start < _NOON and id(row) in after))
        last = end if end is None or end % _DAY > later else end % _DAY + _NOON
        if (later, last) != (start, end) and start < _DAY:
            times = {"start": _write(later)} | ({} if last is None else {"end": _write(last)})
            yield row, replace(row, texts=row.texts | times)


def _find_after_noon(rows: Iterable[SheetRow], spans: Mapping[int, _Span]) -> Iterator[int]:
    """Yield the rows, by their `id()`, of days whose starts go down once: 10:00, 11:30, 1:00, 7:30."""
    dated = [row for row in rows if id(row) in spans and _find_date(row)]
    for held in group_by(dated, _find_date).values():
        starts = [spans[id(row)][0] for row in held]
        falls = [n for n, (before, after) in enumerate(pairwise(starts), 1) if after < before]
        if len(falls) == 1 and starts[falls[0] - 1] >= _FORENOON and starts[falls[0]] < _FIRST:
            yield from map(id, held[falls[0] :])


def _write(minutes: int) -> str:
    hours, rest = divmod(minutes % _DAY, _HOUR)
    return f"{hours:02}:{rest:02}"


# --- Nights


def _find_nights(rows: Iterable[SheetRow]) -> Iterator[SheetRow]:
    """Yield the rows that begin in the night after their day.

    Below a day, or a grid's times, they come after an evening at their place. With a date of their own they
    begin when what began in its evening ends there, while nothing of the date before does; and some of the
    file do so later than midnight, which the calendar's dates would hardly have.
    """
    held: dict[_Held, list[tuple[SheetRow, _Span]]] = defaultdict(list)
    for row in rows:
        day, span = _find_date(row), _find_span(row)
        if day and span:
            held[day, fold(f"{row.text('location')} {row.text('room')}")].append((row, span))
    ends = {key: _list_ends(spans) for key, spans in held.items()}
    continued: dict[int, list[SheetRow]] = defaultdict(list)
    for (day, place), spans in held.items():
        before = ends.get((day - ONE_DAY, place), set()) if day > date.min else set()
        evening = min((row.number for row, (start, _end) in spans if start >= _EVENING), default=None)
        for row, (start, end) in spans:
            if start >= _MORNING or (end is not None and end - start >= _DAY - _HOUR):
                continue
            if row.is_late or (row.shares_day and evening is not None and evening < row.number):
                yield row
            elif row.is_late is None and not row.shares_day and start + _DAY in ends[day, place] - before:
                continued[start].append(row)
    if any(continued):
        yield from chain.from_iterable(continued.values())


def _find_date(row: SheetRow) -> date | None:
    """Return the date of a row that stands for its evening too; a festival day includes its night."""
    try:
        return date.fromisoformat(row.text("day"))
    except ValueError:
        return None


def _list_ends(spans: Sequence[tuple[SheetRow, _Span]]) -> set[int]:
    """Return when, in the night after a day, what follows on its evening ends."""
    found = {end for _row, (start, end) in spans if end and start >= _EVENING and end >= _DAY}
    nights = [(start + _DAY, end + _DAY) for _row, (start, end) in spans if end and start < _MORNING]
    for start, end in sorted(nights):
        found |= {end} if start in found else set()
    return found
