"""What an import has done, or would do, by kind and by row, as a text that tests compare."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from programme.exchange.merge.plan import ImportPlan
from programme.exchange.merge.three_way import GONE, MISSING, ImportConflict, PlannedChange
from programme.exchange.merge.wording import (
    group_problems,
    list_former_names,
    list_rooms_alone,
    list_taken_uids,
    name_field,
    show_value,
)
from programme.exchange.text.lines import truncate
from programme.exchange.values import Contents
from programme.models import Event, Occasion

# Of a longer value only the field is named.
_LONGEST_VALUE = 60


def write_report(contents: Contents, plan: ImportPlan, *, list_created: bool) -> str:
    report = _Report(contents, plan)
    return "\n".join([*report.counts(), *report.rows(list_created=list_created)])


class _Report(NamedTuple):
    contents: Contents
    plan: ImportPlan

    def counts(self) -> Iterator[str]:
        table: list[tuple[str, ...]] = [
            ("", _("created"), _("changed"), _("unchanged"), _("no longer in the file"))
        ]
        for model, rows in ((Event, self.plan.events), (Occasion, self.plan.occasions)):
            counts = (len(rows.created), len(rows.changed), rows.unchanged, len(rows.missing))
            table.append((str(model._meta.verbose_name_plural), *map(str, counts)))
        for model, named in self.plan.directory.kinds().items():
            changed = sum(isinstance(change.row, model) for change in self.plan.described)
            unchanged = len(named._used) - len(named.created) - changed
            numbers = map(str, (len(named.created), changed, unchanged))
            table.append((str(model._meta.verbose_name_plural), *numbers, ""))
        kind_width = max(len(row[0]) for row in table)
        for row in table:
            cells = [f"{cell:>{len(head)}}" for cell, head in zip(row[1:], table[0][1:], strict=True)]
            yield f"{row[0]:<{kind_width}}  {'  '.join(cells)}"

    def rows(self, *, list_created: bool) -> Iterator[str]:
        plan, events, occasions = self.plan, self.plan.events, self.plan.occasions
        if len(sheets := self.contents.sheets) > 1:
            kinds = {True: _("Sheets that are read"), False: _("Sheets that are not read")}
            for is_read, heading in kinds.items():
                yield from _section(heading, (each.description for each in sheets if each.is_read is is_read))
        if list_created:
            new = {id(event) for event in events.created}
            others = [each for each in occasions.created if id(each.event) not in new]
            yield from _section(_("Created"), map(self._row, [*events.created, *others]))
        changed = (*events.changed, *occasions.changed, *plan.described)
        yield from _section(_("Changed"), (self._change(each) for each in changed if each.fields))
        yield from self._conflicts()
        yield from _section(_("No longer in the file"), self._missing())
        yield from _section(_("Renamed or merged here"), list_former_names(plan))
        yield from _section(_("Taken as rooms"), list_rooms_alone(plan))
        problems = [*self.contents.problems, *list_taken_uids(plan)]
        yield from _section(_("Problems"), map(str, group_problems(problems)))

    def _conflicts(self) -> Iterator[str]:
        """Yield what was edited here: first where the file states something new."""
        kept = [each for each in self.plan.conflicts if not each.overwritten]
        new = [each for each in kept if not each.repeated]
        heading = _("Edited here, and changed in the file; kept as it is here")
        yield from _section(heading, map(self._conflict, new))
        yield from _section(_("Edited here; kept"), (self._conflict(each) for each in kept if each.repeated))
        overwritten = (self._conflict(each) for each in self.plan.conflicts if each.overwritten)
        yield from _section(_("Edited here; overwritten"), overwritten)

    def _conflict(self, conflict: ImportConflict) -> str:
        row = conflict.row
        if conflict.field == GONE:
            return f"{self._row(row)}: {_('deleted here')}"
        if conflict.field == MISSING:
            return f"{self._row(row)}: {_('no longer in the file')}"
        here, file = (
            self._value(row, conflict.field, each) or "…" for each in (conflict.here, conflict.file)
        )
        values = {"here": here, "file": file}
        name = name_field(row, conflict.field)
        return f"{self._row(row)}: {name} {_('here %(here)s, in the file %(file)s') % values}"

    def _missing(self) -> Iterator[str]:
        missing = {event.pk for event in self.plan.events.missing}
        withdrawn = {event.pk for event in self.plan.withdrawn_events}
        deleted = {occasion.pk for occasion in self.plan.withdrawn_occasions}
        for event in self.plan.events.missing:
            status = _("withdrawn") if event.pk in withdrawn else event.get_status_display()
            yield f"{self._row(event)}: {status}"
        for occasion in self.plan.occasions.missing:
            if occasion.event_id not in missing:
                status = _("deleted") if occasion.pk in deleted else _("still here")
                yield f"{self._row(occasion)}: {status}"

    def _row(self, row: Any) -> str:
        if isinstance(row, Event):
            return f"{row.title} [{row.source_id}]"
        return str(row)

    def _change(self, change: PlannedChange) -> str:
        fields = []
        for name, values in change.fields.items():
            old, new = (self._value(change.row, name, each) for each in values)
            arrow = "" if old is None or new is None else f" {old} → {new}"
            fields.append(name_field(change.row, name) + arrow)
        return f"{self._row(change.row)}: {'; '.join(fields)}"

    def _value(self, row: Any, name: str, value: Any) -> str | None:
        """Return a value in words, None where it is too long to be shown."""
        text = show_value(row, name, value)
        return text if len(text) <= _LONGEST_VALUE and "\n" not in text else None


def _section(heading: str, lines: Iterable[str]) -> Iterator[str]:
    lines = list(lines)
    if lines:
        yield ""
        yield f"{heading} ({len(lines)})"
        yield from (f"  {truncate(line, 400)}" for line in lines)
