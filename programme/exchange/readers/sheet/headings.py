"""Finds columns whose headings are renamed or misspelt, and asks whether they are what they seem to be."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import msgspec
from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.nearness import measure_likeness
from programme.exchange.questions import Answers, Question, build_key
from programme.exchange.readers.sheet.columns import (
    find_fields,
    find_known,
    fold_heading,
    looks_like,
    name_field,
)
from programme.exchange.readers.sheet.mapping import HEADINGS_WITHIN, Sheet, find_headings_row, fold_headings
from programme.exchange.readers.sheet.tables import Table
from programme.exchange.values import ImportDefaults
from programme.exchange.workbook import NO

# The key under which the headings of a source's last file are remembered, with their fields.
HEADINGS = "headings"
# So many of these make a row that of the headings; so alike are a new one and one of several missing.
_LEAST_SHARED, _LEAST_ALIKE = 2, 0.5
# A new heading, the one that it was, and its field.
_Renamed = tuple[str, str, str]


def remember_headings(sheets: Sequence[Sheet], tables: Sequence[Table]) -> Question:
    """Return the headings of tables with their fields, '' for unused ones, as an answer to be remembered.

    Sheets that are laid out otherwise have none.
    """
    fields = {heading: "" for each in sheets for heading in each.mapping.headings if heading}
    fields |= dict(chain.from_iterable(each.mapping.columns for each in sheets))
    present = _list_present(tables)
    stated = {heading: field for heading, field in fields.items() if fold_heading(heading) in present}
    return Question(HEADINGS, "", (), msgspec.json.encode(stated).decode())


def _list_present(tables: Sequence[Table]) -> set[str]:
    rows = [row.cells for table in tables for row in table.rows[:HEADINGS_WITHIN]]
    return set(fold_headings([*chain.from_iterable(rows)]))


def rename_headings(
    tables: Sequence[Table], defaults: ImportDefaults
) -> tuple[list[Table], tuple[Question, ...]]:
    """Return tables with the headings that renamed ones had, and the questions whether they had them."""
    former = msgspec.json.decode(defaults.answers.get(HEADINGS, "{}"), type=dict[str, str])
    present = _list_present(tables)
    missing = {each: field for each, field in former.items() if field and fold_heading(each) not in present}
    found, questions = [], {}
    for table in tables:
        place, names = _find_row(table, former, defaults), {}
        for heading, known, field in _find_renamed(table, place, former, dict(missing), defaults):
            question = _ask(heading, known, field, defaults.answers)
            questions[question.key] = question
            if question.answer != NO:
                names[heading] = known
        found.append(_rename(table, place or 0, names) if names else table)
    return found, tuple(questions.values())


def _find_row(table: Table, former: Mapping[str, str], defaults: ImportDefaults) -> int | None:
    """Return the row with most of the last file's headings, else that of known ones."""
    known = set(fold_headings([*former]))
    shared = [len(known.intersection(fold_headings(row.cells))) for row in table.rows[:HEADINGS_WITHIN]]
    if max(shared, default=0) >= _LEAST_SHARED:
        return shared.index(max(shared))
    return find_headings_row(table, {mapping.key for mapping in defaults.mappings})


def _rename(table: Table, place: int, names: Mapping[str, str]) -> Table:
    row = table.rows[place]
    renamed = replace(row, cells=tuple(names.get(cell, cell) for cell in row.cells))
    return replace(table, rows=(*table.rows[:place], renamed, *table.rows[place + 1 :]))


def _ask(heading: str, known: str, field: str, answers: Answers) -> Question:
    text = _("“%(heading)s” is not known. Is it “%(known)s” (%(field)s)?")
    named = {"heading": heading, "known": known, "field": name_field(field)}
    choices = {known: _("Yes: the same column"), NO: _("No: another one")}
    return Question.ask(answers, build_key("heading", fold_heading(heading)), text % named, choices)


def _find_renamed(
    table: Table,
    place: int | None,
    former: Mapping[str, str],
    missing: dict[str, str],
    defaults: ImportDefaults,
) -> Iterator[_Renamed]:
    saved, answers = [mapping.key for mapping in defaults.mappings], defaults.answers
    headings = () if place is None else table.rows[place].cells
    if fold_headings(headings) in saved:
        return
    rows = [row.cells for row in table.rows[(place or 0) + 1 :]]
    fields = find_fields(headings, rows)
    # Columns that an editor has chosen are known by no words.
    known = fold_headings([*former])
    was_chosen = any(set(key) <= {"", *known} for key in saved)
    new: dict[int, list[str]] = {}
    for number, heading in enumerate(headings):
        cells = [each[number] for each in rows if number < len(each) and each[number]]
        if cells and heading and fold_heading(heading) not in known and (was_chosen or not fields[number]):
            new[number] = cells
    is_only = len(missing) == len(new) == 1
    keys = {number: build_key("heading", fold_heading(headings[number])) for number in new}
    pairs = [
        (_compare(headings, number, each, former) + (answers.get(keys[number]) == each), number, each)
        for number in new
        for each in missing
    ]
    for alike, number, each in sorted(pairs, reverse=True):
        is_alike = is_only or alike >= _LEAST_ALIKE
        if is_alike and number in new and each in missing and looks_like(missing[each], new[number]):
            del new[number]
            yield headings[number], each, missing.pop(each)
    for number, cells in new.items():
        meant = find_known(headings[number])
        field = find_fields([meant], [[cell] for cell in cells])[0]
        if field and field not in fields and looks_like(field, cells):
            yield headings[number], meant, field


def _compare(headings: Sequence[str], number: int, former: str, order: Mapping[str, str]) -> float:
    """Return how alike two headings are, more if they are behind the same one."""
    names = ["", *order]
    is_there = names[names.index(former) - 1] == ["", *headings][number]
    return measure_likeness(fold_heading(former), fold_heading(headings[number])) + is_there / 2
