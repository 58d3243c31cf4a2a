"""The preview of an import, as a page shows it: row by row, in the file's order, in plain JSON values."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from django.db.models import Model
from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.columns import NOTE
from feeds.facts import facts_of
from programme.changes.difference import format_instant, format_span
from programme.exchange.merge.places import PLACE
from programme.exchange.merge.plan import ImportPlan
from programme.exchange.merge.telling import TELL
from programme.exchange.merge.three_way import GONE, IDENTIFIERS, MISSING, ImportConflict
from programme.exchange.merge.wording import (
    group_problems,
    list_former_names,
    list_left_facts,
    list_rooms_alone,
    list_taken_uids,
    name_field,
    show_value,
    warn_of_strangers,
)
from programme.exchange.questions import NameQuestion, find_unanswered
from programme.exchange.readers.sheet.columns import name_field as name_column
from programme.exchange.readers.sheet.corrections import SheetCells
from programme.exchange.text.languages import list_languages_meant
from programme.exchange.text.lines import truncate
from programme.exchange.values import Contents, Problem, ScheduledEvent, ScheduledOccasion
from programme.exchange.workbook import list_for_page, locate_row
from programme.models import Event, Occasion, Status
from programme.models.event_types import TYPES

CREATED, CHANGED, UNCHANGED, REFUSED, KEPT = "created", "changed", "unchanged", "refused", "kept"
# What comes back with its identity; what the file no longer has.
RESTORED, WITHDRAWN, DELETED = "restored", "withdrawn", "deleted"
KINDS = (CREATED, CHANGED, RESTORED, WITHDRAWN, DELETED, KEPT, REFUSED, UNCHANGED)
# Of longer values of what is new the beginning is shown.
_LONGEST_VALUE = 120
# The fields that are shown of a new event, and of a new occasion beside when and where it is.
_SHOWN_FIELDS = (
    "status", "area", "sub_area", *TYPES, "organizer", "language", "price", "ticket_url",
    *(fact.name for fact in facts_of("event")),
    "external_url", "intro_sv", "intro_en", "description_sv", "description_en",
)  # fmt: skip
_SHOWN_OF_OCCASIONS = (
    "cancelled",
    *(fact.name for fact in facts_of("occasion")),
    "booking_url",
    "booking_from",
)
# What every row has.
_ROW: dict[str, Any] = {
    "row": 0, "pk": None, "why": [], "notes": [], "fields": [], "more": [], "conflicts": [], "occasions": [],
    "forbidden": False, "missing": False, "cells": 0, "field": "",
}  # fmt: skip


def build_preview(contents: Contents, plan: ImportPlan) -> dict[str, Any]:
    """Return what is shown of an import: its rows, how many there are of each kind, and a digest of them."""
    shown = _Preview(contents, plan)
    left_out = [_show_left_out(each, contents.cells) for each in contents.problems if each.left_out]
    rows = sorted([*shown.events(), *left_out], key=lambda row: row["row"])
    rows += shown.removed()
    for row in (each for shown_row in rows for each in (shown_row, *shown_row["occasions"])):
        sheet, number = locate_row(contents.sheets, row["row"])
        row["row"] = f"{sheet}, {number}" if sheet and row["row"] else row["row"]
    problems = [each for each in contents.problems if not (each.left_out or each.whole)]
    notes = group_problems([*problems, *list_taken_uids(plan)])
    remarks = group_problems(each for each in contents.problems if each.whole)
    counts = Counter(kind for row in rows for kind in find_kinds(row))
    preview = {
        "rows": rows,
        "counts": {kind: counts[kind] for kind in KINDS},
        "forbidden": sum(row["forbidden"] for row in rows),
        "notes": msgspec.to_builtins(notes),
        "remarks": [
            *(each.what for each in remarks),
            *(f"{_('Renamed or merged here')}: {each}" for each in list_former_names(plan)),
            *list_rooms_alone(plan),
            *list_left_facts(plan),
            *warn_of_strangers(plan),
        ],
        "warnings": [each.what for each in contents.problems if each.warns],
        "made": list(_list_made(plan)),
        "names": _list_names(plan),
        "described": shown.described(),
        "missing": shown.missing(),
        "sheets": list_for_page(contents.sheets),
        "layouts": msgspec.to_builtins(contents.layouts, str_keys=True),
        "columns": [list(each) for each in contents.columns],
        "languages": list(list_languages_meant(contents)),
        "questions": [
            msgspec.to_builtins(each)
            for each in plan.questions
            if each.key != TELL and not isinstance(each, NameQuestion)
        ],
        # It is answered with the import itself.
        "telling": next((each.text for each in plan.questions if each.key == TELL), ""),
        "unanswered": len(find_unanswered(plan.questions)),
        "writes": plan.writes,
    }
    known = {
        each.among: each.known for each in plan.questions if isinstance(each, NameQuestion) and each.known
    }
    # What else is here now is no reason to look again.
    preview["digest"] = hashlib.sha256(json.dumps(preview, sort_keys=True).encode()).hexdigest()
    return preview | {"known": known, "cells": contents.cells.pack() if contents.cells else ""}


def _show_left_out(problem: Problem, cells: SheetCells | None) -> dict[str, Any]:
    row = cells.rows[problem.cells - 1] if cells and problem.cells else None
    return _ROW | {
        "row": problem.row,
        "title": problem.event or (row.name if row and row.name else problem.where),
        "kind": REFUSED,
        "why": [problem.what],
        "cells": problem.cells,
        "field": problem.field,
    }


def find_kinds(row: dict[str, Any]) -> set[str]:
    """Return under which kinds a row is counted: its own, its occasions' and that of its conflicts."""
    kinds = {row["kind"], *(occasion["kind"] for occasion in row["occasions"])}
    kinds |= {KEPT} if row["conflicts"] else set()
    return kinds - {UNCHANGED} or {UNCHANGED}


def _list_made(plan: ImportPlan) -> Iterator[dict[str, Any]]:
    """Yield what is made along that nobody is asked about, by kind."""
    for model, named in plan.directory.kinds().items():
        asked = {id(named.rows.get(key)) for key in named.asked}
        if names := [str(row) for row in named.created if id(row) not in asked]:
            kind = model._meta.verbose_name_plural if names[1:] else model._meta.verbose_name
            yield {"kind": str(kind), "names": names}


def _list_names(plan: ImportPlan) -> list[dict[str, Any]]:
    """Return the questions about names: those without an answer, those that mean another one, new names."""
    names = [each for each in plan.questions if isinstance(each, NameQuestion)]
    names.sort(key=lambda each: (bool(each.answer), each.is_new))
    return [msgspec.to_builtins(replace(each, known=())) | {"is_open": not each.answer} for each in names]


class _Preview:
    def __init__(self, contents: Contents, plan: ImportPlan) -> None:
        self.contents = contents
        self.plan = plan
        planned = (plan.events, plan.occasions)
        self.changes = {id(change.row): change.fields for rows in planned for change in rows.changed}
        self.created = {id(row) for rows in planned for row in rows.created}

    # --- What the file has ------------------------------------------------------------------

    def events(self) -> Iterator[dict[str, Any]]:
        plan = self.plan
        for event in self.contents.events:
            row, why = plan.event_rows.get(id(event)), plan.refused.get(id(event))
            new = row is not None and id(row) in self.created
            conflicts = plan.conflicts_by_event.get(id(event), [])
            occasions = [self._occasion(each, conflicts, refused=bool(why)) for each in event.occasions]
            yield _ROW | {
                "row": event.row,
                "cells": event.cells,
                "title": row.title if row else event.title,
                "pk": row.pk if row and not new else None,
                "kind": self._kind(event, row),
                "why": [why] if why else [],
                "notes": [plan.notes[id(row)]] if id(row) in plan.notes else [],
                "fields": self._fields(row),
                "more": self._new_fields(row, _SHOWN_FIELDS) if row and new else [],
                "conflicts": [self._conflict(each) for each in conflicts],
                "occasions": occasions,
                "forbidden": bool(why) or any(each["why"] for each in occasions),
            }

    def _occasion(
        self, occasion: ScheduledOccasion, conflicts: list[ImportConflict], *, refused: bool
    ) -> dict[str, Any]:
        row = self.plan.occasion_rows.get(id(occasion))
        kept = {each.field for each in conflicts if row and each.row is row and not each.overwritten}
        when = format_span(occasion.start, occasion.end)
        place = ", ".join(filter(None, (occasion.location, occasion.room)))
        differing = [when] if kept & {"start", "end"} else []
        differing += [place] if kept & PLACE else []
        if row:
            when = format_span(row.start, row.end)
            place = row.place_name
        return {
            "row": occasion.row,
            "cells": occasion.cells,
            "when": when,
            "place": place,
            # What the file states, where something else is kept here.
            "file": ", ".join(differing),
            "kind": REFUSED if refused else self._kind(occasion, row),
            "why": self.plan.refused.get(id(occasion), ""),
            "note": occasion.note,
            "fields": self._fields(row) + self._note(row),
            "more": self._new_fields(row, _SHOWN_OF_OCCASIONS) if id(row) in self.created and row else [],
        }

    def _kind(self, stated: ScheduledEvent | ScheduledOccasion, row: Event | Occasion | None) -> str:
        if id(stated) in self.plan.refused:
            return REFUSED
        if row is None:
            return KEPT
        if id(row) in self.plan.restored:
            return RESTORED
        if id(row) in self.created:
            return CREATED
        is_told = isinstance(row, Occasion) and row.pk in self.plan.told
        return CHANGED if is_told or id(row) in self.changes else UNCHANGED

    def _fields(self, row: Event | Occasion | None) -> list[list[str]]:
        """Return the name, the old and the new value of each field that changes."""
        return self._list_changes(row, self.changes.get(id(row), {})) if row else []

    def _note(self, row: Occasion | None) -> list[list[str]]:
        """Return what readers are told of an occasion, if they are, like a field."""
        note = self.plan.told.get(row.pk) if row else None
        text = truncate(" / ".join(filter(None, (note.sv, note.en))), _LONGEST_VALUE) if note else ""
        return [[name_column(NOTE[0]), "–", text]] if text else []

    def _list_changes(self, row: Model, changes: dict[str, tuple[Any, Any]]) -> list[list[str]]:
        return [
            [name_field(row, name), *(show_value(row, name, each) for each in values)]
            for name, values in changes.items()
            if name not in IDENTIFIERS
        ]

    def _new_fields(self, row: Event | Occasion, names: Iterable[str]) -> list[list[str]]:
        return [
            [name_field(row, name), truncate(show_value(row, name, value).replace("\n", " "), _LONGEST_VALUE)]
            for name in names
            if (value := getattr(row, name))
        ]

    # --- What the file no longer has --------------------------------------------------------

    def removed(self) -> Iterator[dict[str, Any]]:
        """Yield what is withdrawn or deleted, and what was edited here and stays unless that is decided."""
        for event in self.plan.withdrawn_events:
            yield _ROW | {"title": event.title, "pk": event.pk, "kind": WITHDRAWN}
        for occasion in self.plan.withdrawn_occasions:
            yield _ROW | {"title": str(occasion), "pk": occasion.event_id, "kind": DELETED}
        kept = _("no longer in the file, but edited here on %(when)s: it stays, unless you tick it above")
        for conflict in self.plan.edited_missing:
            row = conflict.row
            if not conflict.overwritten:
                yield _ROW | {
                    "title": str(row),
                    "pk": row.pk if isinstance(row, Event) else row.event_id,
                    "kind": KEPT,
                    "notes": [kept % {"when": format_instant(conflict.here)}],
                    "conflicts": [self._conflict(conflict)],
                    "missing": True,
                }

    def missing(self) -> list[dict[str, Any]]:
        """Return what the file no longer has and stays as it is here."""
        missing = {event.pk for event in self.plan.events.missing}
        shown = {id(row) for row in (*self.plan.withdrawn_events, *self.plan.withdrawn_occasions)}
        shown |= {id(each.row) for each in self.plan.edited_missing}
        occasions = [each for each in self.plan.occasions.missing if each.event_id not in missing]
        return [
            {"title": str(row), "draft": isinstance(row, Event) and row.status == Status.DRAFT}
            for row in (*self.plan.events.missing, *occasions)
            if id(row) not in shown
        ]

    def described(self) -> list[dict[str, Any]]:
        """Return what changes of areas, places and the like."""
        return [
            {"name": str(change.row), "fields": self._list_changes(change.row, change.fields)}
            for change in self.plan.described
        ]

    # --- Words ------------------------------------------------------------------------------

    def _conflict(self, conflict: ImportConflict) -> dict[str, Any]:
        row, is_event = conflict.row, isinstance(conflict.row, Event)
        shown = {
            "key": conflict.key,
            "occasion": "" if is_event else format_instant(row.start),
            "gone": conflict.field == GONE,
            "again": conflict.repeated,
        }
        if conflict.field == GONE:
            return shown | {"field": _("deleted here"), "here": "", "file": ""}
        if conflict.field == MISSING:
            return shown | {
                "title": row.title if is_event else row.event.title,
                "field": _("withdraw it") if is_event else _("delete it"),
                "here": _("edited %(when)s") % {"when": format_instant(conflict.here)},
                "file": _("no longer in the file"),
            }
        return shown | {
            "field": name_field(row, conflict.field),
            "here": show_value(row, conflict.field, conflict.here),
            "file": show_value(row, conflict.field, conflict.file),
        }
