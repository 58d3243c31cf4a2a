"""What an import has done, or would do, by kind and by row, as a text that tests compare."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from programme.changes.change import Change
from programme.changes.difference import Difference, compare_states
from programme.exchange.merge import preview
from programme.exchange.merge.plan import REMOVED, PlannedImport, name_planned
from programme.exchange.merge.three_way import ImportConflict
from programme.exchange.text.lines import truncate
from programme.exchange.values import Contents
from programme.models import Event, Occasion

# Of a longer value only the field is named.
_LONGEST_VALUE = 60


def write_report(contents: Contents, planned: PlannedImport, *, list_created: bool) -> str:
    report = _Report(contents, planned)
    return "\n".join([*report.counts(), *report.rows(list_created=list_created)])


class _Report(NamedTuple):
    contents: Contents
    planned: PlannedImport

    def counts(self) -> Iterator[str]:
        planned = self.planned
        stated = {Event: planned.event_rows, Occasion: planned.occasion_rows}
        missing = {Event: planned.missing_events, Occasion: planned.missing_occasions}
        yield "created changed unchanged, no longer in the file"
        for model, rows in stated.items():
            changed = sum(each.model is model for each in self.changed)
            stored = sum(not planned.is_new(row) for row in rows.values())
            counts = (len(planned.list_new(model)), changed, stored - changed, len(missing[model]))
            yield " ".join(map(str, (model._meta.verbose_name_plural, *counts)))
        for model, named in planned.directory.kinds().items():
            changed = sum(each.model is model for each in planned.list_described())
            counts = (len(named.created), changed, len(named._used) - len(named.created) - changed)
            yield " ".join(map(str, (model._meta.verbose_name_plural, *counts)))

    @property
    def changed(self) -> list[Change]:
        """The changes of stored rows that the file has."""
        found = (each for each in self.planned.plan.written if each.before and each.after)
        return [each for each in found if id(each.row) not in self.planned.withdrawn]

    def rows(self, *, list_created: bool) -> Iterator[str]:
        planned = self.planned
        if len(sheets := self.contents.sheets) > 1:
            for is_read, heading in ((True, "Sheets that are read"), (False, "Sheets that are not read")):
                yield from _section(heading, (each.description for each in sheets if each.is_read is is_read))
        if list_created:
            events = planned.list_new(Event)
            new = {id(event) for event in events}
            others = [each for each in planned.list_new(Occasion) if id(each.event) not in new]
            yield from _section("Created", map(self._row, [*events, *others]))
        order = [Event, Occasion]
        changed = sorted(self.changed, key=lambda each: order.index(each.model) if each.model in order else 2)
        yield from _section("Changed", map(self._change, changed))
        yield from self._conflicts()
        yield from _section("No longer in the file", self._missing())
        yield from _section("Renamed or merged here", preview.list_former_names(planned))
        yield from _section("Taken as rooms", preview.list_rooms_alone(planned))
        problems = [*self.contents.problems, *preview.list_taken_uids(planned)]
        yield from _section("Problems", map(str, preview.group_problems(problems)))

    def _conflicts(self) -> Iterator[str]:
        """Yield what was edited here: first where the file states something new."""
        kept = [each for each in self.planned.conflicts if not each.overwritten]
        new = [each for each in kept if not each.repeated]
        heading = "Edited here, and changed in the file; kept as it is here"
        yield from _section(heading, map(self._conflict, new))
        yield from _section("Edited here; kept", (self._conflict(each) for each in kept if each.repeated))

    def _conflict(self, conflict: ImportConflict) -> str:
        row = conflict.row
        if conflict.change.before is None or conflict.edited_at:
            return f"{self._row(row)}: {'no longer in the file' if conflict.edited_at else 'deleted here'}"
        values = _list_values(conflict.change)
        fields = (f"{label} here {old or '…'}, in the file {new or '…'}" for label, old, new in values)
        return f"{self._row(row)}: {'; '.join(fields)}"

    def _missing(self) -> Iterator[str]:
        planned = self.planned
        missing = {event.pk for event in planned.missing_events}
        for event in planned.missing_events:
            status = "withdrawn" if id(event) in planned.withdrawn else event.get_status_display()
            yield f"{self._row(event)}: {status}"
        for occasion in planned.missing_occasions:
            if occasion.event_id not in missing:
                status = "deleted" if planned.find_kind(occasion) == REMOVED else "still here"
                yield f"{self._row(occasion)}: {status}"

    def _row(self, row: Any) -> str:
        return f"{row.title} [{row.source_id}]" if isinstance(row, Event) else str(row)

    def _change(self, change: Change) -> str:
        values = _list_values(change)
        fields = (f"{label} {old} → {new}" if old and new else label for label, old, new in values)
        return f"{self._row(change.row)}: {'; '.join(fields)}"


def list_conflicts(planned: PlannedImport) -> list[tuple[str, str, str]]:
    """Return the fields in which there are conflicts, with what is here and what the file states."""
    found = (each for conflict in planned.conflicts for each in compare(conflict.change))
    return [(each.label, each.before, each.after) for each in found]


def compare(change: Change) -> list[Difference]:
    return compare_states(change.model, change.before, change.after, name_planned([change]))


def _shorten(text: str) -> str | None:
    """Return a value in words, None where it is too long to be shown."""
    return (text or "–") if len(text) <= _LONGEST_VALUE and "\n" not in text else None


def _section(heading: str, lines: Iterable[str]) -> Iterator[str]:
    if listed := [*lines]:
        yield ""
        yield f"{heading} ({len(listed)})"
        yield from (f"  {truncate(line, 400)}" for line in listed)


def _list_values(change: Change) -> Iterator[tuple[str, str | None, str | None]]:
    for each in compare(change):
        yield each.label[:1].lower() + each.label[1:], _shorten(each.before), _shorten(each.after)
