"""What the next edition takes along of an edition, moved by whole days; and writing it."""

import datetime as dt
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext_noop

from feeds.festival_time import Length
from programme.backoffice.bulk.plan import move
from programme.backoffice.forms.quick_facts import QUICK
from programme.backoffice.timetable.columns import WriteRefusedError
from programme.changes.change import Change, Plan
from programme.models import AreaDay, Day, Edition, Event, Occasion
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
class MovedDay:
    """A day of which something is copied, and the day that it becomes; nothing is, where that is outside."""

    old: dt.date
    new: dt.date
    is_inside: bool
    hours: list[AreaDay] = field(default_factory=list)
    # At their new times.
    occasions: list[Occasion] = field(default_factory=list)


@dataclass
class TakenAlong:
    """What is taken along; `refused` says why what cannot be held then is left out."""

    edition: Edition
    by: dt.timedelta
    moved: dict[dt.date, MovedDay] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    def find_day(self, old: dt.date) -> MovedDay:
        new = old + self.by
        is_inside = self.edition.first_day <= new <= self.edition.last_day
        return self.moved.setdefault(old, MovedDay(old, new, is_inside))

    def take_occasion(self, row: Occasion) -> None:
        day, after = self.find_day(festival_time().day_of(row.start)), copy(row)
        try:
            move(after, Length(self.by.days), festival_time())
            day.occasions.append(after)
        except WriteRefusedError as refused:
            self.refused.append(f"{row}: {refused.why}")

    @property
    def hours(self) -> list[tuple[AreaDay, dt.date]]:
        return [(row, day.new) for day in self.moved.values() if day.is_inside for row in day.hours]

    @property
    def occasions(self) -> list[Occasion]:
        return [row for day in self.moved.values() if day.is_inside for row in day.occasions]

    @property
    def events(self) -> list[Event]:
        return list(dict.fromkeys(row.event for row in self.occasions))

    def build(self) -> Plan:
        """Return the plan that writes the copies, and the edition if it is new."""
        new: list[Any] = [] if self.edition.pk else [self.edition]
        new += [AreaDay(**copy_values(row, day_id=Day.on(day).pk)) for row, day in self.hours]
        drafts = {event: Event(**copy_values(event)) for event in self.events}
        new += drafts.values()
        for row in self.occasions:
            new.append(Occasion(**copy_values(row, event_id=None)))
            new[-1].event = drafts[row.event]
        return Plan([Change.of(None, row) for row in new], PREPARED, str(self.edition))
