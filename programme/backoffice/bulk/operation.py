"""What is to be done with the occasions chosen: the form, and what it asks for."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import FestivalTime
from programme.backoffice.forms.base import PlaceSelect
from programme.backoffice.forms.fields import DayField
from programme.backoffice.forms.news import News, NewsFields, Tell
from programme.backoffice.forms.shifts import Shift, ShiftField
from programme.backoffice.timetable.columns import VenueColumn
from programme.models import Event, Location, Room, Status
from programme.models.locations import Venue

CANCEL, REINSTATE = "cancel", "reinstate"
# The choice of the place that each occasion's event has.
EVENTS_PLACE = "event"


@dataclass(frozen=True)
class Place:
    """Where occasions are to be: a location, perhaps a room of it; neither for where their events are."""

    location: Location | None = None
    room: Room | None = None

    @property
    def venue(self) -> Venue | None:
        return Venue(self.location.pk, self.room.pk if self.room else None) if self.location else None


@dataclass(frozen=True)
class Operation:
    """What is to be done; None leaves as it is."""

    shift: Shift | None = None
    day: dt.date | None = None
    place: Place | None = None
    cancelled: bool | None = None
    news: News = field(default_factory=News)
    # Whether events were chosen, and the occasions with them.
    of_events: bool = False

    @property
    def marks_events(self) -> bool:
        """Whether marks of events change; what is removed of chosen occasions stays with the others."""
        return self.news.tell == Tell.EVENT or (self.news.tell == Tell.CLEAR and self.of_events)

    def marks(self, event: Event) -> bool:
        """Whether marks of an event or of its occasions change: nothing about a draft is announced."""
        return not (self.news.is_announced and event.status == Status.DRAFT)

    @property
    def moves(self) -> bool:
        return self.shift is not None or self.day is not None

    def find_offset(self, earliest: dt.datetime, festival: FestivalTime) -> dt.timedelta:
        """Return by how much of the wall clock all occasions move, of which one is the earliest."""
        now, today = festival.local(earliest).replace(tzinfo=None), festival.day_of(earliest)
        day = self.day or today
        if isinstance(self.shift, dt.time):
            return dt.datetime.combine(festival.calendar_date(day, self.shift), self.shift) - now
        return day - today + (self.shift or dt.timedelta())


class OperationForm(NewsFields):
    """What is to be done with occasions; `programme/backoffice/bulk/events.py` adds what events have."""

    # Events that were chosen as a whole, and those of them that the editor may not change.
    events: Sequence[Event] = ()
    refused: Sequence[Event] = ()

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

    offered = dict.fromkeys(Tell)
    field_order = ["shift", "day", "place", "cancelled"]

    def __init__(self, places: list[VenueColumn], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)
        self._places = {each.key: each.place for each in places if each.place}
        cast("forms.ChoiceField", self.fields["place"]).choices = [
            ("", _("leave as it is")),
            (EVENTS_PLACE, _("where their events are")),
            *((each.key, each.label) for each in places if each.place),
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        if not self.errors and not self.has_changes:
            raise ValidationError(_("Say what is to be changed."))
        return cleaned

    def clean_place(self) -> Place | None:
        chosen = self.cleaned_data["place"]
        venue = self._places.get(chosen)
        if venue is None:
            return Place() if chosen else None
        location = Location.objects.filter(pk=venue.location).first()
        rooms = Room.objects.select_related("location")
        return Place(location, rooms.filter(pk=venue.room).first() if venue.room else None)

    @property
    def has_changes(self) -> bool:
        return self.operation != Operation(of_events=bool(self.events))

    @property
    def operation(self) -> Operation:
        cleaned = self.cleaned_data
        return Operation(
            cleaned.get("shift"),
            cleaned.get("day"),
            cleaned.get("place"),
            {CANCEL: True, REINSTATE: False}.get(cleaned.get("cancelled", "")),
            self.news,
            bool(self.events),
        )

    @property
    def values(self) -> dict[str, Any]:
        """What is set in the events themselves."""
        return {}

    def write(self) -> None:
        """Set it, inside the caller's transaction."""
