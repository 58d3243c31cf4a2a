"""What the page of the bulk edit asks for: which occasions are chosen, and what is to be done with them."""

import datetime as dt
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from feeds.facts import BY_NAME
from feeds.festival_time import ONE_DAY, FestivalTime, Length
from feeds.wording import format_relative_day
from programme.backoffice.dates import count_by_day, editor_language
from programme.backoffice.forms.base import PlaceSelect, SubAreaField, offer
from programme.backoffice.forms.facts import CHOSEN, NOT_STATED, NOTHING, list_choices
from programme.backoffice.forms.fields import ClockField, DayField, EndClockField, MomentField
from programme.backoffice.forms.news import NewsFields
from programme.backoffice.forms.shifts import Shift, ShiftField
from programme.backoffice.timetable.columns import VenueColumn, build_condition
from programme.changes.change import Change
from programme.changes.rights import Rights
from programme.models import Area, Event, EventType, Language, Location, Occasion, Room, SubArea
from programme.models.event_types import TYPES, has_type
from programme.models.festival_time import festival_time
from programme.models.telling import Telling


class ChoiceForm(forms.Form):
    """Bound if anything is chosen; without that it proposes today."""

    day = forms.ChoiceField(label=capfirst(_("festival day")), required=False)
    starts_from = ClockField(label=_("Starts from"), required=False)
    starts_before = EndClockField(label=_("and before"), required=False)
    area = forms.ModelChoiceField(
        Area.objects.all(), label=capfirst(_("area")), required=False, empty_label=_("all areas")
    )
    sub_area = SubAreaField(
        SubArea.objects.all(), label=capfirst(_("sub area")), required=False, empty_label=_("all sub areas")
    )
    place = forms.ChoiceField(label=capfirst(_("location or room")), required=False, widget=PlaceSelect())
    type = forms.ModelChoiceField(
        EventType.objects.all(), label=capfirst(_("type")), required=False, empty_label=_("all types")
    )

    def __init__(self, sent: Any, places: list[VenueColumn], today: dt.date, within: Q) -> None:
        self.within, days = within, count_by_day(within)
        language = editor_language()
        chosen = sent if self.base_fields.keys() & sent.keys() else None
        proposed = {"day": today.isoformat() if today in days else ""}
        super().__init__(chosen, auto_id="choice_%s", initial=proposed, label_suffix="")
        named = [(day.isoformat(), capfirst(format_relative_day(day, today, language))) for day in days]
        offer(self, "day", _("all days"), named)
        offer(self, "place", _("all places"), [(each.key, each.label) for each in places])
        self._places = {each.key: each.place for each in places}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and all(value in {None, ""} for value in cleaned.values()):
            raise ValidationError(_("Choose at least a day, hours, an area, a place or a type."))
        return cleaned

    def find(self) -> list[int]:
        """Return the keys of the occasions chosen, in the order of time; none of what is not understood."""
        if not self.is_valid():
            return []
        occasions = Occasion.objects.filter(self._condition()).order_by("start", "end", "id")
        starts = occasions.values_list("pk", "start")
        if (self.cleaned_data["starts_from"], self.cleaned_data["starts_before"]) == (None, None):
            return [key for key, _start in starts]
        festival = festival_time()
        return [key for key, start in starts if self._is_within_hours(start, festival)]

    def _condition(self) -> Q:
        cleaned = self.cleaned_data
        chosen = {name: cleaned[name] for name in ("area", "sub_area") if cleaned[name]}
        condition = self.within & Q(**{f"event__{name}": row for name, row in chosen.items()})
        if cleaned["type"]:
            condition &= has_type([cleaned["type"]], "event__")
        if cleaned["place"]:
            condition &= build_condition(self._places[cleaned["place"]])
        if cleaned["day"]:
            first, last = self._window(dt.date.fromisoformat(cleaned["day"]), festival_time())
            condition &= Q(start__gte=first, start__lt=last)
        return condition

    def _window(self, day: dt.date, festival: FestivalTime) -> tuple[dt.datetime, dt.datetime]:
        """Return from when until when occasions of a festival day start: 22:00 to 02:00 is a night."""
        begins, ends = (self.cleaned_data[name] for name in ("starts_from", "starts_before"))
        first = festival.day_begins(day) if begins is None else festival.instant_of_day(day, begins)
        return first, festival.day_begins(day + ONE_DAY) if ends is None else festival.end_after(first, ends)

    def _is_within_hours(self, start: dt.datetime, festival: FestivalTime) -> bool:
        day = festival.day_of(start)
        windows = (self._window(each, festival) for each in (day, day - ONE_DAY))
        return any(first <= start < last for first, last in windows)


CANCEL, REINSTATE = "cancel", "reinstate"
BOOKING = [*CHOSEN, "booking_url", "booking_from"]


def refuse(event: Event) -> str:
    return _("You may not change it: it belongs to %(area)s.") % {"area": event.area.name}


@dataclass(frozen=True)
class Place:
    """Where occasions are to be: a location, perhaps a room of it; neither where that is not known."""

    location: Location | None = None
    room: Room | None = None


@dataclass(frozen=True)
class Operation:
    """What is to be done; None leaves as it is."""

    shift: Shift | None = None
    day: dt.date | None = None
    place: Place | None = None
    cancelled: bool | None = None
    # The new values of `BOOKING`, by name: '' is not stated.
    booking: tuple[tuple[str, Any], ...] = ()
    telling: Telling = field(default_factory=Telling)

    @property
    def notes(self) -> bool:
        """Whether readers get a note about what is neither moved nor cancelled."""
        return bool(self.telling.note) and not self.moves and (self.place, self.cancelled) == (None, None)

    @property
    def moves(self) -> bool:
        return self.shift is not None or self.day is not None

    def find_offset(self, earliest: dt.datetime, festival: FestivalTime) -> Length:
        """Return by how much all occasions move, of which one is the earliest."""
        today = festival.day_of(earliest)
        day = self.day or today
        if isinstance(self.shift, dt.time):
            return festival.distance(earliest, festival.instant_of_day(day, self.shift))
        days, time = self.shift or Length()
        return Length((day - today).days + days, time)


def _choice_field(queryset: QuerySet[Any], label: Any, kind: Any = forms.ModelChoiceField) -> Any:
    return kind(queryset, label=capfirst(label), required=False, empty_label=_("leave as it is"))


class OperationForm(NewsFields):
    """What is to be done with occasions, and with events if they were chosen as a whole."""

    area = _choice_field(Area.objects.all(), _("area"))
    sub_area = _choice_field(SubArea.objects.all(), _("sub area"), SubAreaField)
    type = _choice_field(EventType.objects.all(), _("type"))
    added_type = _choice_field(EventType.objects.all(), _("add the type"))
    removed_type = _choice_field(EventType.objects.all(), _("remove the type"))
    language = _choice_field(Language.objects.all(), _("language"))
    shift = ShiftField(
        label=_("Move"),
        required=False,
        help_text=_(
            "By +2 h, 90 (minutes), -15 min or 1 day. "
            "Or to 18:00: the first starts then, the others keep their distance."
        ),
    )
    day = DayField(
        label=_("To the day"),
        required=False,
        help_text=_("The first is on it, the others keep their distance."),
    )
    place = forms.ChoiceField(label=_("To the location or room"), required=False, widget=PlaceSelect())
    cancelled = forms.ChoiceField(
        label=capfirst(_("cancelled")),
        required=False,
        choices=[
            ("", _("leave as it is")),
            (CANCEL, _("cancel (stays in the programme, marked)")),
            (REINSTATE, _("reinstate")),
        ],
    )

    booking_url = forms.fields_for_model(Occasion, ["booking_url"])["booking_url"]
    removes_link = forms.BooleanField(label=_("Remove the booking link"), required=False)
    booking_from = MomentField(label=capfirst(_("booking opens")), required=False)

    columns = ["area", "sub_area", "type", "language"]
    several = ["added_type", "removed_type"]
    field_order = [*columns[:3], *several, *columns[3:], "shift", "day", "place", "cancelled"]
    field_order += [*BOOKING[:-1], "removes_link", "booking_from"]

    def __init__(self, places: list[VenueColumn], rights: Rights, keys: list[int], data: Any) -> None:
        super().__init__(data, label_suffix="")
        related = ("area", "sub_area__area", *TYPES, "language")
        found = Event.objects.filter(pk__in=keys).select_related(*related)
        chosen = list(found.order_by("title__in_order", "id")) if keys else []
        self.events = [event for event in chosen if rights.can("change", event)]
        # What the editor may not change.
        self.refused = [event for event in chosen if event not in self.events]
        if keys:
            self.fields["area"].queryset = rights.assignable_areas()  # type: ignore[attr-defined]
            self.fields["sub_area"].queryset = rights.assignable_sub_areas()  # type: ignore[attr-defined]
        else:
            for name in (*self.columns, *self.several):
                del self.fields[name]
        self._places = {each.key: each.place for each in places}
        for name in CHOSEN:
            own: Any = Occasion._meta.get_field(name)
            self.fields[name] = forms.ChoiceField(label=capfirst(own.verbose_name), required=False)
            values = [*list_choices(BY_NAME[name].values), (NOTHING, NOT_STATED)]
            offer(self, name, _("leave as it is"), values)
        self.order_fields(self.field_order)
        offer(self, "place", _("leave as it is"), [(each.key, each.label) for each in places])

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        area, sub_area = cleaned.get("area"), cleaned.get("sub_area")
        if area and sub_area and sub_area.area_id != area.pk:
            self.add_error("sub_area", _("This sub area is not in the area chosen."))
        of_events = any(cleaned.get(name) for name in (*self.columns, *self.several))
        is_empty = self.operation == Operation(telling=Telling(self.tells)) and not of_events
        if not self.errors and is_empty:
            raise ValidationError(_("Say what is to be changed."))
        return cleaned

    def clean_place(self) -> Place | None:
        chosen = self.cleaned_data["place"]
        if not chosen:
            return None
        venue = self._places[chosen]
        if venue is None:
            return Place()
        location = Location.objects.filter(pk=venue.location).first()
        rooms = Room.objects.select_related("location")
        return Place(location, rooms.filter(pk=venue.room).first() if venue.room else None)

    @property
    def operation(self) -> Operation:
        cleaned = self.cleaned_data
        booking: dict[str, Any] = {"booking_url": ""} if cleaned.get("removes_link") else {}
        booking |= {
            name: "" if value == NOTHING else value for name in BOOKING if (value := cleaned.get(name))
        }
        return Operation(
            cleaned.get("shift"),
            cleaned.get("day"),
            cleaned.get("place"),
            {CANCEL: True, REINSTATE: False}.get(cleaned.get("cancelled", "")),
            tuple(booking.items()),
            self.build_telling(),
        )

    def plan_events(self) -> Iterator[Change]:
        """Yield what becomes of the events; those that the editor may not change stay."""
        for event in self.events:
            yield Change.of(event, self._set(copy(event)))
        for event in self.refused:
            change = Change.of(event, event)
            change.refusal = refuse(event)
            yield change

    def _set(self, event: Event) -> Event:
        """Give an event the new values; a sub area brings its area, another area takes the sub area away."""
        further = event.types[1:]
        for name in filter(self.cleaned_data.get, self.columns):
            setattr(event, name, self.cleaned_data[name])
        if self.cleaned_data.get("sub_area"):
            event.area = self.cleaned_data["sub_area"].area
        elif event.sub_area and event.sub_area.area_id != event.area_id:
            event.sub_area = None
        added, removed = (self.cleaned_data.get(name) for name in self.several)
        if added or removed:
            kept = [each for each in (event.type, *further, added) if each not in (None, removed)]
            event.types = kept or [EventType.other()]
        return event
