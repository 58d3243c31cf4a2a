"""The preview of an import, as a page shows it: row by row, in the file's order, in plain JSON values."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from feeds.columns import NOTE
from feeds.facts import phrase_token
from programme.changes.change import Change
from programme.changes.difference import compare_states, format_span_to_end, format_title
from programme.exchange.merge import plan
from programme.exchange.merge.names import EVENT
from programme.exchange.merge.telling import TELL
from programme.exchange.merge.three_way import ImportConflict
from programme.exchange.questions import NameQuestion, find_unanswered
from programme.exchange.readers.sheet.columns import name_field as name_column
from programme.exchange.readers.sheet.corrections import SheetCells
from programme.exchange.text.lines import truncate
from programme.exchange.values import Contents, Problem, ScheduledOccasion, group_by
from programme.exchange.workbook import list_for_page, locate_row
from programme.history.versions import read_state
from programme.models import Event, Occasion, Status
from programme.models.dates import format_instant
from programme.models.facts import localize

# What was edited or deleted here, and stays so.
KEPT = "kept"
# What rows are counted as, in the order of the page.
KINDS = {
    plan.NEW: gettext_lazy("New"),
    plan.CHANGED: gettext_lazy("With changes"),
    plan.RESTORED: gettext_lazy("Restored"),
    plan.WITHDRAWN: gettext_lazy("Withdrawn"),
    plan.REMOVED: gettext_lazy("Deleted"),
    KEPT: gettext_lazy("Edited here"),
    plan.REFUSED: gettext_lazy("Refused"),
    plan.UNCHANGED: gettext_lazy("Left alone"),
}
# Of longer values of what is new the beginning is shown.
_LONGEST_VALUE = 120
# What a row of the page says of a new one beside its fields.
_SAID = {"title", "event_id", "start", "end", "location_id", "room_id", "source", "source_id"}
# What every row has.
_ROW: dict[str, Any] = {
    "row": 0, "pk": None, "why": [], "notes": [], "fields": [], "more": [], "conflicts": [], "occasions": [],
    "forbidden": False, "missing": False, "cells": 0, "field": "",
}  # fmt: skip


def build_preview(contents: Contents, planned: plan.PlannedImport) -> dict[str, Any]:
    """Return what is shown of an import: its rows, how many there are of each kind, and a digest of them."""
    shown = _Preview(contents, planned)
    left_out = [_show_left_out(each, contents.cells) for each in contents.problems if each.left_out]
    rows = sorted([*shown.events(), *left_out], key=lambda row: row["row"])
    rows += shown.removed()
    for row in (each for shown_row in rows for each in (shown_row, *shown_row["occasions"])):
        sheet, number = locate_row(contents.sheets, row["row"])
        row["row"] = f"{sheet}, {number}" if sheet and row["row"] else row["row"]
    problems = [each for each in contents.problems if not (each.left_out or each.whole)]
    notes = group_problems([*problems, *list_taken_uids(planned)])
    remarks = group_problems(each for each in contents.problems if each.whole and not each.warns)
    counts = Counter(kind for row in rows for kind in find_kinds(row))
    names = [each for each in planned.questions if isinstance(each, NameQuestion)]
    others = [each for each in planned.questions if not isinstance(each, NameQuestion)]
    preview = {
        "rows": rows,
        "counts": {kind: counts[kind] for kind in KINDS},
        "forbidden": sum(row["forbidden"] for row in rows),
        "notes": msgspec.to_builtins(notes),
        "remarks": [
            *(each.what for each in remarks),
            *(f"{_('Renamed or merged here')}: {each}" for each in list_former_names(planned)),
            *list_rooms_alone(planned),
            *list_left_facts(planned),
        ],
        "suspicions": msgspec.to_builtins(planned.suspicions),
        "made": list(_list_made(planned)),
        "names": _show_names(names),
        "described": shown.described(),
        "missing": shown.missing(),
        "sheets": list_for_page(contents.sheets),
        "questions": [msgspec.to_builtins(each) for each in others if each.key != TELL],
        # It is answered with the import itself.
        "telling": next((each.text for each in others if each.key == TELL), ""),
        "unanswered": len(find_unanswered(planned.questions)),
        "writes": planned.writes,
    }
    known = {each.among: each.known for each in names if each.known}
    # What else is here now is no reason to look again.
    preview["digest"] = hashlib.sha256(msgspec.json.encode(preview, order="sorted")).hexdigest()
    return preview | {"known": known, "cells": contents.cells.pack() if contents.cells else ""}


def _show_left_out(problem: Problem, cells: SheetCells | None) -> dict[str, Any]:
    row = cells.rows[problem.cells - 1] if cells and problem.cells else None
    return _ROW | {
        "row": problem.row,
        "title": problem.event or (row.name if row and row.name else problem.where),
        "kind": plan.REFUSED,
        "why": [problem.what],
        "cells": problem.cells,
        "field": problem.field,
    }


def find_kinds(row: dict[str, Any]) -> set[str]:
    """Return under which kinds a row is counted: its own, its occasions' and that of its conflicts."""
    kinds = {row["kind"], *(occasion["kind"] for occasion in row["occasions"])}
    kinds |= {KEPT} if row["conflicts"] else set()
    return kinds - {plan.UNCHANGED} or {plan.UNCHANGED}


def _list_made(planned: plan.PlannedImport) -> Iterator[dict[str, Any]]:
    """Yield what is made along that nobody is asked about, by kind."""
    for model, named in planned.directory.kinds().items():
        asked = {id(named.rows.get(key)) for key in named.asked}
        if names := [str(row) for row in named.created if id(row) not in asked]:
            kind = model._meta.verbose_name_plural if names[1:] else model._meta.verbose_name
            yield {"kind": str(kind), "names": names}


def _show_names(names: list[NameQuestion]) -> list[dict[str, Any]]:
    """Return the questions about names, by groups: those without an answer, or with something near, first."""
    groups = _("Names that look like others"), _("New names")
    of_events = _("New, or the same under another title?"), _("Other new events")
    found = []
    for each in names:
        is_event = each.among == EVENT
        is_open = len(each.choices) > 1 if is_event else not each.answer
        order = (not is_open, is_event, each.is_new and not is_event)
        shown = {"is_open": is_open, "group": (of_events if is_event else groups)[not is_open]}
        found.append((order, msgspec.to_builtins(replace(each, known=())) | shown))
    return [shown for _order, shown in sorted(found, key=itemgetter(0))]


class _Preview:
    def __init__(self, contents: Contents, planned: plan.PlannedImport) -> None:
        self.contents = contents
        self.planned = planned
        conflicts = (each.change for each in planned.conflicts)
        self.names = plan.name_planned([*planned.plan.written, *conflicts])
        self.empty = {model: read_state(model()) or {} for model in (Event, Occasion)}

    # --- What the file has ------------------------------------------------------------------

    def events(self) -> Iterator[dict[str, Any]]:
        planned = self.planned
        for event in self.contents.events:
            row = planned.event_rows.get(id(event))
            kind = planned.find_kind(row) if row else KEPT
            why = str(planned.find_refusal(row)) if row else ""
            conflicts = planned.conflicts_by_event.get(id(event), [])
            occasions = [self._occasion(each, conflicts, is_refused=bool(why)) for each in event.occasions]
            yield _ROW | {
                "row": event.row,
                "cells": event.cells,
                "title": row.title if row else event.title,
                "pk": row.pk if row and not planned.is_new(row) else None,
                "kind": kind,
                "why": [why] if why else [],
                "notes": [planned.notes[id(row)]] if id(row) in planned.notes and not why else [],
                "fields": self._fields(row),
                "more": self._list_new_fields(row) if row and kind in {plan.NEW, plan.RESTORED} else [],
                "conflicts": [self._conflict(each) for each in conflicts],
                "occasions": occasions,
                "forbidden": bool(why) or any(each["why"] for each in occasions),
            }

    def _occasion(
        self, occasion: ScheduledOccasion, conflicts: list[ImportConflict], *, is_refused: bool
    ) -> dict[str, Any]:
        row = self.planned.occasion_rows.get(id(occasion))
        kind = plan.REFUSED if is_refused else self.planned.find_kind(row) if row else KEPT
        here = [each for each in conflicts if row and each.row is row and not each.overwritten]
        kept = {name for each in here for name in each.change.values}
        when = format_span_to_end(occasion.start, occasion.end)
        place = ", ".join(filter(None, (occasion.location, occasion.room)))
        differing = [when] if kept & {"start", "end"} else []
        differing += [place] if kept & {"location_id", "room_id"} else []
        if row and kind != plan.REFUSED:
            when = format_span_to_end(row.start, row.end)
            place = row.place_name
        return {
            "row": occasion.row,
            "cells": occasion.cells,
            "when": when,
            "place": place,
            # What the file states, where something else is kept here.
            "file": ", ".join(differing),
            "kind": kind,
            "cancelled": bool(row and row.cancelled),
            "why": str(self.planned.find_refusal(row)) if row and not is_refused else "",
            "note": occasion.note,
            "fields": self._fields(row) + self._note(row),
            "more": self._list_new_fields(row) if row and kind in {plan.NEW, plan.RESTORED} else [],
        }

    def _fields(self, row: Event | Occasion | None) -> list[list[str]]:
        change = self.planned.changes.get(id(row))
        return self._compare(change) if change and change.kind else []

    def _compare(self, change: Change) -> list[list[str]]:
        """Return the label, the old and the new value of each field that differs."""
        found = compare_states(change.model, change.before, change.after, self.names)
        return [[each.label, each.before, each.after] for each in found]

    def _list_new_fields(self, row: Event | Occasion) -> list[list[str]]:
        """Return the fields that a new row has, with the beginnings of their values."""
        change = self.planned.changes[id(row)]
        after, empty = change.after or {}, self.empty[change.model]
        before = {name: after[name] if name in _SAID else empty[name] for name in after}
        found = compare_states(change.model, before, after, self.names)
        shown = ((each.label, each.after.replace("\n", " ")) for each in found)
        return [[label, truncate(text, _LONGEST_VALUE)] for label, text in shown]

    def _note(self, row: Occasion | None) -> list[list[str]]:
        """Return what readers are told of an occasion, if they are, like a field."""
        note = self.planned.told.get(row.pk) if row else None
        text = " / ".join(filter(None, (note.sv, note.en))) if note else ""
        return [[name_column(NOTE[0]), "", text]] if text else []

    # --- What the file no longer has --------------------------------------------------------

    def removed(self) -> Iterator[dict[str, Any]]:
        """Yield what is withdrawn or deleted, and what was edited here and stays unless that is decided."""
        for row in (*self.planned.missing_events, *self.planned.missing_occasions):
            if (kind := self.planned.find_kind(row)) in {plan.WITHDRAWN, plan.REMOVED}:
                yield _ROW | {"title": str(row), "pk": getattr(row, "event_id", row.pk), "kind": kind}
        kept = _("no longer in the file, but edited here on %(when)s: it stays, unless you tick it above")
        for conflict in self.planned.edited_missing:
            if not conflict.overwritten and conflict.edited_at:
                yield _ROW | {
                    "title": str(conflict.row),
                    "pk": getattr(conflict.row, "event_id", conflict.row.pk),
                    "kind": KEPT,
                    "notes": [kept % {"when": format_instant(conflict.edited_at)}],
                    "conflicts": [self._conflict(conflict)],
                    "missing": True,
                }

    def missing(self) -> list[dict[str, Any]]:
        """Return what the file no longer has and stays as it is here."""
        missing = {event.pk for event in self.planned.missing_events}
        edited = {id(each.row) for each in self.planned.edited_missing}
        occasions = [each for each in self.planned.missing_occasions if each.event_id not in missing]
        return [
            {"title": str(row), "draft": isinstance(row, Event) and row.status == Status.DRAFT}
            for row in (*self.planned.missing_events, *occasions)
            if id(row) not in edited and self.planned.find_kind(row) == plan.UNCHANGED
        ]

    def described(self) -> list[dict[str, Any]]:
        """Return what changes of areas, places and the like."""
        described = self.planned.list_described()
        return [{"name": str(each.row), "fields": self._compare(each)} for each in described]

    def _conflict(self, conflict: ImportConflict) -> dict[str, Any]:
        row, is_event = conflict.row, isinstance(conflict.row, Event)
        shown = {
            "key": conflict.key,
            "title": row.title if is_event else row.event.title,
            "occasion": "" if is_event else format_instant(row.start),
            "again": conflict.repeated,
        }
        if conflict.change.before is None:
            return shown | {"text": _("deleted here, and still in the file")}
        if conflict.edited_at:
            withdraw = _("withdraw it: edited here on %(when)s, and no longer in the file")
            delete = _("delete it: edited here on %(when)s, and no longer in the file")
            text = withdraw if is_event else delete
            return shown | {"text": text % {"when": format_instant(conflict.edited_at)}}
        return shown | {"fields": self._compare(conflict.change)}


# --- In words ------------------------------------------------------------------------------------


class Note(msgspec.Struct, frozen=True):
    """What is wrong, how often, and where; each place once, in the file's order."""

    what: str
    count: int
    places: list[str]

    def __str__(self) -> str:
        if self.count == 1:
            return f"{self.places[0]}: {self.what}"
        named = {"what": self.what, "count": self.count, "places": "; ".join(self.places)}
        return _("%(what)s (%(count)d times): %(places)s") % named


def group_problems(problems: Iterable[Problem]) -> list[Note]:
    found = group_by(problems, lambda each: each.what).items()
    return [Note(what, len(same), list(dict.fromkeys(each.place for each in same))) for what, same in found]


def list_taken_uids(planned: plan.PlannedImport) -> list[Problem]:
    what = _(
        "the UID by which calendars know it is or was another occasion's here: it gets a new one, and "
        "they show it as new"
    )
    return [Problem(str(row), what) for row in planned.taken_uids]


def list_rooms_alone(planned: plan.PlannedImport) -> list[str]:
    """Say which rooms are meant by names that stand where a location does."""
    what = _("“%(name)s” is taken as the room “%(room)s”")
    return [what % {"name": name, "room": room} for name, room in planned.directory.rooms_alone.items()]


def list_left_facts(planned: plan.PlannedImport) -> list[str]:
    """Say what rows of events state of places, and no place gets."""
    if not planned.left_facts:
        return []
    words = ", ".join(localize(phrase_token(each)) for each in planned.left_facts)
    return [_("left out, because it is said of places: enter it at the place (%(facts)s)") % {"facts": words}]


def list_former_names(planned: plan.PlannedImport) -> list[str]:
    """Return the names that were changed here: as the file has them, and as they are now."""
    kinds = planned.directory.kinds().values()
    return [f"{name} → {format_title(row)}" for kind in kinds for name, row in kind.list_renamed()]
