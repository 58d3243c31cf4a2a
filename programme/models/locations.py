"""Locations with their rooms, and where an occasion is held.

It is held at its own location, else at that of its own room, else where its event is held. A room counts
only if it belongs to that location: `resolve_venue` says so in Python, `venue_expressions` in SQL.
"""

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import BigIntegerField, Case, F, Q, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from django.db.models.lookups import Exact, IsNull
from django.utils.translation import gettext_lazy as _

from programme.models.coordinates import Coordinates
from programme.models.facts import LocationFacts, RoomFacts
from programme.models.fields import FoldedKey, Line, Prose
from programme.models.history import TriggeredHistory
from programme.models.querysets import ProgrammeQuerySet
from programme.models.trigger_rules import TriggerRules
from programme.models.unique_names import UniqueNames

if TYPE_CHECKING:
    BooleanField = models.BooleanField[bool | Combinable | None, bool]
else:
    BooleanField = models.BooleanField

Value = TypeVar("Value")
_SEVERAL_AT_ONCE = _("several at once")


class ParallelField(BooleanField):
    """Whether occasions may overlap; of a new location of which it is not said, by its address."""

    def pre_save(self, model_instance: Any, add: bool) -> Any:
        if model_instance.parallel is None:
            model_instance.parallel = model_instance.online or not model_instance.address
        return super().pre_save(model_instance, add)


class Location(UniqueNames, LocationFacts):
    name = Line(_("name"), max_length=200)
    name_key = FoldedKey("name")
    address = Line(_("address"), max_length=300, blank=True)
    online = models.BooleanField(_("online"), default=False)
    # As of rooms, for the problems of the back office.
    parallel = ParallelField(
        _SEVERAL_AT_ONCE,
        blank=True,
        default=None,
        db_default=False,
        help_text=_(
            "Occasions may overlap here, as in a park: no double booking. Rooms say it themselves. "
            "A new location that is online or has no address is marked by itself."
        ),
    )
    accessibility_sv = Prose(_("accessibility in Swedish"), blank=True)
    accessibility_en = Prose(_("accessibility in English"), blank=True)
    public_transport_station = Line(
        _("public transport station"), max_length=200, blank=True, help_text=_("The nearest one.")
    )
    # WGS 84, in degrees.
    latitude = models.DecimalField(
        _("latitude"),
        max_digits=9,
        decimal_places=6,
        null=True,
        blank=True,
        validators=[MinValueValidator(-90), MaxValueValidator(90)],
        help_text=_("Such as 57.708870. Or paste both, or the address of a map, here."),
    )
    longitude = models.DecimalField(
        _("longitude"),
        max_digits=9,
        decimal_places=6,
        null=True,
        blank=True,
        validators=[MinValueValidator(-180), MaxValueValidator(180)],
    )

    objects = ProgrammeQuerySet.as_manager()
    history = TriggeredHistory()
    trigger_rules = TriggerRules(
        touches=("location", "room__location", "occasions__location", "occasions__room__location"),
        hidden=frozenset({"parallel"}),
    )

    class Meta:
        verbose_name = _("location")
        verbose_name_plural = _("locations")
        ordering = ["name__in_order", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="location_has_a_name"),
            models.UniqueConstraint(
                "name_key",
                F("address"),
                name="location_is_unique",
                violation_error_message=_("There is a location with this name and address already."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.address}" if self.address else self.name


def list_coordinates(besides: int | None = None) -> list[Coordinates]:
    """Return those of all locations that have them, but one."""
    rows = Location.objects.exclude(pk=besides or 0).values_list("latitude", "longitude")
    return [
        Coordinates(latitude, longitude)
        for latitude, longitude in rows
        if latitude is not None and longitude is not None
    ]


class Room(UniqueNames, RoomFacts):
    location = models.ForeignKey(Location, models.CASCADE, related_name="rooms", verbose_name=_("location"))
    name = Line(_("name"), max_length=200)
    name_key = FoldedKey("name")
    floor = Line(_("floor"), max_length=50, blank=True)
    accessibility_sv = Prose(_("accessibility in Swedish"), blank=True)
    accessibility_en = Prose(_("accessibility in English"), blank=True)
    # For the problems of the back office; readers do not see it.
    parallel = models.BooleanField(
        _SEVERAL_AT_ONCE,
        default=False,
        help_text=_("Occasions may overlap here, as in a foyer or a hall of tables: no double booking."),
    )

    objects = ProgrammeQuerySet.as_manager()
    history = TriggeredHistory()
    trigger_rules = TriggerRules(touches=("room", "occasions__room"), hidden=frozenset({"parallel"}))

    class Meta:
        verbose_name = _("room")
        verbose_name_plural = _("rooms")
        ordering = ["location__name__in_order", "name__in_order", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="room_has_a_name"),
            models.UniqueConstraint(
                "location",
                "name_key",
                name="room_is_unique",
                violation_error_message=_("This location already has a room of this name."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.location.name}, {self.name}"


class StatedVenue(NamedTuple, Generic[Value]):
    """What an event or an occasion states: a location, a room, and the location of that room."""

    location: Value
    room: Value
    room_location: Value


class Venue(NamedTuple):
    """A location, and a room of it if one is known, by ID."""

    location: int
    room: int | None


NOT_STATED: StatedVenue[int | None] = StatedVenue(None, None, None)
# The columns of a `StatedVenue`.
STATED = StatedVenue("location_id", "room_id", "room__location_id")
EVENT_STATED = StatedVenue(*(f"event__{column}" for column in STATED))


def resolve_venue(own: StatedVenue[int | None], event: StatedVenue[int | None] = NOT_STATED) -> Venue | None:
    """Return the venue of an occasion that states this, and its event that; or of an event alone.

    A room outside the location stated beside it does not count. An occasion that states its event's location
    and no room is in its event's room.
    """
    event_location = _first(event.location, event.room_location)
    location = _first(own.location, own.room_location, event_location)
    if location is None:
        return None
    if own.room is not None:
        return Venue(location, own.room if own.room_location == location else None)
    is_event_room = event.room_location == event_location == location
    return Venue(location, event.room if is_event_room else None)


def _first(*keys: int | None) -> int | None:
    return next((key for key in keys if key is not None), None)


def find_place(occasion: "HasVenue", event: "HasVenue") -> "tuple[Location | None, Room | None]":
    venue = resolve_venue(occasion.stated_venue, event.stated_venue)
    if venue is None:
        return None, None
    stating = (occasion, event)
    room = next((row.room for row in stating if row.room and row.room_id == venue.room), None)
    location = next((row.location for row in stating if row.location_id == venue.location), None)
    if location is None and room is not None:
        location = room.location
    return location, room


def format_place(occasion: Any, event: Any = None) -> str:
    """Return the place of an occasion as readers see it (`Place.full_name`), '' if it is not known."""
    location, room = find_place(occasion, event or occasion.event)
    return str(room or (location and location.name) or "")


def venue_expressions() -> dict[str, Any]:
    """Return what `resolve_venue` does in SQL: the location and the room of an occasion."""
    own, event = (StatedVenue(*map(F, columns)) for columns in (STATED, EVENT_STATED))
    key = BigIntegerField()
    event_location = Coalesce(event.location, event.room_location, output_field=key)
    location = Coalesce(own.location, own.room_location, event_location, output_field=key)
    is_own_room = Q(Exact(own.room_location, location))
    is_event_room = Q(Exact(event.room_location, event_location), Exact(event.room_location, location))
    room = Case(
        When(is_own_room, then=own.room),
        When(is_event_room & Q(IsNull(own.room, True)), then=event.room),
        output_field=key,
    )
    return {"venue_location": location, "venue_room": room}


class HasVenue(models.Model):
    """What may state a location and a room of it: an event, and an occasion that is held elsewhere."""

    location: "models.ForeignKey[Location | Combinable | None, Location | None]"
    location_id: int | None
    room: "models.ForeignKey[Room | Combinable | None, Room | None]"
    room_id: int | None

    class Meta:
        abstract = True

    @property
    def stated_venue(self) -> StatedVenue[int | None]:
        room_location = self.room.location_id if self.room else None
        return StatedVenue(self.location_id, self.room_id, room_location)

    def clean(self) -> None:
        super().clean()
        if self.room and self.location is None:
            self.location = self.room.location
        misplaced = self.misplaced()
        if misplaced:
            raise ValidationError(misplaced)

    def misplaced(self) -> dict[str, object]:
        """Return what does not belong together, by the field of the smaller place."""
        if self.room and self.room.location_id != self.location_id:
            return {"room": _("This room is not in the location chosen.")}
        return {}
