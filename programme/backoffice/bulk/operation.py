"""An operation on many rows: a form with its own fields, which makes a plan of the rows that were chosen."""

import datetime as dt
from collections.abc import Collection, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from programme.backoffice.timetable.columns import WriteRefusedError
from programme.changes.change import Change, Plan
from programme.changes.rights import Rights, Verb
from programme.models import Event, Occasion
from programme.models.event_types import TYPES


class Operation(forms.Form):
    """What is done with rows. What it does not ask is shown at once."""

    # On its button and as the title of its page; in a list, where that says more, the label.
    verb: Any = ""
    label: Any = ""
    # What the history calls the edit, before the number of rows.
    reason = ""
    # The permission that offers it, and the right to each row that it takes.
    permission = "change"
    right: Verb = "change"
    # Whether it asks first, and whether something has to be typed then.
    asks, requires = False, True
    # What it sets, by attribute.
    values: dict[str, Any] = {}

    # Of a plan: the occasions (by ID) of which a note is all that readers would be told, and the rows whose
    # pages the message links to.
    about: Collection[int] = ()
    pages: Sequence[Any] = ()

    def __init__(self, data: Any, rows: list[Any], rights: Rights, instant: dt.datetime) -> None:
        super().__init__(data, label_suffix="")
        self.rows, self.rights, self.instant = rows, rights, instant

    @classmethod
    def load(cls, model: Any, keys: list[int], instant: dt.datetime) -> list[Any]:
        """Return the rows of which these (by ID) were chosen in a list, with all that plans need."""
        raise NotImplementedError

    @classmethod
    def describe(cls) -> Any:
        return cls.label or (format_lazy("{} …", cls.verb) if cls.asks else cls.verb)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        is_empty = all(value in {None, ""} for value in cleaned.values())
        if self.asks and self.requires and is_empty and not self.errors:
            raise ValidationError(_("Say what is to be changed."))
        return cleaned

    # --- The plan -------------------------------------------------------------------------------

    def set(self, row: Any) -> None:
        """Give a copy of a row its new values; raise `WriteRefusedError` where it cannot have them."""
        vars(row).update(self.values)

    def follows(self, row: Any) -> bool:  # noqa: ARG002 - for subclasses
        """Return whether something follows of a row that is no value of it."""
        return False

    def build_plan(self) -> Plan:
        """Return what becomes of the rows: what it may not or cannot be done with stays, and says why."""
        return self.finish([self._plan_row(each) for each in self.rows])

    def finish(self, changes: list[Change], detail: str = "") -> Plan:
        """Return the plan of changes, with how many rows are as they would be already."""
        plan = Plan([each for each in changes if each.kind or each.follows or each.refusal], self.reason)
        plan.detail = detail or str(len(plan.done))
        if so := len(changes) - len(plan.changes):
            text = ngettext("%(count)d is so already.", "%(count)d are so already.", so)
            plan.warnings.append(text % {"count": so})
        return plan

    def count(self, plan: Plan) -> int:
        """Return of how many of the rows it is done."""
        return len(plan.done)

    def report(self, plan: Plan) -> str:
        """Return what is said when it is done: `Cancelled occasions: 3.`"""
        return " ".join(filter(None, (capfirst(translation.gettext(plan.reason)), plan.detail))) + "."

    def _plan_row(self, row: Any) -> Change:
        after, why = copy(row), ""
        if self.rights.can(self.right, row):
            try:
                self.set(after)
            except WriteRefusedError as refused:
                why = refused.why
        else:
            event = row.event if isinstance(row, Occasion) else row
            why = _("You may not change it: it belongs to %(area)s.") % {"area": event.area.name}
        return replace(Change.of(row, row if why else after), refusal=why, follows=self.follows(row))


class OccasionOperation(Operation):
    @classmethod
    def load(cls, model: Any, keys: list[int], instant: dt.datetime) -> list[Any]:
        """Return the occasions in the order of time: of events those that are not over."""
        of_events = {"event__in": keys, "end__gt": instant}
        found = Occasion.objects.filter(**({"pk__in": keys} if model is Occasion else of_events))
        return list(found.select_related("location", "room__location", "event__area"))


class EventOperation(Operation):
    @classmethod
    def load(cls, model: Any, keys: list[int], instant: dt.datetime) -> list[Any]:  # noqa: ARG003 - as of others
        related = ("area", "sub_area__area", *TYPES, "language", "plan")
        found = Event.objects.filter(pk__in=keys).select_related(*related)
        return list(found.order_by("title__in_order", "id"))
