"""What an import would do, as a page shows it: row by row, in the file's order, in plain JSON values."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from feeds.festival_time import FestivalTime
from programme.models import Event, Occasion
from programme.schedules.fitting import fit
from programme.schedules.merging import GONE, Conflict
from programme.schedules.plan import Change, Plan
from programme.schedules.values import Contents, Problem, ScheduledEvent, ScheduledOccasion

CREATED, CHANGED, UNCHANGED, REFUSED, KEPT = "created", "changed", "unchanged", "refused", "kept"
# Longer texts are shown by their beginning.
_SHOWN = 120


def preview_of(contents: Contents, plan: Plan, time: FestivalTime) -> dict[str, Any]:
    """Return what is shown of an import: its rows, how many there are of each kind, and a digest of them."""
    shown = _Preview(contents, plan, time)
    rows = sorted([*shown.events(), *shown.refused()], key=lambda row: row["row"])
    counts = {
        kind: sum(kind in _kinds(row) for row in rows)
        for kind in (CREATED, CHANGED, UNCHANGED, REFUSED, KEPT)
    }
    preview = {
        "rows": rows,
        "counts": counts,
        "notes": [
            {"where": each.where, "what": each.what} for each in contents.problems if not each.left_out
        ],
        "made": shown.made(),
        "missing": shown.missing(),
        "writes": plan.writes,
    }
    return preview | {"digest": digest(preview)}


def digest(preview: dict[str, Any]) -> str:
    """Return what tells two previews apart."""
    return hashlib.sha256(json.dumps(preview, sort_keys=True).encode()).hexdigest()


def _kinds(row: dict[str, Any]) -> set[str]:
    """Return under which kinds a row is counted: its own, its occasions' and that of its conflicts."""
    kinds = {row["kind"], *(occasion["kind"] for occasion in row["occasions"])}
    kinds |= {KEPT} if row["conflicts"] else set()
    return kinds - {UNCHANGED} or {UNCHANGED}


class _Preview:
    def __init__(self, contents: Contents, plan: Plan, time: FestivalTime) -> None:
        self.contents = contents
        self.plan = plan
        self.time = time
        self.changes = {
            id(change.row): change for rows in (plan.events, plan.occasions) for change in rows.changed
        }
        self.created = {id(row) for rows in (plan.events, plan.occasions) for row in rows.created}
        self.conflicts: dict[int, list[Conflict]] = {}
        for conflict in plan.conflicts:
            row = conflict.row
            event = row if isinstance(row, Event) else row.event
            self.conflicts.setdefault(id(event), []).append(conflict)
        self.refusals = {id(event): why for event, why in plan.refused}

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield each event of the file with its occasions."""
        for event, (row, occasions) in zip(self.contents.events, self.plan.rows, strict=True):
            change = self.changes.get(id(row)) if row else None
            conflicts = self.conflicts.get(id(row), []) if row else self._gone(event)
            why = self.refusals.get(id(event), "")
            yield {
                "row": event.row,
                "title": row.title if row else event.title,
                "pk": row.pk if row else None,
                "kind": REFUSED if why else self._kind(row),
                "why": [why] if why else [],
                "fields": self._fields(change),
                "more": self._told(row) if row is not None and id(row) in self.created else [],
                "conflicts": [self._conflict(each) for each in conflicts],
                "occasions": [
                    self._occasion(told, known)
                    for told, known in zip(event.occasions, occasions, strict=True)
                ],
            }

    def refused(self) -> Iterator[dict[str, Any]]:
        """Yield the rows that could not be taken, each with the reason."""
        for problem in self.contents.problems:
            if problem.left_out:
                yield self._refused(problem)

    @staticmethod
    def _refused(problem: Problem) -> dict[str, Any]:
        told = {"row": problem.row, "title": problem.where, "kind": REFUSED, "why": [problem.what]}
        return told | {"pk": None, "fields": [], "more": [], "conflicts": [], "occasions": []}

    def _kind(self, row: models.Model | None) -> str:
        if row is None:
            return KEPT
        if id(row) in self.created:
            return CREATED
        return CHANGED if id(row) in self.changes else UNCHANGED

    def _gone(self, event: ScheduledEvent) -> list[Conflict]:
        """Return the conflict of an event that was deleted here."""
        return [
            each
            for each in self.plan.conflicts
            if each.field == GONE and isinstance(each.row, Event) and each.row.title == event.title
        ][:1]

    def _occasion(self, told: ScheduledOccasion, known: Occasion | None) -> dict[str, Any]:
        change = self.changes.get(id(known)) if known else None
        place = ", ".join(filter(None, (told.location, told.room)))
        when = f"{self._moment(told.start)}–{self.time.local(told.end):%H:%M}"
        return {
            "row": told.row,
            "when": when,
            "place": place,
            "kind": self._kind(known),
            "fields": self._fields(change),
        }

    def _fields(self, change: Change | None) -> list[list[str]]:
        """Return the name, the old and the new value of each field that changes."""
        if change is None:
            return []
        return [
            [_name(change.row, name), self._shown(old), self._shown(new)]
            for name, (old, new) in change.fields.items()
            if name not in ("source_id", "uuid")
        ]

    def _told(self, event: Event) -> list[list[str]]:
        """Return the name and the value of the fields by which a new event is known."""
        names = ("status", "area", "sub_area", "type", "organizer", "location", "room", "price")
        values = {name: getattr(event, name) for name in names} | {"status": event.get_status_display()}
        return [[_name(event, name), self._shown(value)] for name, value in values.items() if value]

    def _conflict(self, conflict: Conflict) -> dict[str, Any]:
        row, gone = conflict.row, conflict.field == GONE
        occasion = "" if isinstance(row, Event) else self._moment(row.start)
        return {
            "key": conflict.key,
            "occasion": occasion,
            "field": _("deleted here") if gone else _name(row, conflict.field),
            "gone": gone,
            "here": "" if gone else self._shown(conflict.here),
            "file": "" if gone else self._shown(conflict.file),
            "again": conflict.again,
        }

    def made(self) -> list[dict[str, Any]]:
        """Return the places, organizers and the like that would be made beside the events."""
        return [
            {"kind": str(model._meta.verbose_name_plural), "names": [str(row) for row in named.created]}
            for model, named in self.plan.directory.kinds().items()
            if named.created
        ]

    def missing(self) -> list[dict[str, Any]]:
        """Return what is here, but no longer in the file."""
        gone = {event.pk for event in self.plan.events.missing}
        withdrawn = {id(row) for row in (*self.plan.withdrawn_events, *self.plan.withdrawn_occasions)}
        occasions = [each for each in self.plan.occasions.missing if each.event_id not in gone]
        rows = [(each, each.title) for each in self.plan.events.missing]
        rows += [(each, f"{each.event.title}, {self._moment(each.start)}") for each in occasions]  # type: ignore[misc]
        return [{"title": title, "withdrawn": id(row) in withdrawn} for row, title in rows]

    def _shown(self, value: Any) -> str:
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if hasattr(value, "astimezone"):
            return self._moment(value)
        return fit(str(value).replace("\n", " "), _SHOWN) if value not in (None, "") else "–"

    def _moment(self, instant: Any) -> str:
        return f"{self.time.local(instant):%Y-%m-%d %H:%M}"


def _name(row: models.Model, field: str) -> str:
    return str(row._meta.get_field(field).verbose_name)  # type: ignore[union-attr]
