"""Saying what the columns of a foreign sheet are, once: it is found again by the sheet's headings."""

import hashlib
import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from programme.admin.import_steps import is_sheet
from programme.admin.importing import find_upload
from programme.cleaning import clean_line
from programme.models import SheetMapping
from programme.schedules.kinds import saved_mappings
from programme.schedules.sheets.columns import COLUMNS
from programme.schedules.sheets.mapping import (
    Mapping,
    Part,
    Source,
    headings_key,
    headings_place,
    usual_mapping,
)
from programme.schedules.sheets.tables import Table, read_table
from programme.schedules.values import NotASchedule

_SAMPLES, _FIXED = 3, 3
# What several cells of a field are joined by.
_JOINS = {"description_sv": "\n\n", "description_en": "\n\n", "organizer": ", ", "type": ", "}
_LABELS = {
    "event_id": ("Programpunktens ID", "Event's ID"),
    "festival_day": ("Festivaldag", "Festival day"),
    "duration": ("Längd", "Duration"),
}


def fields() -> list[tuple[str, str]]:
    """Return the fields that a column can fill, with their names."""
    english = not (get_language() or "sv").startswith("sv")
    found = []
    for column in COLUMNS:
        if not column.field.endswith("_") and column.field != "last_modified":
            sv, en = _LABELS.get(column.field, (column.sv, column.en))
            found.append((column.field, en if english else sv))
    return found


def parts() -> list[tuple[str, str]]:
    return [
        (Part.WHOLE.value, _("the whole cell")),
        (Part.BEFORE_COMMA.value, _("what stands before the first comma")),
        (Part.AFTER_COMMA.value, _("what stands after the first comma")),
        (Part.FIRST.value, _("the first of a list")),
        (Part.ALL.value, _("all of a list, with commas between")),
    ]


def columns(request: HttpRequest, site: Any, pk: int) -> HttpResponse:
    """Ask what each column is, and keep the answers under a name."""
    kept = find_upload(request, pk)
    try:
        table = read_table(bytes(kept.content)) if is_sheet(kept) else None
    except NotASchedule:
        table = None
    if table is None or not table.rows:
        return redirect("admin:import_file", pk)
    place = _headings(table)
    headings = table.rows[place].cells
    error = ""
    if request.method == "POST":
        mapping = _asked(request, headings)
        if "title" in mapping.sources:
            _save(request, mapping, kept.name)
            kept.preview = None
            kept.save(update_fields=["preview"])
            return redirect("admin:import_file", pk)
        error = _("Say which column is the title.")
    else:
        saved = {each.key: each for each in saved_mappings()}
        mapping = saved.get(headings_key(headings)) or usual_mapping(headings)
    context = {
        **site.each_context(request),
        "title": _("What the columns are"),
        "upload": kept,
        "columns": _columns(table, place, mapping),
        "fixed": _fixed(mapping),
        "fields": fields(),
        "parts": parts(),
        "name": request.POST.get("name") or _name(mapping) or kept.name,
        "error": error,
    }
    return TemplateResponse(request, "admin/programme/import/columns.html", context)


def _headings(table: Table) -> int:
    """Return which row holds the headings: of a saved mapping, else those most of which are known."""
    saved = {mapping.key for mapping in saved_mappings()}
    for place, row in enumerate(table.rows[:15]):
        if headings_key(row.cells) in saved:
            return place
    return headings_place(table) or 0


def _columns(table: Table, place: int, mapping: Mapping) -> list[dict[str, Any]]:
    """Return each column with its first different contents and what it is."""
    used = {column: (field, source) for field, source in mapping.sources.items() for column in source.columns}
    found = []
    for number, heading in enumerate(table.rows[place].cells):
        cells = (row.cells[number] for row in table.rows[place + 1 :] if number < len(row.cells))
        samples: dict[str, None] = {}
        for cell in cells:
            if cell:
                samples.setdefault(cell[:80])
            if len(samples) == _SAMPLES:
                break
        field, source = used.get(number, ("", Source()))
        found.append(
            {
                "number": number,
                "heading": heading,
                "samples": list(samples),
                "field": field,
                "part": source.part.value,
            }
        )
    return found


def _fixed(mapping: Mapping) -> list[dict[str, Any]]:
    fixed = [{"field": field, "text": each.fixed} for field, each in mapping.sources.items() if each.fixed]
    return [*fixed, *[{"field": "", "text": ""}] * max(1, _FIXED - len(fixed))]


def _asked(request: HttpRequest, headings: tuple[str, ...]) -> Mapping:
    """Return the mapping that was asked for: columns that fill one field are joined in their order."""
    known = {field for field, _label in fields()}
    sources: dict[str, Source] = {}
    for number in range(len(headings)):
        field, part = request.POST.get(f"column-{number}", ""), request.POST.get(f"part-{number}", "")
        if field in known:
            taken = sources[field].columns if field in sources else ()
            part = sources[field].part.value if field in sources else part
            how = Part(part) if part in set(Part) else Part.WHOLE
            sources[field] = Source((*taken, number), how, _JOINS.get(field, " "))
    fixed = zip(request.POST.getlist("fixed-field"), request.POST.getlist("fixed-text"), strict=False)
    for field, text in fixed:
        if field in known and clean_line(text):
            source = sources.get(field, Source())
            sources[field] = Source(source.columns, source.part, source.join, clean_line(text))
    return Mapping(headings, sources)


def _save(request: HttpRequest, mapping: Mapping, otherwise: str) -> None:
    name = clean_line(request.POST.get("name", ""))[:200] or otherwise
    sources = {
        field: {
            "columns": list(each.columns),
            "part": each.part.value,
            "join": each.join,
            "fixed": each.fixed,
        }
        for field, each in mapping.sources.items()
    }
    values = {"name": name, "headings": list(mapping.headings), "sources": sources}
    SheetMapping.objects.update_or_create(key=_digest(mapping.key), defaults=values)
    messages.success(
        request, _("The columns are saved as “%(name)s”, and found again by their headings.") % {"name": name}
    )


def _digest(key: tuple[str, ...]) -> str:
    return hashlib.sha256(json.dumps(key).encode()).hexdigest()


def _name(mapping: Mapping) -> str:
    found = SheetMapping.objects.filter(key=_digest(mapping.key)).first()
    return found.name if found else ""
