"""What an import would do, as a page shows it: row by row, in the file's order, in plain JSON values."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feeds.festival_time import FestivalTime
from programme.exchange.merge.plan import FieldChange, Plan
from programme.exchange.merge.report import renamed
from programme.exchange.merge.three_way import GONE, MISSING, Conflict
from programme.exchange.text.fitting import truncate
from programme.exchange.values import Contents, Problem, ScheduledEvent, ScheduledOccasion
from programme.models import Event, Occasion, Status

CREATED, CHANGED, UNCHANGED, REFUSED, KEPT = "created", "changed", "unchanged", "refused", "kept"
# What comes back with its identity; what the file has no longer.
RESTORED, WITHDRAWN, DELETED = "restored", "withdrawn", "deleted"
KINDS = (CREATED, CHANGED, RESTORED, WITHDRAWN, DELETED, KEPT, REFUSED, UNCHANGED)
# Longer texts are shown by their beginning.
_SHOWN = 120


def build_preview(contents: Contents, plan: Plan, time: FestivalTime) -> dict[str, Any]:
    """Return what is shown of an import: its rows, how many there are of each kind, and a digest of them."""
    shown = _Preview(contents, plan, time)
    rows = sorted([*shown.events(), *shown.refused()], key=lambda row: row["row"])
    rows += shown.taken_away()
    counts = {kind: sum(kind in kinds_of(row) for row in rows) for kind in KINDS}
    preview = {
        "rows": rows,
        "counts": counts,
        "forbidden": sum(row["forbidden"] for row in rows),
        "notes": [
            {"where": each.where, "what": each.what}
            for each in contents.problems
            if not (each.left_out or each.whole)
        ],
        "remarks": [*(each.what for each in contents.problems if each.whole), *renamed(plan)],
        "made": shown.made(),
        "missing": shown.missing(),
        "writes": plan.writes,
    }
    return preview | {"digest": digest(preview)}


def digest(preview: dict[str, Any]) -> str:
    """Return what tells two previews apart."""
    return hashlib.sha256(json.dumps(preview, sort_keys=True).encode()).hexdigest()


def kinds_of(row: dict[str, Any]) -> set[str]:
    """Return under which kinds a row is counted: its own, its occasions' and that of its conflicts."""
    kinds = {row["kind"], *(occasion["kind"] for occasion in row["occasions"])}
    kinds |= {KEPT} if row["conflicts"] else set()
    return kinds - {UNCHANGED} or {UNCHANGED}


# By which a new event is known; of texts their beginnings.
_TOLD = (
    "status", "area", "sub_area", "type", "organizer", "language", "location", "room", "price", "ticket_url",
    "external_url", "intro_sv", "intro_en", "description_sv", "description_en",
)  # fmt: skip
# What every row has.
_ROW: dict[str, Any] = {
    "row": 0, "pk": None, "why": [], "notes": [], "fields": [], "more": [], "conflicts": [], "occasions": [],
    "forbidden": False, "missing": False,
}  # fmt: skip
_PUBLISHED_AGAIN = gettext_lazy("an import has withdrawn it; the file has it again, so it is published again")
_STAYS_WITHDRAWN = gettext_lazy(
    "an import has withdrawn it; the file has it again, and it stays a draft, because you may not publish"
)


class _Preview:
    def __init__(self, contents: Contents, plan: Plan, time: FestivalTime) -> None:
        self.contents = contents
        self.plan = plan
        self.time = time
        self.changes = {
            id(change.row): change for rows in (plan.events, plan.occasions) for change in rows.changed
        }
        self.created = {id(row) for rows in (plan.events, plan.occasions) for row in rows.created}
        self.refusals = {id(told): why for told, why in plan.refused}
        self.notes = {
            **{id(row): _("withdrawn here: it stays a draft") for row in plan.withdrawn_here},
            **{id(row): _PUBLISHED_AGAIN for row in plan.published_again},
            **{id(row): _STAYS_WITHDRAWN for row in plan.stay_withdrawn},
        }

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield each event of the file with its occasions."""
        for event, (row, occasions) in zip(self.contents.events, self.plan.rows, strict=True):
            change = self.changes.get(id(row)) if row else None
            conflicts = self.plan.conflicts_of.get(id(event), [])
            told = [
                self._occasion(
                    each, known, row, self._conflicts_of(known, conflicts), id(event) in self.refusals
                )
                for each, known in zip(event.occasions, occasions, strict=True)
            ]
            yield _ROW | {
                "row": event.row,
                "title": row.title if row else event.title,
                "pk": row.pk if row and id(row) not in self.created else None,
                "kind": self._kind(event, row),
                "why": [self.refusals[id(event)]] if id(event) in self.refusals else [],
                "notes": [str(self.notes[id(row)])] if id(row) in self.notes else [],
                "fields": self._fields(change),
                "more": self._told(row) if row is not None and id(row) in self.created else [],
                "conflicts": [self._conflict(each) for each in conflicts],
                "occasions": told,
                "forbidden": id(event) in self.refusals or any(each["why"] for each in told),
            }

    @staticmethod
    def _conflicts_of(row: Occasion | None, conflicts: list[Conflict]) -> list[Conflict]:
        return [each for each in conflicts if row is not None and each.row is row and not each.overwritten]

    def refused(self) -> Iterator[dict[str, Any]]:
        """Yield the rows that could not be taken, each with the reason."""
        for problem in self.contents.problems:
            if problem.left_out:
                yield self._refused(problem)

    @staticmethod
    def _refused(problem: Problem) -> dict[str, Any]:
        told = {"row": problem.row, "title": problem.where, "kind": REFUSED, "why": [problem.what]}
        return _ROW | told

    def taken_away(self) -> Iterator[dict[str, Any]]:
        """Yield what the file has no longer, and what happens to it: a row for each."""
        for event in self.plan.withdrawn_events:
            yield _ROW | {"title": event.title, "pk": event.pk, "kind": WITHDRAWN}
        for occasion in self.plan.withdrawn_occasions:
            yield _ROW | {"title": self._title(occasion), "pk": occasion.event_id, "kind": DELETED}
        for conflict in self.plan.edited_missing:
            if not conflict.overwritten:
                yield self._edited_missing(conflict)

    def _edited_missing(self, conflict: Conflict) -> dict[str, Any]:
        event = conflict.row if isinstance(conflict.row, Event) else conflict.row.event
        kept = _("no longer in the file, but edited here on %(when)s: it stays, unless you tick it above")
        return _ROW | {
            "title": event.title if event is conflict.row else self._title(conflict.row),
            "pk": event.pk,
            "kind": KEPT,
            "notes": [kept % {"when": self._moment(conflict.here)}],
            "conflicts": [self._conflict(conflict)],
            "missing": True,
        }

    def _kind(self, told: ScheduledEvent | ScheduledOccasion, row: models.Model | None) -> str:
        if id(told) in self.refusals:
            return REFUSED
        if row is None:
            return KEPT
        if id(row) in self.plan.restored:
            return RESTORED
        if id(row) in self.created:
            return CREATED
        return CHANGED if id(row) in self.changes else UNCHANGED

    def _occasion(
        self,
        told: ScheduledOccasion,
        known: Occasion | None,
        event: Event | None,
        kept: list[Conflict],
        refused: bool,
    ) -> dict[str, Any]:
        change = self.changes.get(id(known)) if known else None
        file = (self._span(told), ", ".join(filter(None, (told.location, told.room))))
        fields = {each.field for each in kept}
        when = self._span(known) if known and fields & {"start", "end"} else file[0]
        place = _place(known, event) if known and fields & {"location", "room"} else file[1]
        return {
            "row": told.row,
            "when": when,
            "place": place,
            # What the file says, where something else is kept here.
            "file": ", ".join(said for said, shown in zip(file, (when, place), strict=True) if said != shown),
            "kind": REFUSED if refused else self._kind(told, known),
            "why": self.refusals.get(id(told), ""),
            "note": told.note,
            "fields": self._fields(change),
        }

    def _span(self, occasion: Any) -> str:
        return f"{self._moment(occasion.start)}–{self.time.local(occasion.end):%H:%M}"

    def _fields(self, change: FieldChange | None) -> list[list[str]]:
        """Return the name, the old and the new value of each field that changes."""
        if change is None:
            return []
        return [
            [
                _name(change.row, name),
                *(self._shown(_in_words(change.row, name, each)) for each in (old, new)),
            ]
            for name, (old, new) in change.fields.items()
            if name not in ("source_id", "uuid")
        ]

    def _told(self, event: Event) -> list[list[str]]:
        """Return the name and the value of the fields by which a new event is known."""
        values = {name: getattr(event, name) for name in _TOLD} | {"status": event.get_status_display()}
        return [[_name(event, name), self._shown(value)] for name, value in values.items() if value]

    def _conflict(self, conflict: Conflict) -> dict[str, Any]:
        row, gone = conflict.row, conflict.field == GONE
        if conflict.field == MISSING:
            return self._conflict_of_missing(conflict)
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

    def _conflict_of_missing(self, conflict: Conflict) -> dict[str, Any]:
        row = conflict.row
        return {
            "key": conflict.key,
            "occasion": "" if isinstance(row, Event) else self._moment(row.start),
            "title": row.title if isinstance(row, Event) else row.event.title,
            "field": _("withdraw it") if isinstance(row, Event) else _("delete it"),
            "gone": False,
            "here": _("edited %(when)s") % {"when": self._moment(conflict.here)},
            "file": _("no longer in the file"),
            "again": False,
        }

    def made(self) -> list[dict[str, Any]]:
        """Return the places, organizers and the like that would be made beside the events."""
        return [
            {"kind": _kind_of(model, len(named.created)), "names": [str(row) for row in named.created]}
            for model, named in self.plan.directory.kinds().items()
            if named.created
        ]

    def missing(self) -> list[dict[str, Any]]:
        """Return what the file has no longer, and what stays as it is here."""
        gone = {event.pk for event in self.plan.events.missing}
        taken = {id(row) for row in (*self.plan.withdrawn_events, *self.plan.withdrawn_occasions)}
        taken |= {id(each.row) for each in self.plan.edited_missing}
        occasions = [each for each in self.plan.occasions.missing if each.event_id not in gone]
        rows: list[tuple[Any, str, bool]] = [
            (each, each.title, each.status == Status.DRAFT) for each in self.plan.events.missing
        ]
        rows += [(each, self._title(each), False) for each in occasions]
        return [{"title": title, "draft": draft} for row, title, draft in rows if id(row) not in taken]

    def _shown(self, value: Any) -> str:
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if hasattr(value, "astimezone"):
            return self._moment(value)
        return truncate(str(value).replace("\n", " "), _SHOWN) if value not in (None, "") else "–"

    def _title(self, occasion: Occasion) -> str:
        return f"{occasion.event.title}, {self._moment(occasion.start)}"

    def _moment(self, instant: Any) -> str:
        return f"{self.time.local(instant):%Y-%m-%d %H:%M}"


def _place(occasion: Occasion, event: Event | None) -> str:
    """Return where an occasion is, by name: at its own place, else at its event's."""
    own = occasion if occasion.location or occasion.room else event or occasion.event
    return ", ".join(each.name for each in (own.location, own.room) if each)


def _in_words(row: models.Model, name: str, value: Any) -> Any:
    choices = getattr(row._meta.get_field(name), "flatchoices", None)
    return str(dict(choices).get(value, value)) if choices else value


def _kind_of(model: type[models.Model], count: int) -> str:
    return str(model._meta.verbose_name if count == 1 else model._meta.verbose_name_plural)


def _name(row: models.Model, field: str) -> str:
    return str(row._meta.get_field(field).verbose_name)  # type: ignore[union-attr]
