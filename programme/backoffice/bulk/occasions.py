"""What is done with many occasions: cancelled, moved, held elsewhere, booked otherwise, told of."""

import datetime as dt
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from feeds.facts import BY_NAME
from feeds.festival_time import FestivalTime, Length
from programme.backoffice.bulk.checks import add_warnings
from programme.backoffice.bulk.operation import OccasionOperation
from programme.backoffice.forms.base import PlaceSelect, offer
from programme.backoffice.forms.facts import CHOSEN, NOT_STATED, NOTHING, list_choices
from programme.backoffice.forms.fields import UNLIKELY_YEAR, DayField, MomentField
from programme.backoffice.forms.news import FALLBACK, NoteField, read_note
from programme.backoffice.forms.places import Place, describe_gone, find_place
from programme.backoffice.forms.shifts import ShiftField
from programme.backoffice.timetable.columns import WriteRefusedError, load_columns
from programme.backoffice.timetable.days import add_length
from programme.changes.change import Plan
from programme.models import Occasion, Status
from programme.models.dates import format_instant
from programme.models.festival_time import festival_time
from programme.models.occasions import FIRST_INSTANT, LAST_INSTANT
from programme.models.telling import Telling

LEAVE = gettext_lazy("leave as it is")


def move(after: Occasion, by: Length, festival: FestivalTime) -> None:
    """Move an occasion by a length; raises `WriteRefusedError` where there is no such time."""
    after.start, after.end = add_length(after.start, after.end, by, festival)
    if after.end <= after.start:
        raise WriteRefusedError(_("The end must be later than the start."))
    if after.start < FIRST_INSTANT or after.end >= LAST_INSTANT:
        raise WriteRefusedError(str(UNLIKELY_YEAR))


class Cancel(OccasionOperation):
    verb, label = gettext_lazy("Cancel them"), gettext_lazy("Cancel (stays in the programme, marked)")
    reason = gettext_noop("cancelled occasions:")
    values = {"cancelled": True}

    def build_plan(self) -> Plan:
        plan, festival = super().build_plan(), festival_time()
        for each in plan.written:
            if festival.is_long(each.row.start, each.row.end):
                text = _("It lasts until %(until)s: all of it is cancelled.")
                each.warnings.append(text % {"until": format_instant(each.row.end)})
        self.pages = [each.row for each in plan.done if each.row.event.status == Status.PUBLISHED]
        return plan


class HoldingOperation(OccasionOperation):
    """It lets occasions be held at another time or place, which may be taken or closed then."""

    def build_plan(self) -> Plan:
        plan = super().build_plan()
        add_warnings(plan, self.instant)
        return plan


class Reinstate(HoldingOperation):
    verb, reason = gettext_lazy("Reinstate"), gettext_noop("reinstated occasions:")
    values = {"cancelled": False}


class Move(HoldingOperation):
    verb, reason, asks = gettext_lazy("Move"), gettext_noop("moved occasions:"), True

    shift = ShiftField(
        label=gettext_lazy("By or to"),
        required=False,
        help_text=gettext_lazy(
            "By +2 h, 90 (minutes), -15 min or 1 day. "
            "Or to 18:00: the first starts then, the others keep their distance."
        ),
    )
    day = DayField(
        label=gettext_lazy("To the day"),
        required=False,
        help_text=gettext_lazy("The first is on it, the others keep their distance."),
    )

    def build_plan(self) -> Plan:
        allowed = (each.start for each in self.rows if self.rights.can(self.right, each))
        earliest = min(allowed, default=None)
        self.offset = self._find_offset(earliest) if earliest else Length()
        return super().build_plan()

    def set(self, row: Any) -> None:
        move(row, self.offset, festival_time())

    def _find_offset(self, earliest: dt.datetime) -> Length:
        """Return by how much all occasions move, of which one is the earliest."""
        festival, shift = festival_time(), self.cleaned_data["shift"]
        today = festival.day_of(earliest)
        day = self.cleaned_data["day"] or today
        if isinstance(shift, dt.time):
            return festival.distance(earliest, festival.instant_of_day(day, shift))
        days, time = shift or Length()
        return Length((day - today).days + days, time)


class PlaceChoice(forms.ChoiceField):
    def validate(self, value: Any) -> None:
        if value and not self.valid_value(value):
            raise ValidationError(describe_gone(value))
        super().validate(value)


class ChangePlace(HoldingOperation):
    verb, reason, asks = gettext_lazy("Change place"), gettext_noop("moved occasions:"), True

    place = PlaceChoice(label=gettext_lazy("To the location or room"), widget=PlaceSelect())

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        offer(self, "place", LEAVE, [(each.key, each.label) for each in load_columns()])

    def clean_place(self) -> Place:
        """Return the location and its room; neither where that is not known."""
        return find_place(self.cleaned_data["place"])

    def set(self, row: Any) -> None:
        row.location, row.room = self.cleaned_data["place"]


def is_known(occasion: Occasion, instant: dt.datetime) -> bool:
    """Return whether readers know an occasion, and it is not over."""
    return occasion.event.status == Status.PUBLISHED and occasion.end > instant


class Book(OccasionOperation):
    verb, reason, asks = gettext_lazy("Booking"), gettext_noop("changed the booking of occasions:"), True

    booking_url = forms.fields_for_model(Occasion, ["booking_url"])["booking_url"]
    removes_link = forms.BooleanField(label=gettext_lazy("Remove the booking link"), required=False)
    booking_from = MomentField(label=capfirst(gettext_lazy("booking opens")), required=False)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        for name in CHOSEN:
            own: Any = Occasion._meta.get_field(name)
            self.fields[name] = forms.ChoiceField(label=capfirst(own.verbose_name), required=False)
            offer(self, name, LEAVE, [*list_choices(BY_NAME[name].values), (NOTHING, NOT_STATED)])
        self.order_fields([*CHOSEN, "booking_url"])

    def clean(self) -> dict[str, Any]:
        cleaned = {name: value for name, value in super().clean().items() if value}
        if cleaned.pop("removes_link", False):
            cleaned.setdefault("booking_url", "")
        if not (self.errors or cleaned):
            raise ValidationError(_("Say what is to be changed."))
        return {name: "" if value == NOTHING else value for name, value in cleaned.items()}

    def set(self, row: Any) -> None:
        vars(row).update(self.cleaned_data)

    def build_plan(self) -> Plan:
        plan = super().build_plan()
        self.about = {each.row.pk for each in plan.done if is_known(each.row, self.instant)}
        return plan


class Inform(OccasionOperation):
    """It changes nothing: readers get a note."""

    verb, reason, asks = gettext_lazy("Tell readers"), gettext_noop("notified readers of occasions:"), True

    note = NoteField("sv", gettext_lazy("A few words for readers."))
    note_en = NoteField("en", FALLBACK)

    def set(self, row: Any) -> None:
        if not is_known(row, self.instant):
            raise WriteRefusedError(_("Readers do not know it, or it is over."))

    def follows(self, row: Any) -> bool:  # noqa: ARG002 - of every row
        return True

    def build_plan(self) -> Plan:
        plan = super().build_plan()
        told = [each.row.pk for each in plan.done]
        plan.telling = Telling(note=read_note(self.cleaned_data), about=told)
        return plan
