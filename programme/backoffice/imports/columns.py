"""Choosing what the columns of a foreign sheet are, once: the mapping is found again by its headings."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from programme.api.instant import get_instant
from programme.backoffice.imports.steps import build_defaults, is_sheet
from programme.backoffice.imports.uploads import list_fields, read_again
from programme.backoffice.imports.views import describe_failure, find_upload
from programme.backoffice.rendering import render_page
from programme.exchange.readers.registry import load_mappings
from programme.exchange.readers.sheet.layouts import build_layout_key, unfold_tables
from programme.exchange.readers.sheet.mapping import (
    HEADINGS_WITHIN,
    Mapping,
    Part,
    Source,
    UnknownLayoutError,
    find_headings_row,
    find_saved,
    find_sheets,
    map_columns,
    save_mapping,
)
from programme.exchange.readers.sheet.sheets import list_sheets
from programme.exchange.readers.sheet.tables import Table, read_tables
from programme.exchange.text.lines import truncate
from programme.exchange.values import UnreadableFileError
from programme.exchange.workbook import Looks, WorkbookSheet, list_for_page
from programme.models import SheetMapping, Upload
from programme.models.cleaning import clean_line

_SAMPLES = 3
# For what is added.
_EMPTY: list[dict[str, Any]] = [{}] * 3
# What several cells of a field are joined by.
_JOINS = {"description_sv": "\n\n", "description_en": "\n\n", "organizer": ", ", "type": "; "}
# So many characters of a row distinguish it from others.
_MAX_SUMMARY = 80


def choose_columns(request: HttpRequest, pk: int) -> HttpResponse:
    upload = find_upload(request, pk)
    tables = read_sheets(request, upload)
    if not any(table.rows for table in tables):
        return redirect("admin:import_file", pk)
    defaults = build_defaults(upload, get_instant(request))
    read = tables
    with suppress(UnknownLayoutError):
        layouts = unfold_tables(tables, defaults)
        read = [*map(layouts.read, tables)]
    sheets = list_sheets(read, defaults)
    table = _find_table(request, tables, sheets)
    place = _find_heading_row(request, table)
    headings = table.rows[place].cells
    error = ""
    if request.method == "POST":
        mapping = _parse_mapping(request, headings)
        if "title" in mapping.sources:
            _save_mapping(request, mapping, upload.name)
            # They take the place of a layout that was pointed at.
            read_again(upload, {build_layout_key(table.name): ""})
            return redirect("admin:import_file", pk)
        error = _("Say which column is the title.")
    else:
        rows = [row.cells for row in table.rows[place + 1 :]]
        mapping = find_saved(headings, load_mappings()) or map_columns(headings, rows, with_proposals=True)
    stored = SheetMapping.objects.filter(key=mapping.digest).first()
    used, besides = _assign_columns(mapping)
    fixed = [{"field": field, "text": each.fixed} for field, each in mapping.sources.items() if each.fixed]
    columns = _describe_columns(table, place, used)
    context = {
        "upload": upload,
        "sheet": table.name,
        "filled": [sheet.name for sheet in sheets if sheet.rows],
        "sheets": list_for_page(sheets),
        "columns": columns,
        "unread": [each for each in columns if not each["field"]],
        "read": [each for each in columns if each["field"]],
        "besides": besides,
        "more": [*besides, *_EMPTY],
        "fixed": [*fixed, *_EMPTY],
        "place": place,
        "rows": [
            (number, row.number, truncate(" · ".join(filter(None, row.cells)), _MAX_SUMMARY))
            for number, row in enumerate(table.rows[:HEADINGS_WITHIN])
        ],
        "fields": list_fields(),
        "parts": Part.choices,
        "name": request.POST.get("name") or (stored and stored.name) or upload.name,
        "error": error,
    }
    return render_page(request, "import/columns", _("What the columns are"), context)


def read_sheets(request: HttpRequest, upload: Upload) -> list[Table]:
    """Return the sheets of a file; none, and a message, if it cannot be read."""
    try:
        return read_tables(bytes(upload.content)) if is_sheet(upload) else []
    except UnreadableFileError as reason:
        messages.error(request, describe_failure(upload, reason))
        return []


def _find_table(request: HttpRequest, tables: Sequence[Table], sheets: Sequence[WorkbookSheet]) -> Table:
    """Return the sheet that was chosen, else the first that is read and not understood."""
    filled = {table.name: table for table in tables if table.rows}
    name = request.POST.get("sheet") or request.GET.get("sheet") or ""
    if name in filled:
        return filled[name]
    read = [sheet.name for sheet in sheets if sheet.is_read] or list(filled)
    strange = {sheet.name for sheet in sheets if sheet.looks != Looks.PROGRAMME}
    strange |= {
        name
        for sheet in find_sheets(filled.values(), load_mappings())
        if sheet.is_doubtful
        for name in sheet.parts
    }
    return filled[next((name for name in read if name in strange), read[0])]


def _find_heading_row(request: HttpRequest, table: Table) -> int:
    chosen = request.POST.get("headings") or request.GET.get("headings") or ""
    within = min(HEADINGS_WITHIN, len(table.rows))
    if chosen in set(map(str, range(within))):
        return int(chosen)
    return find_headings_row(table, load_mappings()) or 0


def _describe_columns(table: Table, place: int, used: dict[int, tuple[str, str]]) -> list[dict[str, Any]]:
    found = []
    for number, heading in enumerate(table.rows[place].cells):
        cells = (row.cells[number] for row in table.rows[place + 1 :] if number < len(row.cells))
        samples = list(dict.fromkeys(cell[:80] for cell in cells if cell))[:_SAMPLES]
        field, part = used.get(number, ("", Part.WHOLE.value))
        column = {"number": number, "heading": heading, "samples": samples}
        found.append(column | {"field": field, "part": part})
    return found


def _assign_columns(mapping: Mapping) -> tuple[dict[int, tuple[str, str]], list[dict[str, Any]]]:
    """Return the field of each column and what is taken of it, and what columns are taken for besides."""
    table: dict[int, tuple[str, str]] = {}
    more: list[dict[str, Any]] = []
    # A database may keep them in any order.
    for field, _label in list_fields():
        source = mapping.sources.get(field, Source())
        for column in source.columns:
            if column in table:
                more.append({"column": column, "field": field, "part": source.part.value})
            else:
                table[column] = (field, source.part.value)
    return table, more


def _parse_mapping(request: HttpRequest, headings: tuple[str, ...]) -> Mapping:
    known = {field for field, _label in list_fields()}
    sources: dict[str, Source] = {}
    for number, field, part in _parse_columns(request, len(headings)):
        if field in known:
            # What is taken of the first cell is taken of them all.
            new = Source((), Part(part) if part in set(Part) else Part.WHOLE, _JOINS.get(field, " "))
            source = sources.get(field, new)
            sources[field] = msgspec.structs.replace(source, columns=(*source.columns, number))
    fixed = zip(request.POST.getlist("fixed-field"), request.POST.getlist("fixed-text"), strict=False)
    for field, text in fixed:
        if field in known and clean_line(text):
            source = sources.get(field, Source())
            sources[field] = msgspec.structs.replace(source, fixed=clean_line(text))
    return Mapping(headings, sources)


def _parse_columns(request: HttpRequest, count: int) -> list[tuple[int, str, str]]:
    """Return columns with their fields and what is taken of them, from the left."""
    found = [
        (number, request.POST.get(f"column-{number}", ""), request.POST.get(f"part-{number}", ""))
        for number in range(count)
    ]
    names = ("more-column", "more-field", "more-part")
    for column, field, part in zip(*map(request.POST.getlist, names), strict=False):
        if column in set(map(str, range(count))):
            found.append((int(column), field, part))
    return sorted(found)


def _save_mapping(request: HttpRequest, mapping: Mapping, otherwise: str) -> None:
    name = clean_line(request.POST.get("name", ""))[:200] or otherwise
    save_mapping(name, mapping)
    messages.success(
        request, _("The columns are saved as “%(name)s”, and found again by their headings.") % {"name": name}
    )
