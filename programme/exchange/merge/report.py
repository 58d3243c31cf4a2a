"""What an import has done, or would do, for the person who asked for it: by kind and by row."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from feeds.festival_time import FestivalTime
from programme.exchange.merge.plan import FieldChange, Plan
from programme.exchange.merge.three_way import GONE, MISSING, Conflict
from programme.exchange.text.fitting import truncate
from programme.exchange.values import Contents
from programme.models import Event, Occasion

# A longer text is named, but not shown.
_SHOWN = 60


def report(contents: Contents, plan: Plan, time: FestivalTime, *, list_created: bool) -> str:
    """Return the report of an import."""
    writer = _Writer(contents, plan, time)
    return "\n".join([*writer.summary(), *writer.rows(list_created=list_created)])


class _Writer:
    def __init__(self, contents: Contents, plan: Plan, time: FestivalTime) -> None:
        self.contents = contents
        self.plan = plan
        self.time = time

    def summary(self) -> Iterator[str]:
        """Yield a table: a line for each kind, a column for what happened."""
        table = [
            ("", _("created"), _("changed"), _("unchanged"), _("no longer in the file")),
            *self._counts(),
        ]
        kind_width = max(len(row[0]) for row in table)
        for row in table:
            cells = [f"{cell:>{len(head)}}" for cell, head in zip(row[1:], table[0][1:], strict=True)]
            yield f"{row[0]:<{kind_width}}  {'  '.join(cells)}"

    def _counts(self) -> Iterator[tuple[str, ...]]:
        for model, rows in ((Event, self.plan.events), (Occasion, self.plan.occasions)):
            counts = (len(rows.created), len(rows.changed), rows.unchanged, len(rows.missing))
            yield (_plural(model), *map(str, counts))
        for model, named in self.plan.directory.kinds().items():
            yield (_plural(model), str(len(named.created)), "0", str(named.unchanged), "")

    def rows(self, *, list_created: bool) -> Iterator[str]:
        """Yield a line for each row that needs a look, in sections."""
        events, occasions = self.plan.events, self.plan.occasions
        if list_created:
            yield from _section(_("Created"), [*map(self._event, events.created), *self._new_occasions()])
        changes = [(self._event(change.row), change) for change in events.changed]
        changes += [(self._occasion(change.row), change) for change in occasions.changed]
        yield from _section(_("Changed"), (f"{who}: {self._fields(change)}" for who, change in changes))
        yield from self._conflicts()
        yield from _section(_("No longer in the file"), self._missing())
        yield from _section(_("Renamed here"), renamed(self.plan))
        yield from self._brought_back()
        yield from _section(_("In the file, but drafts here"), map(self._event, self.plan.drafts))
        problems = (f"{problem.where}: {problem.what}" for problem in self.contents.problems)
        yield from _section(_("Problems"), problems)

    def _conflicts(self) -> Iterator[str]:
        """Yield what was edited here: first what the file says something new of."""
        told = [(conflict, self._conflict(conflict)) for conflict in self.plan.conflicts]
        kept = [(each, line) for each, line in told if not each.overwritten]
        anew = (line for each, line in kept if not each.again)
        yield from _section(_("Edited here, and changed in the file; kept as it is here"), anew)
        yield from _section(_("Edited here; kept"), (line for each, line in kept if each.again))
        yield from _section(_("Edited here; overwritten"), (line for each, line in told if each.overwritten))

    def _conflict(self, conflict: Conflict) -> str:
        row = conflict.row
        who = self._event(row) if isinstance(row, Event) else self._occasion(row)
        if conflict.field == GONE:
            return f"{who}: {_('deleted here')}"
        if conflict.field == MISSING:
            return f"{who}: {_('no longer in the file')}"
        name = row._meta.get_field(conflict.field).verbose_name
        here, file = (self._shown(value) or "…" for value in (conflict.here, conflict.file))
        return f"{who}: {name} {_('here %(here)s, in the file %(file)s') % {'here': here, 'file': file}}"

    def _brought_back(self) -> Iterator[str]:
        """Yield what had been withdrawn by an import, or deleted, and is there again."""
        yield from _section(
            _("In the file again; published again"), map(self._event, self.plan.published_again)
        )
        back = self.plan.restored
        events = [self._event(each) for each in self.plan.events.created if id(each) in back]
        occasions = [self._occasion(each) for each in self.plan.occasions.created if id(each) in back]
        yield from _section(_("In the file again; brought back"), [*events, *occasions])

    def _new_occasions(self) -> Iterator[str]:
        new = {id(event) for event in self.plan.events.created}
        return (
            self._occasion(occasion)
            for occasion in self.plan.occasions.created
            if id(occasion.event) not in new
        )

    def _missing(self) -> Iterator[str]:
        withdrawn = {event.pk for event in self.plan.withdrawn_events}
        for event in self.plan.events.missing:
            what = _("withdrawn") if event.pk in withdrawn else event.get_status_display()
            yield f"{self._event(event)}: {what}"
        gone = {event.pk for event in self.plan.events.missing}
        deleted = {occasion.pk for occasion in self.plan.withdrawn_occasions}
        for occasion in self.plan.occasions.missing:
            if occasion.event_id not in gone:
                what = _("deleted") if occasion.pk in deleted else _("still here")
                yield f"{self._occasion(occasion)}: {what}"

    def _event(self, event: Event) -> str:
        return f"{event.title} [{event.source_id}]"

    def _occasion(self, occasion: Occasion) -> str:
        return f"{occasion.event.title}, {self._moment(occasion.start)}"

    def _fields(self, change: FieldChange) -> str:
        return "; ".join(
            self._field(change.row._meta.get_field(name).verbose_name, old, new)
            for name, (old, new) in change.fields.items()
        )

    def _field(self, name: str, old: Any, new: Any) -> str:
        before, after = self._shown(old), self._shown(new)
        return f"{name}" if before is None or after is None else f"{name} {before} → {after}"

    def _shown(self, value: Any) -> str | None:
        """Return a value in short, None where it is too long to be shown."""
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if isinstance(value, datetime):
            return self._moment(value)
        text = "–" if value in (None, "") else str(value)
        return text if len(text) <= _SHOWN and "\n" not in text else None

    def _moment(self, instant: datetime) -> str:
        return f"{self.time.local(instant):%Y-%m-%d %H:%M}"


def renamed(plan: Plan) -> list[str]:
    """Return what to say of what the file calls by a name that was changed here."""
    return [
        ngettext(
            "“%(old)s” is called “%(new)s” here now (%(count)d event)",
            "“%(old)s” is called “%(new)s” here now (%(count)d events)",
            count,
        )
        % {"old": old, "new": new, "count": count}
        for old, new, count in plan.renamed
    ]


def _plural(model: type[Model]) -> str:
    return str(model._meta.verbose_name_plural)


def _section(heading: str, lines: Iterable[str]) -> Iterator[str]:
    lines = list(lines)
    if lines:
        yield ""
        yield f"{heading} ({len(lines)})"
        yield from (f"  {truncate(line, 400)}" for line in lines)
