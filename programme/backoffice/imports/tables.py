"""The file's own tables: what their columns and rows are taken for, and what comes of it."""

import json
from collections.abc import Sequence
from itertools import permutations
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from programme.api.instant import get_instant
from programme.backoffice.imports.results import show_result
from programme.backoffice.imports.steps import build_defaults, is_sheet
from programme.backoffice.imports.uploads import describe_failure, list_fields
from programme.backoffice.rendering import render_page
from programme.exchange.merge.options import recall_answers
from programme.exchange.questions import Answers
from programme.exchange.readers.sheet import layouts
from programme.exchange.readers.sheet.layout import Grid, Kind, Layout, Meaning
from programme.exchange.readers.sheet.mapping import propose_columns
from programme.exchange.readers.sheet.reader import read_listed
from programme.exchange.readers.sheet.said import (
    NAMES,
    Split,
    Use,
    build_body_key,
    build_fixed_key,
    build_row_key,
    find_fixed,
    is_said,
    list_column_keys,
)
from programme.exchange.readers.sheet.sheets import look_at_sheets
from programme.exchange.readers.sheet.shown import CELLS, HEADING, HIDDEN, SAID, SHOWN_ROWS, Shown
from programme.exchange.readers.sheet.tables import Table, read_tables
from programme.exchange.values import ImportDefaults, UnreadableFileError
from programme.exchange.workbook import NO, YES, Looks, WorkbookSheet, build_sheet_key, list_for_page
from programme.models import Upload
from programme.models.cleaning import clean_line, clean_prose

# So many rows are read to show at once what comes of them.
_READ_ROWS = 300
_WHEN = "day start end"
_GROUPS = (
    (gettext_lazy("What"), ("title", "type", "organizer", "description_sv")),
    (gettext_lazy("When"), ("day", "start", "end", "duration", _WHEN)),
    (gettext_lazy("Where"), ("location", "room", "area", "address")),
)
_SPLITS = [
    (Split.WHOLE.value, gettext_lazy("the whole cell is both")),
    (Split.COMMA.value, gettext_lazy("the first comma divides them")),
    (Split.BRACKETS.value, gettext_lazy("the second stands in brackets")),
]
_WHY = {
    SAID: gettext_lazy("said by you"),
    HEADING: gettext_lazy("by its heading"),
    CELLS: gettext_lazy("by its cells"),
    HIDDEN: gettext_lazy("hidden in the file"),
}
_ROWS = [
    (Meaning.HEADING.value, gettext_lazy("headings")),
    (Meaning.DAY.value, gettext_lazy("a day for what is below")),
    (Meaning.PLACE.value, gettext_lazy("a place for what is below")),
    (Meaning.TITLE.value, gettext_lazy("an ordinary row")),
    (Meaning.UNUSED.value, Meaning.UNUSED.label),
]
_NAMES = [
    (NO, gettext_lazy("nothing of the programme")),
    (Meaning.DAY.value, gettext_lazy("days")),
    (Meaning.PLACE.value, gettext_lazy("places")),
]


def show_tables(request: HttpRequest, upload: Upload) -> HttpResponse:
    """Show a sheet, and what comes of it as it is said to be."""
    tables = [table for table in _read_sheets(request, upload) if table.rows]
    if request.method == "POST":
        # It has to be quick.
        tables = [replace(table, rows=table.rows[:_READ_ROWS]) for table in tables]
    if not tables:
        return redirect("admin:import_file", upload.pk)
    defaults = build_defaults(upload, get_instant(request))
    by_name, names = {table.name: table for table in tables}, [table.name for table in tables]
    said = _parse(request, tables, defaults)
    defaults = replace(defaults, answers={**defaults.answers, **said})
    _layouts, listed, _shown = look_at_sheets(tables, defaults)
    name = request.POST.get("sheet", request.GET.get("sheet", request.POST.get("shown")))
    table = by_name.get(name or "") or by_name[_choose(listed)]
    is_known = any(each.looks is Looks.PROGRAMME for each in listed if each.name == table.name)
    proposed = {} if request.method == "POST" or is_known else _propose(table, names, defaults)
    found = _read(tables, table, replace(defaults, answers={**defaults.answers, **proposed}))
    context = {
        "upload": upload,
        "failed": (upload.preview or {}).get("failed", ""),
        "sheets": list_for_page(listed) if len(listed) > 1 else (),
        **describe_sheet(found, names, {**defaults.answers, **said}, said | proposed, set(proposed)),
    }
    # A field whose text is not said yet, or the other way round.
    halves = [pair for pair in _list_fixed(request) if any(pair) and not all(pair)]
    context["fixed"] = [*context["fixed"][:-1], *(halves or [("", "")])]
    return render_page(request, "import/table", _("What the columns are"), context)


def parse_said(request: HttpRequest, upload: Upload) -> dict[str, str]:
    """Return what a form says of a sheet, as answers; none if it shows no sheet."""
    if "shown" not in request.POST:
        return {}
    return _parse(request, _read_sheets(request, upload), build_defaults(upload, get_instant(request)))


def describe_shown(upload: Upload, name: str) -> dict[str, Any]:
    """Return what a preview shows of one of its sheets."""
    shown = (upload.preview or {}).get("shown", [])
    if not shown:
        return {}
    read = [each for each in shown if each["count"]] or shown
    sheet = next((each for each in shown if each["name"] == name), read[0])
    answers = {**recall_answers((upload.preview or {})["source"]), **upload.options.get("answers", {})}
    return describe_sheet(sheet, [each["name"] for each in shown], answers, {}, set())


def _read_sheets(request: HttpRequest, upload: Upload) -> list[Table]:
    """Return the sheets of a file; none, and a message, if it cannot be read."""
    try:
        return read_tables(bytes(upload.content)) if is_sheet(upload) else []
    except UnreadableFileError as reason:
        messages.error(request, describe_failure(upload, reason))
        return []


def _choose(listed: Sequence[WorkbookSheet]) -> str:
    """Return the sheet that is shown first: one that is read and not understood, else any that is read."""
    filled = [sheet for sheet in listed if sheet.rows] or listed
    read = [sheet for sheet in filled if sheet.is_read] or filled
    return next((sheet.name for sheet in read if sheet.looks != Looks.PROGRAMME), read[0].name)


def _propose(table: Table, sheets: Sequence[str], defaults: ImportDefaults) -> dict[str, str]:
    """Return what the columns of a sheet that is not understood are by their cells, as answers."""
    grid = Grid(table, defaults.days)
    layout = layouts.find_layout(grid, sheets, defaults.answers) or Layout()
    heading = layouts.find_heading(grid, layout)
    if layout.kind is Kind.GRID or heading is None:
        return {}
    headings, uses = layouts.list_headings(grid, layout), layouts.find_columns(grid, layout, defaults.answers)
    rows = [cells for number, cells in grid.rows.items() if number > heading]
    proposed = propose_columns(tuple(headings), rows, [uses.get(n) for n in range(grid.width)])
    keys = zip(list_column_keys(headings), proposed, strict=True)
    return {key: str(use) for key, use in keys if use} | {
        build_row_key(grid.key(heading)): Meaning.HEADING.value
    }


def _read(tables: Sequence[Table], table: Table, defaults: ImportDefaults) -> Shown:
    """Return a sheet with what would come of it, from its first rows."""
    cut = [replace(each, rows=each.rows[:_READ_ROWS]) for each in tables]
    defaults = replace(defaults, answers={**defaults.answers, build_sheet_key(table.name): YES})
    _layouts, _listed, shown = look_at_sheets(cut, defaults)
    [sheet] = [each for each in shown if each["name"] == table.name]
    try:
        return show_result(sheet, read_listed(cut, defaults, table.name))
    except UnreadableFileError as reason:
        return sheet | {"error": str(reason)}


# --- What is said


def _parse(request: HttpRequest, tables: Sequence[Table], defaults: ImportDefaults) -> dict[str, str]:
    """Return what a form says of a sheet, and of others that were shown before it."""
    sent, names = request.POST, [table.name for table in tables if table.rows]
    table = next((each for each in tables if each.name == sent.get("shown")), None)
    if table is None:
        return {}
    grid = Grid(table, defaults.days)
    try:
        carried = json.loads(sent.get("said", "{}")).items()
        said = {key: str(text) for key, text in carried if is_said(key) and clean_prose(key) == key}
    except (ValueError, AttributeError, RecursionError):
        said = {}
    rows = (row for row in grid.numbers[:SHOWN_ROWS] if f"row-{row}" in sent)
    said |= {build_row_key(grid.key(row)): sent[f"row-{row}"] for row in rows}
    said |= {build_body_key(table.name): sent["body"]} if "body" in sent else {}
    said |= {NAMES: sent["names"]} if "names" in sent else {}
    known = {field for field, _label in list_fields()}
    if "fixed-field" in sent:
        said |= dict.fromkeys(map(build_fixed_key, find_fixed({**defaults.answers, **said})), "")
    said |= {build_fixed_key(field): text for field, text in _list_fixed(request) if field in known and text}
    layout = layouts.find_layout(grid, names, {**defaults.answers, **said}) or Layout()
    said |= _parse_columns(request, grid, layout)
    cleaned = {key: clean_line(text) for key, text in said.items()}
    return {key: text for key, text in cleaned.items() if text or defaults.answers.get(key)}


def _list_fixed(request: HttpRequest) -> list[tuple[str, str]]:
    fields, texts = (request.POST.getlist(f"fixed-{name}") for name in ("field", "text"))
    return [*zip(fields, map(clean_line, texts), strict=False)]


def _parse_columns(request: HttpRequest, grid: Grid, layout: Layout) -> dict[str, str]:
    keys = list_column_keys(layouts.list_headings(grid, layout))
    columns = {
        key: _parse_use(request, number)
        for number, key in enumerate(keys)
        if f"column-{number}" in request.POST
    }
    if not any(columns.values()):
        return columns
    heading = layouts.find_heading(grid, layout)
    # Without it the columns may be others in the next version.
    if heading is None:
        columns[layouts.find_rows_key(grid)] = YES
    elif layout.kind is not Kind.GRID and heading != layouts.find_known_heading(grid):
        columns[build_row_key(grid.key(heading))] = Meaning.HEADING.value
    return columns | ({build_sheet_key(grid.table.name): YES} if grid.table.name else {})


def _parse_use(request: HttpRequest, number: int) -> str:
    first, also, split = (request.POST.get(f"{name}-{number}", "") for name in ("column", "also", "split"))
    known = {_WHEN, *(field for field, _label in list_fields())}
    if first not in known:
        return NO if first == NO else ""
    if also in known and split in set(Split):
        return str(Use((*first.split(), also), Split(split)))
    return str(Use((*first.split(),)))


# --- What is shown


def describe_sheet(
    sheet: Shown, names: Sequence[str], answers: Answers, said: Answers, proposed: set[str]
) -> dict[str, Any]:
    """Return what the page shows of a sheet; `said` is not stored yet, and some of it is `proposed`."""
    labels = dict(list_fields()) | {_WHEN: _("Day, start and end")}
    named = {field for _group, fields in _GROUPS for field in fields}
    rest = [field for field in labels if field not in named]
    keys = list_column_keys([column["heading"] for column in sheet["columns"]])
    fixed = find_fixed(answers)
    fields = {field for column in sheet["columns"] for field in column["fields"]} | fixed.keys()
    return {
        "sheet": sheet,
        "names": names,
        "is_whole": {"title", "day", "start"} <= fields,
        "said": json.dumps(dict(said)),
        "columns": [
            _describe_column(number, column, labels, is_proposed=key in proposed)
            for number, (column, key) in enumerate(zip(sheet["columns"], keys, strict=True))
        ],
        "row_roles": _ROWS,
        "name_roles": _NAMES,
        "name_role": answers.get(NAMES, ""),
        "bodies": _list_bodies(),
        "splits": _SPLITS,
        "groups": [
            (group, [(field, labels[field]) for field in fields if field in labels])
            for group, fields in (*_GROUPS, (_("More"), rest))
        ],
        "fixed": [*fixed.items(), ("", "")],
    }


def _describe_column(
    number: int, column: Shown, labels: dict[str, str], *, is_proposed: bool
) -> dict[str, Any]:
    use = Use.parse(column["said"])
    fields = list(use.fields) if use else []
    first = _WHEN if " ".join(fields) == _WHEN else fields[0] if fields else NO if use else ""
    read = ", ".join(labels.get(field, column["heading"] or "") for field in column["fields"])
    return {
        "number": number,
        "name": column["name"],
        "heading": column["heading"],
        "read": read or Meaning.UNUSED.label,
        "why": _WHY.get(CELLS if is_proposed else column["why"], ""),
        "first": first,
        "also": fields[1] if len(fields) == 2 else "",  # noqa: PLR2004 - the two that are chosen
        "split": use.split if use else "",
    }


def _list_bodies() -> list[tuple[str, str]]:
    found = [(layouts.TABLE, _("a table: one occasion in each row"))]
    for down, across in permutations(layouts.AXES, 2):
        axes = {"down": layouts.AXES[down], "across": layouts.AXES[across]}
        label = _("a grid: %(down)s in the first column, %(across)s in the headings") % axes
        found.append((f"{down}-{across}", label))
    return found
