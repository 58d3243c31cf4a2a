"""Locations with their rooms: where occasions are held."""

from typing import Any, NamedTuple

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from feeds.facts import facts_of
from feeds.vocabulary import Text, choose_stated
from programme.models.coordinates import Coordinates
from programme.models.facts import LocationFacts, RoomFacts
from programme.models.fields import FoldedKey, Line, OtherNames, Prose
from programme.models.history import TriggeredHistory
from programme.models.trigger_rules import TriggerRules
from programme.models.unique_names import UniqueNames

_SEVERAL_AT_ONCE = _("several at once")


class ParallelField(models.BooleanField):  # type: ignore[type-arg]
    """Whether occasions may overlap; for a new location the default depends on its address."""

    def pre_save(self, model_instance: Any, add: bool) -> Any:
        if model_instance.parallel is None:
            model_instance.parallel = model_instance.online or not model_instance.address
        return super().pre_save(model_instance, add)


class Location(UniqueNames, LocationFacts):
    name = Line(_("name"), max_length=200)
    name_key = FoldedKey("name")
    address = Line(_("address"), max_length=300, blank=True)
    online = models.BooleanField(_("online"), default=False)
    # For the problems of the back office, like `Room.parallel`.
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
    public_transport_station = Line(_("public transport station"), max_length=200, blank=True)
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
    other_names = OtherNames()

    history = TriggeredHistory()
    trigger_rules = TriggerRules(touches=("occasions__location",), hidden=frozenset({"parallel"}))

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
    """Return the coordinates of all locations that have them, except one."""
    stated = Location.objects.exclude(Q(pk=besides or 0) | Q(latitude=None) | Q(longitude=None))
    rows: Any = stated.values_list("latitude", "longitude")
    return [Coordinates(*row) for row in rows]


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
    other_names = OtherNames()

    history = TriggeredHistory()
    trigger_rules = TriggerRules(touches=("occasions__room",), hidden=frozenset({"parallel"}))

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


def find_stated(place: Location | Room) -> tuple[str, ...]:
    """Return the stated facts of a place as published."""
    own = tuple(getattr(place, fact.name) for fact in facts_of("location"))
    if isinstance(place, Location):
        return own
    return choose_stated(
        own, Text(place.accessibility_sv, place.accessibility_en), find_stated(place.location)
    )


class Venue(NamedTuple):
    """A location, and a room of it if one is known, by ID."""

    location: int
    room: int | None = None

    @classmethod
    def of(cls, location_id: int | None, room_id: int | None) -> "Venue | None":
        return None if location_id is None else cls(location_id, room_id)
