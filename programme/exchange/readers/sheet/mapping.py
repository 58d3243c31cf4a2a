"""Maps the columns of a sheet to fields, by their headings or as an editor has said."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from feeds.columns import TEXTS
from programme.exchange.questions import Answers, Question, build_key
from programme.exchange.readers.sheet.columns import (
    find_fields,
    fold_heading,
    name_field,
    names_types,
    propose_fields,
)
from programme.exchange.readers.sheet.said import Split, Use, Uses, find_fixed, list_fields
from programme.exchange.readers.sheet.tables import Table, TableRow
from programme.exchange.values import UnreadableFileError, group_by
from programme.exchange.workbook import NO

# A title of the conference, notes and the like may stand above the headings.
HEADINGS_WITHIN = 15
_LEAST_KNOWN = 2
NO_TITLES = gettext_lazy("none of its first rows has a heading “Title” (Titel): say what its columns are")
NO_DATES = gettext_lazy("no column says the date: say which one does")
NO_TIMES = gettext_lazy("no column says the start time: say which one does")


class UnknownHeadingsError(UnreadableFileError):
    """A sheet has no known headings or layout, or lacks a column: a person has to say what is what."""


class Part(StrEnum):
    """What is taken of a cell."""

    WHOLE = "whole"
    BEFORE_COMMA = "before the first comma"
    AFTER_COMMA = "after the first comma"
    BEFORE_BRACKETS = "before brackets"
    IN_BRACKETS = "in brackets"
    FIRST = "first of a list"
    SEVERAL = "each of a list, which may have commas between"


# Of two fields that share a cell, which part each takes.
_PARTS = {
    Split.COMMA: (Part.BEFORE_COMMA, Part.AFTER_COMMA),
    Split.BRACKETS: (Part.BEFORE_BRACKETS, Part.IN_BRACKETS),
}
# What several cells of a field are joined by.
_JOINS = {
    "description_sv": "\n\n",
    "description_en": "\n\n",
    "organizer": ", ",
    "location": ", ",
    "type": "; ",
}
_BESIDE_START = {"day", "festival_day", "weekday", "end", "end_day"}
_BRACKETS = re.compile(r"(.*?)\s*[(\[]([^()\[\]]*)[)\]]\s*", re.DOTALL)


class Source(msgspec.Struct, frozen=True):
    """The source of a field's text: cells of columns, which are joined, or else a fixed text."""

    columns: tuple[int, ...] = ()
    part: Part = Part.WHOLE
    join: str = " "
    fixed: str = ""

    def text(self, cells: Sequence[str]) -> str:
        # Most fields are one column.
        if len(self.columns) == 1 and self.part is Part.WHOLE:
            [place] = self.columns
            return (cells[place] if place < len(cells) else "") or self.fixed
        parts = [_part(cells[place], self.part) for place in self.columns if place < len(cells)]
        return self.join.join(filter(None, parts)) or self.fixed


class Mapping(msgspec.Struct, frozen=True):
    """The headings of a sheet's columns, and the sources of the fields that it fills."""

    headings: tuple[str, ...]
    sources: dict[str, Source]

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Return the headings of the columns that are read, in their order, with their fields."""
        used = sorted((place, field) for field, source in self.sources.items() for place in source.columns)
        return tuple((self.headings[place], field) for place, field in used if place < len(self.headings))

    def heading_of(self, field: str) -> str:
        """Return the headings of a field's columns, '' for a fixed text."""
        columns = self.sources[field].columns if field in self.sources else ()
        return " + ".join(self.headings[place] for place in columns if place < len(self.headings))

    def is_used(self, cells: Sequence[str]) -> bool:
        """Return whether any of a row's cells is read."""
        used = {place for source in self.sources.values() for place in source.columns}
        return any(place < len(cells) and cells[place] for place in used)

    def in_language(self, language: str) -> "Mapping":
        """Return it with texts without a stated language in the one that an editor has chosen."""
        if not language:
            return self
        other = "en" if language == "sv" else "sv"
        sources = dict(self.sources)
        for name in TEXTS:
            if name + other in sources and name + language not in sources:
                sources[name + language] = sources.pop(name + other)
        return Mapping(self.headings, sources)


class Sheet(NamedTuple):
    """The rows of tables below the same headings, by the tables' names, and their mapping."""

    mapping: Mapping
    parts: dict[str, list[TableRow]]
    # What was said of the columns.
    uses: Uses = ()
    # What unknown columns were asked to be, by their headings.
    questions: tuple[Question, ...] = ()

    @property
    def rows(self) -> list[TableRow]:
        return list(chain.from_iterable(self.parts.values()))

    @property
    def unused(self) -> list[int]:
        """The filled columns without a field of which nothing was said."""
        used = {place for source in self.mapping.sources.values() for place in source.columns}
        return [place for place in self._filled if place not in used | self._said]

    @property
    def bare(self) -> dict[int, str]:
        """The rows with a text below no heading, unless it was said what the column is."""
        known = {number for number, heading in enumerate(self.mapping.headings) if heading} | self._said
        return {
            row.number: text
            for row in self.rows
            for n, text in enumerate(row.cells)
            if text and n not in known
        }

    @property
    def _said(self) -> set[int]:
        return {number for number, use in enumerate(self.uses) if use is not None}

    @property
    def is_doubtful(self) -> bool:
        return len(self.unused) > len(self._filled) / 2

    @property
    def _filled(self) -> list[int]:
        """The columns with a heading and at least one filled cell."""
        rows = self.rows
        return [
            place
            for place, heading in enumerate(self.mapping.headings)
            if heading and any(place < len(row.cells) and row.cells[place] for row in rows)
        ]


def fold_headings(headings: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(fold_heading, headings))


def find_sheets(tables: Iterable[Table], answers: Answers | None = None) -> list[Sheet]:
    """Return the tables that have headings; those with the same ones, in any order, are one sheet."""
    groups: dict[tuple[str, ...], list[tuple[Table, int]]] = defaultdict(list)
    for table in tables:
        if (place := find_headings_row(table)) is not None:
            groups[tuple(sorted(fold_headings(table.rows[place].cells)))].append((table, place))
    return [_join_tables(group, answers or {}) for group in groups.values()]


def _join_tables(group: Sequence[tuple[Table, int]], answers: Answers) -> Sheet:
    """Return tables as one sheet, with the columns in the order of the first one."""
    headings = group[0][0].rows[group[0][1]].cells
    parts = {
        table.name: _arrange(
            # Headings are repeated for those who print it.
            [row for row in table.rows[place + 1 :] if row.cells != table.rows[place].cells],
            *(fold_headings(table.rows[place].cells), fold_headings(headings)),
        )
        for table, place in group
    }
    rows, uses = [row.cells for part in parts.values() for row in part], group[0][0].uses
    mapping = map_columns(headings, rows, uses, answers)
    if "title" not in mapping.sources:
        return Sheet(mapping, parts, uses)
    proposed = propose_fields(headings, rows, _find_columns(mapping, uses))
    questions = {
        number: _ask_about_column(headings[number], field, answers, is_sure=is_sure)
        for number, (field, is_sure) in proposed.items()
    }
    taken = {question.answer: Source((n,)) for n, question in questions.items() if question.answer != NO}
    return Sheet(Mapping(headings, mapping.sources | taken), parts, uses, tuple(questions.values()))


def _find_columns(mapping: Mapping, uses: Uses) -> list[str]:
    """Return the field of each column; `NO` of one that was said to be left alone."""
    found = [NO if n < len(uses) and uses[n] is not None else "" for n in range(len(mapping.headings))]
    for field, source in mapping.sources.items():
        for column in source.columns:
            found[column] = field
    return found


def _ask_about_column(heading: str, field: str, answers: Answers, *, is_sure: bool) -> Question:
    named = {"heading": heading, "field": name_field(field)}
    text = _("“%(heading)s” is not known. Is it “%(field)s”, as its cells look?")
    if field == "event_id":
        text = _("“%(heading)s” is another number in each row. Is the event found again by it?")
    choices = {field: _("Yes"), NO: _("No: it is left alone")}
    key, default = build_key("column", fold_heading(heading)), field if is_sure else NO
    return Question.ask(answers, key, text % named, choices, default)


def _arrange(rows: Sequence[TableRow], key: Sequence[str], wanted: Sequence[str]) -> list[TableRow]:
    """Return rows below some headings with their cells in the order of others, which are the same ones."""
    if key == wanted:
        return list(rows)
    places = group_by(range(len(key)), key.__getitem__)
    order = [places[heading].pop(0) for heading in wanted]
    width = len(key)
    return [replace(row, cells=tuple((row.cells + ("",) * width)[place] for place in order)) for row in rows]


def find_headings_row(table: Table) -> int | None:
    """Return the row of the headings: the one that is known, else the one with most that are."""
    if table.heading is not None:
        return table.heading
    counts = [sum(map(bool, find_fields(row.cells))) for row in table.rows[:HEADINGS_WITHIN]]
    best = max(counts, default=0)
    return counts.index(best) if best >= _LEAST_KNOWN else None


def map_columns(
    headings: tuple[str, ...], rows: Sequence[Sequence[str]], uses: Uses = (), answers: Answers | None = None
) -> Mapping:
    """Return what the columns are by what was said of them, and by their headings."""
    fields = find_fields(headings, rows, list_fields(uses))
    sources: dict[str, Source] = {}
    for number, field in enumerate(fields):
        use = uses[number] if number < len(uses) else None
        split = _PARTS.get(_find_split(use, number, rows), ()) if use else ()
        for place, each in enumerate(_combine(use.fields) if use else (field,)):
            default = Part.FIRST if use and each.endswith("_url") else Part.WHOLE
            source = sources.get(each, Source((), split[place] if place < len(split) else default))
            join = _JOINS.get(each, " ")
            sources[each] = replace(source, columns=(*source.columns, number), join=join)
    sources.pop("", None)
    said = {number for number, use in enumerate(uses) if use is not None}
    free = (number for number, field in enumerate(fields) if not field and number not in said)
    if further := [number for number in free if names_types(headings[number])]:
        columns = (*(sources["type"].columns if "type" in sources else ()), *further)
        part = Part.SEVERAL if len(columns) == 1 else Part.WHOLE
        sources["type"] = Source(columns, part, join="; ")
    for field, text in find_fixed(answers or {}).items():
        sources[field] = replace(sources.get(field, Source()), fixed=text)
    return Mapping(headings, sources)


def _find_split(use: Use, column: int, rows: Sequence[Sequence[str]]) -> Split:
    """Return how the cells of a column are divided: as was said, else by brackets if most have some."""
    cells = [row[column] for row in rows if column < len(row) and row[column]]
    is_bracketed = sum(bool(_BRACKETS.fullmatch(cell)) for cell in cells) * 2 > len(cells)
    is_shared = use.fields[:1] == ("title",) and len(use.fields) > 1
    return use.split or (Split.BRACKETS if is_bracketed and is_shared else Split.WHOLE)


def _combine(fields: Sequence[str]) -> Sequence[str]:
    """Return the fields of a column; a start is read with the day and the end that stand beside it."""
    return [field for field in fields if field not in _BESIDE_START] if "start" in fields else fields


def propose_columns(
    headings: tuple[str, ...], rows: Sequence[Sequence[str]], uses: Uses = ()
) -> list[Use | None]:
    """Return what columns that are not known are by their cells, the title too, for a person to look at."""
    found = _find_columns(map_columns(headings, rows, uses), uses)
    proposed = propose_fields(headings, rows, found, with_title=True)
    sure = {number: Use((field,)) for number, (field, is_sure) in proposed.items() if is_sure}
    return [sure.get(number) for number in range(len(headings))]


def _part(cell: str, part: Part) -> str:
    if part is Part.WHOLE:
        return cell
    if part is Part.SEVERAL:
        names = (name.strip() for item in list_items(cell) for name in item.split(","))
        return "; ".join(filter(None, names))
    if part is Part.FIRST:
        return next(iter(list_items(cell)), "")
    if part in (Part.BEFORE_BRACKETS, Part.IN_BRACKETS):
        match = _BRACKETS.fullmatch(cell)
        before, after = (match[1], match[2]) if match else (cell, "")
        return before if part is Part.BEFORE_BRACKETS else after
    before, _comma, after = cell.partition(",")
    return before.strip() if part is Part.BEFORE_COMMA else after.strip()


def list_items(cell: str) -> list[str]:
    """Return the items of a list, as Python writes it or with line breaks, semicolons or bars between."""
    if cell.startswith("["):
        try:
            return [str(item).strip() for item in ast.literal_eval(cell)]
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            pass
    return [item.strip() for item in re.split(r"[\n;|]", cell) if item.strip()]
