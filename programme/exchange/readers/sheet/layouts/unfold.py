"""Unfolds the sheets of a file to plain tables, as they are recognized or were chosen, and asks about it."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feeds.names import fold
from programme.exchange.questions import Answers, Choice, Question
from programme.exchange.readers.sheet.layouts.cells import Role
from programme.exchange.readers.sheet.layouts.layout import Cell, Grid, Kind, Layout, Unfolded
from programme.exchange.readers.sheet.layouts.reading import find_misfit, read_by, recognize
from programme.exchange.readers.sheet.mapping import (
    HEADINGS_WITHIN,
    Mapping,
    UnknownLayoutError,
    find_headings_row,
    fold_headings,
)
from programme.exchange.readers.sheet.tables import Table
from programme.exchange.text.lines import truncate, truncate_names
from programme.exchange.text.times import suggest_time
from programme.exchange.values import ImportDefaults, SheetGrid, group_by
from programme.exchange.workbook import NO, YES, build_sheet_key

AXES = {Role.DAY: gettext_lazy("days"), Role.TIME: gettext_lazy("times"), Role.PLACE: gettext_lazy("places")}
_SHOWN_ROWS, _SHOWN_COLUMNS, _LONGEST_CELL = 60, 16, 80
# The key of the question.
LAYOUT = "layout"
# What sheets are called that nobody has named, and those that are named for what they hold.
_NO_PLACE = re.compile(r"(?:blad|sheet|tabelle|program(?:me)?|schema|schedule)[ _-]*\d*", re.IGNORECASE)
_LONGEST_NAMES = 120


class Layouts(NamedTuple):
    """The sheets that were unfolded, by name, and what is asked of them.

    Nothing is written until it is answered. `pointed` are the layouts that a person has chosen, as answers,
    and `changed` the questions about sheets that are not laid out as the chosen ones any more.
    """

    unfolded: dict[str, Unfolded] = {}
    answers: Answers = {}
    pointed: dict[str, str] = {}
    changed: dict[str, Question] = {}
    mappings: Sequence[Mapping] = ()

    def complete(self, defaults: ImportDefaults) -> ImportDefaults:
        """Return what readers need to know, with the chosen columns of sheets that were unfolded."""
        return msgspec.structs.replace(defaults, mappings=(*defaults.mappings, *self.mappings))

    def of(self, sheets: Collection[str]) -> "Layouts":
        """Return those of some sheets: about others nothing is asked."""
        return self._replace(
            unfolded={
                name: each for name, each in self.unfolded.items() if name in sheets or self._is_refused(name)
            },
            changed={name: each for name, each in self.changed.items() if name in sheets},
        )

    def read(self, table: Table) -> Table:
        """Return a sheet as a plain table, unless that was refused."""
        is_read = table.name in self.unfolded and not self._is_refused(table.name)
        return self.unfolded[table.name].table if is_read else table

    def _is_refused(self, name: str) -> bool:
        return self.answers.get(LAYOUT) == NO and name not in {*self.pointed, *self.changed}

    @property
    def questions(self) -> list[Question]:
        known = {*self.pointed, *self.changed}
        recognized = {name: each for name, each in self.unfolded.items() if name not in known}
        return [*([_ask(recognized, self.answers)] if recognized else []), *self.changed.values()]

    @property
    def settled(self) -> tuple[Question, ...]:
        """Return the chosen layouts as questions that were answered, to remember the answers.

        One that columns have taken the place of is ''.
        """
        left = {
            key: "" for key, answer in self.answers.items() if key.startswith(f"{LAYOUT}:") and not answer
        }
        chosen = left | {build_layout_key(name): value for name, value in self.pointed.items()}
        return tuple(Question(key, "", (Choice(value, ""),), value) for key, value in chosen.items())

    def list_lost(self) -> list[Cell]:
        """Return the cells that say a time, and that nothing is read from."""
        cells = (
            cell for name, each in self.unfolded.items() if not self._is_refused(name) for cell in each.cells
        )
        return [cell for cell in cells if cell.role is Role.UNUSED and suggest_time(cell.text)]

    def show(self) -> tuple[SheetGrid, ...]:
        """Return the first cells of each sheet with what they were read as."""
        return tuple(
            _arrange(name, each) for name, each in self.unfolded.items() if not self._is_refused(name)
        )


def _arrange(name: str, unfolded: Unfolded) -> SheetGrid:
    cells = unfolded.cells
    shown = [each for each in cells if each.column < _SHOWN_COLUMNS]
    numbers = list(dict.fromkeys(each.row for each in shown))[:_SHOWN_ROWS]
    width = max((each.column + 1 for each in shown), default=0)
    rows = {number: [("", "")] * width for number in numbers}
    for each in shown:
        if each.row in rows:
            rows[each.row][each.column] = (truncate(each.text, _LONGEST_CELL), str(each.role.label))
    is_cut = any(each.row not in rows or each.column >= width for each in cells)
    unused = sum(each.role is Role.UNUSED for each in cells)
    return SheetGrid(name, describe_layout(unfolded.layout), rows, is_cut, unused)


def unfold_tables(tables: Sequence[Table], defaults: ImportDefaults) -> Layouts:
    """Return how those sheets of a file are laid out that are no plain tables.

    Sheets whose columns were chosen are tables, which may lack what their names or rows between say.
    """
    known = {mapping.key: mapping for mapping in defaults.mappings}
    usual = ((table, NO if table.hidden else YES) for table in tables)
    read = (table for table, each in usual if defaults.answers.get(build_sheet_key(table.name), each) == YES)
    shapes = Counter(map(_find_shape, read))
    mappings: list[Mapping] = []
    layouts = Layouts({}, defaults.answers, {}, {}, mappings)
    for table in tables:
        stored = find_stored(table.name, tables, defaults.answers)
        grid = Grid(table, defaults.days)
        is_one_of_several = shapes[_find_shape(table)] > 1 and not _NO_PLACE.fullmatch(table.name)
        why = find_misfit(grid, stored) if stored else ""
        if stored and not why:
            layouts.unfolded[table.name] = read_by(grid, stored)
            layouts.pointed[table.name] = encode_layout(stored)
            continue
        found = recognize(grid, is_one_of_several=is_one_of_several)
        if is_asked := why and build_layout_key(table.name) in defaults.answers:
            layouts.changed[table.name] = _ask_again(table.name, why, found)
        one = read_by(grid, found, keep=not is_asked) if found else None
        if one is None or one.table is table:
            continue
        keys = (fold_headings(row.cells) for row in table.rows[:HEADINGS_WITHIN])
        if not stored and (mapping := next((known[key] for key in keys if key in known), None)):
            extended = mapping.extend(one.table.rows[0].cells)
            if not extended.sources.keys() > mapping.sources.keys():
                continue
            mappings.append(extended)
        layouts.unfolded[table.name] = one
    return layouts


def build_layout_key(name: str) -> str:
    """Return the key under which the layout of a sheet is an answer."""
    return f"{LAYOUT}:{fold(name).replace('=', ' ')}"


def encode_layout(layout: Layout) -> str:
    return msgspec.json.encode(layout).decode()


def find_stored(name: str, tables: Sequence[Table], answers: Answers) -> Layout | None:
    """Return the layout that was chosen for a sheet; for one with a new name, that of all earlier ones."""
    stored = {key: answer for key, answer in answers.items() if key.startswith(f"{LAYOUT}:")}
    own = stored.get(build_layout_key(name))
    if len({*stored.values()}) == 1 and not {build_layout_key(each.name) for each in tables} & {*stored}:
        [own] = {*stored.values()}
    try:
        return msgspec.json.decode(own or "", type=Layout)
    except msgspec.DecodeError:
        return None


def _ask_again(name: str, why: str, found: Layout | None) -> Question:
    """Ask about a sheet that a chosen layout does not fit any more; raise if it cannot be read at all."""
    text = _("“%(sheet)s” is not laid out as it was: %(why)s") % {"sheet": name, "why": why}
    if found is None:
        raise UnknownLayoutError(text)
    choices = {encode_layout(found): _("As %(layout)s") % {"layout": describe_layout(found)}}
    return Question.ask({}, build_layout_key(name), _("%(why)s. How is it read?") % {"why": text}, choices)


def _find_shape(table: Table) -> tuple[str, ...]:
    """Return what sheets that are laid out alike have in common: their headings, or else their name."""
    place = find_headings_row(table)
    return (table.name,) if place is None else tuple(sorted(fold_headings(table.rows[place].cells)))


def _ask(found: dict[str, Unfolded], answers: Answers) -> Question:
    named = group_by(found, lambda name: describe_layout(found[name].layout))
    listed = "; ".join(
        f"{truncate_names(list(filter(None, names)), _LONGEST_NAMES)}: {layout}" if any(names) else layout
        for layout, names in named.items()
    )
    choices = {YES: _("Yes, read it so"), NO: _("No, read it as a table with headings")}
    text = _("The layout was recognized as %(layouts)s. Is that right?") % {"layouts": listed}
    return Question.ask(answers, LAYOUT, text, choices)


def describe_layout(layout: Layout) -> str:
    if layout.kind is Kind.GRID:
        down, across = (AXES[each or Role.PLACE] for each in (layout.down, layout.across))
        return _("a grid of %(down)s and %(across)s") % {"down": down, "across": across}
    parts = [str(layout.kind.label)]
    if Role.DAY in layout.rows.values():
        parts.append(_("rows between say the day"))
    if Role.PLACE in layout.rows.values():
        parts.append(_("rows between say the place"))
    if layout.name:
        parts.append(_("its name is the day") if layout.name is Role.DAY else _("its name is the place"))
    return ", ".join(parts)
