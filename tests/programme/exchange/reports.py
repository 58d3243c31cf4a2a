"""What an import has done, or would do, by kind and by row, as a text that tests compare."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from programme.changes.change import Change
from programme.changes.difference import Difference, compare_states
from programme.exchange.merge.plan import REMOVED, PlannedImport, name_planned
from programme.exchange.merge.preview import (
    group_problems,
    list_former_names,
    list_rooms_alone,
    list_taken_uids,
)
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
        table: list[tuple[str, ...]] = [
            ("", _("created"), _("changed"), _("unchanged"), _("no longer in the file"))
        ]
        stated = {Event: planned.event_rows, Occasion: planned.occasion_rows}
        missing = {Event: planned.missing_events, Occasion: planned.missing_occasions}
        for model, rows in stated.items():
            made = planned.list_new(model)
            changed = [each for each in self.changed if each.model is model]
            stored = [row for row in rows.values() if not planned.is_new(row)]
            unchanged = len(stored) - len(changed)
            counts = (len(made), len(changed), unchanged, len(missing[model]))
            table.append((str(model._meta.verbose_name_plural), *map(str, counts)))
        for model, named in planned.directory.kinds().items():
            changed = sum(each.model is model for each in planned.list_described())
            unchanged = len(named._used) - len(named.created) - changed
            numbers = map(str, (len(named.created), changed, unchanged))
            table.append((str(model._meta.verbose_name_plural), *numbers, ""))
        kind_width = max(len(row[0]) for row in table)
        for row in table:
            cells = [f"{cell:>{len(head)}}" for cell, head in zip(row[1:], table[0][1:], strict=True)]
            yield f"{row[0]:<{kind_width}}  {'  '.join(cells)}"

    @property
    def changed(self) -> list[Change]:
        """The changes of stored rows that the file has."""
        found = (each for each in self.planned.plan.written if each.before and each.after)
        return [each for each in found if id(each.row) not in self.planned.withdrawn]

    def rows(self, *, list_created: bool) -> Iterator[str]:
        planned = self.planned
        if len(sheets := self.contents.sheets) > 1:
            kinds = {True: _("Sheets that are read"), False: _("Sheets that are not read")}
            for is_read, heading in kinds.items():
                yield from _section(heading, (each.description for each in sheets if each.is_read is is_read))
        if list_created:
            events = planned.list_new(Event)
            new = {id(event) for event in events}
            others = [each for each in planned.list_new(Occasion) if id(each.event) not in new]
            yield from _section(_("Created"), map(self._row, [*events, *others]))
        order = [Event, Occasion]
        changed = sorted(self.changed, key=lambda each: order.index(each.model) if each.model in order else 2)
        yield from _section(_("Changed"), map(self._change, changed))
        yield from self._conflicts()
        yield from _section(_("No longer in the file"), self._missing())
        yield from _section(_("Renamed or merged here"), list_former_names(planned))
        yield from _section(_("Taken as rooms"), list_rooms_alone(planned))
        problems = [*self.contents.problems, *list_taken_uids(planned)]
        yield from _section(_("Problems"), map(str, group_problems(problems)))

    def _conflicts(self) -> Iterator[str]:
        """Yield what was edited here: first where the file states something new."""
        kept = [each for each in self.planned.conflicts if not each.overwritten]
        new = [each for each in kept if not each.repeated]
        heading = _("Edited here, and changed in the file; kept as it is here")
        yield from _section(heading, map(self._conflict, new))
        yield from _section(_("Edited here; kept"), (self._conflict(each) for each in kept if each.repeated))

    def _conflict(self, conflict: ImportConflict) -> str:
        row = conflict.row
        if conflict.change.before is None:
            return f"{self._row(row)}: {_('deleted here')}"
        if conflict.edited_at:
            return f"{self._row(row)}: {_('no longer in the file')}"
        fields = []
        for each in compare(conflict.change):
            values = {"here": _shorten(each.before) or "…", "file": _shorten(each.after) or "…"}
            fields.append(f"{_lower(each.label)} {_('here %(here)s, in the file %(file)s') % values}")
        return f"{self._row(row)}: {'; '.join(fields)}"

    def _missing(self) -> Iterator[str]:
        planned = self.planned
        missing = {event.pk for event in planned.missing_events}
        for event in planned.missing_events:
            status = _("withdrawn") if id(event) in planned.withdrawn else event.get_status_display()
            yield f"{self._row(event)}: {status}"
        for occasion in planned.missing_occasions:
            if occasion.event_id not in missing:
                status = _("deleted") if planned.find_kind(occasion) == REMOVED else _("still here")
                yield f"{self._row(occasion)}: {status}"

    def _row(self, row: Any) -> str:
        if isinstance(row, Event):
            return f"{row.title} [{row.source_id}]"
        return str(row)

    def _change(self, change: Change) -> str:
        fields = []
        for each in compare(change):
            old, new = _shorten(each.before), _shorten(each.after)
            fields.append(_lower(each.label) + ("" if old is None or new is None else f" {old} → {new}"))
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
    lines = list(lines)
    if lines:
        yield ""
        yield f"{heading} ({len(lines)})"
        yield from (f"  {truncate(line, 400)}" for line in lines)


def _lower(label: str) -> str:
    return label[:1].lower() + label[1:]
