"""Maps the columns of a sheet to fields, by their headings or as an editor has chosen."""

import ast
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import msgspec
from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from programme.exchange.questions import Answers, Question, build_key
from programme.exchange.readers.sheet.columns import (
    find_fields,
    fold_heading,
    name_field,
    names_types,
    propose_fields,
)
from programme.exchange.readers.sheet.tables import Table, TableRow
from programme.exchange.values import UnreadableFileError, group_by
from programme.exchange.workbook import NO
from programme.models import SheetMapping

# A title of the conference, notes and the like may stand above the headings.
HEADINGS_WITHIN = 15
_LEAST_KNOWN, _MOST_ADDED = 2, 2
NO_TITLES = gettext_lazy(
    "none of its first rows has a heading “Title” (Titel): choose its columns on the import page"
)
NO_DATES = gettext_lazy("no column says the date: choose which one does on the import page")
NO_TIMES = gettext_lazy("no column says the start time: choose which one does on the import page")


class UnknownHeadingsError(UnreadableFileError):
    """No row of a sheet has known headings: an editor has to map its columns."""


class MissingColumnError(UnknownHeadingsError):
    """A sheet has no column for a field that every row needs."""


class UnknownLayoutError(UnknownHeadingsError):
    """A sheet is laid out in a way that is not known: a person has to point at what is what."""


class Part(TextChoices):
    """What is taken of a cell."""

    WHOLE = "whole", gettext_lazy("the whole cell")
    BEFORE_COMMA = "before", gettext_lazy("what stands before the first comma")
    AFTER_COMMA = "after", gettext_lazy("what stands after the first comma")
    FIRST = "first", gettext_lazy("the first of a list")
    ALL = "all", gettext_lazy("all of a list, with commas between")
    SEVERAL = "several", gettext_lazy("each of a list, which may have commas between")


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
    def key(self) -> tuple[str, ...]:
        return fold_headings(self.headings)

    @property
    def digest(self) -> str:
        """What saved columns are found by."""
        return hashlib.sha256(json.dumps(self.key).encode()).hexdigest()

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Return the headings of the columns that are read, in their order, with their fields."""
        used = ((place, field) for field, source in self.sources.items() for place in source.columns)
        return tuple(
            (self.headings[place], field) for place, field in sorted(used) if place < len(self.headings)
        )

    def heading_of(self, field: str) -> str:
        """Return the headings of a field's columns, '' for a fixed text."""
        columns = self.sources[field].columns if field in self.sources else ()
        return " + ".join(self.headings[place] for place in columns if place < len(self.headings))

    def is_used(self, cells: Sequence[str]) -> bool:
        """Return whether any of a row's cells is read."""
        used = {place for source in self.sources.values() for place in source.columns}
        return any(place < len(cells) and cells[place] for place in used)

    def adapt(self, headings: Sequence[str]) -> "Mapping | None":
        """Return it for headings that have all that it reads, and hardly one more or fewer.

        What is known of further ones fills what it lacks.
        """
        own, key = self.key, fold_headings(headings)
        if own == key:
            return self
        used = {place for source in self.sources.values() for place in source.columns if place < len(own)}
        is_near = len({*own} - {*key, ""}) <= 1 and len({*key} - {*own, ""}) <= _MOST_ADDED
        if len(used) < _LEAST_KNOWN or not is_near or not all(own[n] and own[n] in key for n in used):
            return None
        places = {place: key.index(own[place]) for place in used}
        sources = {
            field: replace(source, columns=tuple(places[each] for each in source.columns if each in places))
            for field, source in self.sources.items()
        }
        added = {n: field for n, field in enumerate(find_fields(headings)) if field and key[n] not in own}
        return Mapping(tuple(headings), {field: Source((n,)) for n, field in added.items()} | sources)

    def in_language(self, language: str) -> "Mapping":
        """Return it with texts without a stated language in the one that an editor has chosen."""
        if not language:
            return self
        other = "en" if language == "sv" else "sv"
        sources = dict(self.sources)
        for name in ("intro_", "description_"):
            if name + other in sources and name + language not in sources:
                sources[name + language] = sources.pop(name + other)
        return Mapping(self.headings, sources)


class Sheet(NamedTuple):
    """The rows of tables below the same headings, by the tables' names, and their mapping."""

    mapping: Mapping
    parts: dict[str, list[TableRow]]
    # Whether an editor has mapped the columns.
    chosen: bool = False
    # What unknown columns were asked to be, by their headings.
    questions: tuple[Question, ...] = ()

    @property
    def rows(self) -> list[TableRow]:
        return list(chain.from_iterable(self.parts.values()))

    @property
    def unused(self) -> list[int]:
        """The filled columns without a field; none if an editor has mapped the columns."""
        used = {place for source in self.mapping.sources.values() for place in source.columns}
        return [] if self.chosen else [place for place in self._filled if place not in used]

    @property
    def bare(self) -> dict[int, str]:
        """The rows with a text below no heading, unless an editor has mapped the columns."""
        known = [number for number, heading in enumerate(self.mapping.headings) if heading]
        rows = [] if self.chosen else self.rows
        return {
            row.number: text for row in rows for n, text in enumerate(row.cells) if text and n not in known
        }

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


def load_mapping(headings: Sequence[str], sources: dict[str, Any]) -> Mapping:
    return Mapping(tuple(headings), msgspec.convert(sources, dict[str, Source]))


def save_mapping(name: str, mapping: Mapping) -> None:
    sources = msgspec.to_builtins(mapping.sources)
    values = {"name": name, "headings": list(mapping.headings), "sources": sources}
    SheetMapping.objects.update_or_create(key=mapping.digest, defaults=values)


def fold_headings(headings: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(fold_heading, headings))


def find_saved(headings: Sequence[str], saved: Iterable[Mapping]) -> Mapping | None:
    """Return the saved mapping of these headings, else the one with most that it reads in them."""
    key = fold_headings(headings)
    exact = next((each for each in saved if each.key == key), None)
    usable = [] if exact else [found for each in saved if (found := each.adapt(headings))]
    return exact or max(usable, key=lambda each: len(each.columns), default=None)


def find_sheets(
    tables: Iterable[Table], saved: Sequence[Mapping] = (), answers: Answers | None = None
) -> list[Sheet]:
    """Return the tables that have headings; those with the same ones, in any order, are one sheet."""
    groups: dict[tuple[str, ...], list[tuple[Table, int]]] = defaultdict(list)
    for table in tables:
        if (place := find_headings_row(table, saved)) is not None:
            groups[tuple(sorted(fold_headings(table.rows[place].cells)))].append((table, place))
    return [_join_tables(group, saved, answers or {}) for group in groups.values()]


def _join_tables(group: Sequence[tuple[Table, int]], saved: Sequence[Mapping], answers: Answers) -> Sheet:
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
    if mapping := find_saved(headings, saved):
        return Sheet(mapping, parts, chosen=True)
    rows = [row.cells for part in parts.values() for row in part]
    mapping = map_columns(headings, rows)
    if "title" not in mapping.sources:
        return Sheet(mapping, parts)
    proposed = propose_fields(headings, rows, find_fields(headings, rows))
    questions = {
        number: _ask_about_column(headings[number], field, answers, is_sure=is_sure)
        for number, (field, is_sure) in proposed.items()
    }
    taken = {question.answer: Source((n,)) for n, question in questions.items() if question.answer != NO}
    return Sheet(Mapping(headings, mapping.sources | taken), parts, questions=tuple(questions.values()))


def _ask_about_column(heading: str, field: str, answers: Answers, *, is_sure: bool) -> Question:
    named = {"heading": heading, "field": name_field(field)}
    text = _("“%(heading)s” is not known. Is it “%(field)s”, as its cells look?") % named
    choices = {field: _("Yes"), NO: _("No: it is left alone")}
    return Question.ask(
        answers, build_key("column", fold_heading(heading)), text, choices, default=field if is_sure else NO
    )


def _arrange(rows: Sequence[TableRow], key: Sequence[str], wanted: Sequence[str]) -> list[TableRow]:
    """Return rows below some headings with their cells in the order of others, which are the same ones."""
    if key == wanted:
        return list(rows)
    places = group_by(range(len(key)), key.__getitem__)
    order = [places[heading].pop(0) for heading in wanted]
    width = len(key)
    return [replace(row, cells=tuple((row.cells + ("",) * width)[place] for place in order)) for row in rows]


def find_headings_row(table: Table, saved: Sequence[Mapping] = ()) -> int | None:
    """Return the row of the headings: those of a saved mapping, else the most that are known."""
    rows = table.rows[:HEADINGS_WITHIN]
    chosen = (place for place, row in enumerate(rows) if saved and find_saved(row.cells, saved))
    counts = [sum(map(bool, find_fields(row.cells))) for row in rows]
    best = max(counts, default=0)
    return next(chosen, counts.index(best) if best >= _LEAST_KNOWN else None)


def map_columns(
    headings: tuple[str, ...], rows: Sequence[Sequence[str]], *, with_proposals: bool = False
) -> Mapping:
    """Return what the columns are by their headings; for a person to look at also by their cells."""
    fields = find_fields(headings, rows)
    proposed = propose_fields(headings, rows, fields, with_title=True) if with_proposals else {}
    for number, (field, is_sure) in proposed.items():
        fields[number] = field if is_sure else ""
    sources = {field: Source((number,)) for number, field in enumerate(fields) if field}
    free = (number for number, field in enumerate(fields) if not field)
    if further := [number for number in free if names_types(headings[number])]:
        columns = (*(sources["type"].columns if "type" in sources else ()), *further)
        part = Part.SEVERAL if len(columns) == 1 else Part.WHOLE
        sources["type"] = Source(columns, part, join="; ")
    return Mapping(headings, sources)


def _part(cell: str, part: Part) -> str:
    if part is Part.WHOLE:
        return cell
    if part is Part.SEVERAL:
        names = (name.strip() for item in list_items(cell) for name in item.split(","))
        return "; ".join(filter(None, names))
    if part in (Part.FIRST, Part.ALL):
        items = list_items(cell)
        return ", ".join(items if part == Part.ALL else items[:1])
    before, _comma, after = cell.partition(",")
    return before.strip() if part == Part.BEFORE_COMMA else after.strip()


def list_items(cell: str) -> list[str]:
    """Return the items of a list, as Python writes it or with line breaks, semicolons or bars between."""
    if cell.startswith("["):
        try:
            return [str(item).strip() for item in ast.literal_eval(cell)]
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            pass
    return [item.strip() for item in re.split(r"[\n;|]", cell) if item.strip()]
