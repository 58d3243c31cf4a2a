"""What the next edition takes along of an edition, moved by whole days; and writing it."""

import datetime as dt
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from feeds.festival_time import Length
from programme.backoffice.bulk.occasions import move
from programme.backoffice.forms.quick_facts import QUICK
from programme.backoffice.timetable.columns import WriteRefusedError
from programme.changes.change import Change, Plan
from programme.models import AreaDay, Day, Edition, Event, Occasion
from programme.models.dates import format_day
from programme.models.festival_time import festival_time

# What the history calls the edit; the edition's name stands after it.
PREPARED = gettext_noop("prepared the edition")
# The identity, the source and the history of the original.
NOT_COPIED = {"id", "uuid", "uid", "source", "source_id", "status", "cancelled"}
NOT_COPIED |= {"published_at", "last_modified"}


def copy_values(row: Model, **others: object) -> dict[str, object]:
    """Return the values of a copy, which is neither published, cancelled nor full."""
    fields = [field for field in row._meta.local_concrete_fields if field.name not in NOT_COPIED]
    values = {field.attname: getattr(row, field.attname) for field in fields}
    taken_back = {fact.name: "" for fact, value in QUICK if values.get(fact.name) == value.code}
    return values | taken_back | others


@dataclass
class TakenAlong:
    """What is taken along; `refused` says why what cannot be held then is left out, `known` is there."""

    edition: Edition
    by: dt.timedelta
    # Of areas, with their new days; and occasions at their new times.
    hours: list[tuple[AreaDay, dt.date]] = field(default_factory=list)
    occasions: list[Occasion] = field(default_factory=list)
    outside: set[dt.date] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)

    def take_hours(self, row: AreaDay) -> None:
        if self._holds(day := row.day.date + self.by):
            self.hours.append((row, day))

    def take_occasion(self, row: Occasion) -> None:
        after = copy(row)
        try:
            move(after, Length(self.by.days), festival_time())
        except WriteRefusedError as refused:
            self.refused.append(f"{row}: {refused.why}")
            return
        if self._holds(festival_time().day_of(row.start) + self.by):
            self.occasions.append(after)

    def _holds(self, day: dt.date) -> bool:
        is_inside = self.edition.first_day <= day <= self.edition.last_day
        self.outside |= set() if is_inside else {day}
        return is_inside

    @property
    def events(self) -> list[Event]:
        return list(dict.fromkeys(row.event for row in self.occasions))

    def build(self) -> Plan:
        """Return the plan that writes the copies, and the edition if it is new."""
        new: list[Any] = [] if self.edition.pk else [self.edition]
        new += [AreaDay(**copy_values(row, day_id=Day.on(day).pk)) for row, day in self.hours]
        copies: dict[Event, list[Any]] = {event: [Event(**copy_values(event))] for event in self.events}
        for row in self.occasions:
            own = copies[row.event]
            own.append(Occasion(**copy_values(row, event_id=None)))
            own[-1].event = own[0]
        new += chain.from_iterable(copies.values())
        changes = [Change.of(None, row) for row in new]
        return Plan(changes, PREPARED, self.edition.name_sv, warnings=[*self._warn()])

    def _warn(self) -> Iterator[str]:
        if self.hours or self.occasions or self.outside:
            weeks, days = divmod(self.by.days, 7)
            moved = (
                _("All is moved by %(count)d days, to other weekdays.") % {"count": self.by.days}
                if days
                else _("All is moved by %(count)d weeks.") % {"count": weeks}
            )
            yield f"{moved} {_('Clock times stay as they are, in summer time and winter time.')}"
        if self.outside:
            names = {"names": ", ".join(map(format_day, sorted(self.outside)))}
            yield _("Left out, because it is outside the edition: %(names)s.") % names
        if self.refused:
            names = {"names": "; ".join(self.refused)}
            yield _("Left out, because it cannot be held at that time: %(names)s.") % names
        if self.known:
            yield _("There already, and stays as it is: %(names)s.") % {"names": ", ".join(self.known)}
