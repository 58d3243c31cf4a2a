"""Occasions: when and where events take place."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from programme.models.dates import format_instant
from programme.models.events import Event
from programme.models.facts import OccasionFacts
from programme.models.fields import ADDED, Line
from programme.models.history import TriggeredHistory
from programme.models.imports import HasSource
from programme.models.locations import Location, Room
from programme.models.places import Stream
from programme.models.publication import PUBLISH_YEARS, WITHDRAW
from programme.models.querysets import ProgrammeQuerySet
from programme.models.trigger_rules import TriggerRules

FIRST_INSTANT = datetime(1900, 1, 1, tzinfo=UTC)
LAST_INSTANT = datetime(2200, 1, 1, tzinfo=UTC)


class Occasion(HasSource, OccasionFacts):
    event = models.ForeignKey(Event, models.CASCADE, related_name="occasions", verbose_name=_("event"))
    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    # The UID in calendars, if another service had one that was no UUID; the UUID is derived from it.
    uid = Line(max_length=500, editable=False, **ADDED)
    start = models.DateTimeField(_("start"))
    end = models.DateTimeField(_("end"))
    cancelled = models.BooleanField(_("cancelled"), default=False)
    location = models.ForeignKey(
        Location, models.PROTECT, null=True, blank=True, related_name="occasions", verbose_name=_("location")
    )
    room = models.ForeignKey(
        Room, models.PROTECT, null=True, blank=True, related_name="occasions", verbose_name=_("room")
    )
    stream = models.ForeignKey(
        Stream, models.SET_NULL, null=True, blank=True, related_name="occasions", verbose_name=_("stream")
    )
    # Set by the database: since when readers may know this occasion.
    published_at = models.DateTimeField(_("first published"), null=True, blank=True, editable=False)

    objects = ProgrammeQuerySet["Occasion"].as_manager()
    history = TriggeredHistory()
    trigger_rules = TriggerRules(
        logged_as="{row}.event_id",
        touches=("occasions",),
        sets={
            # A restored occasion keeps its former publication.
            "published_at": (
                "coalesce({before}.published_at, published_at,"
                " (SELECT gone_at FROM {GoneOccasion} WHERE id = NEW.id),"
                " (SELECT {now} FROM {Event} WHERE id = NEW.event_id AND status = 'published'))"
            )
        },
        after_write=(
            "DELETE FROM {GoneOccasion} WHERE id = NEW.id",
            "UPDATE {News} SET event_id = NEW.event_id"
            " WHERE occasion_id = NEW.id AND event_id <> NEW.event_id",
            PUBLISH_YEARS.format(
                # The event by its ID: SQLite would read all published ones for each occasion otherwise.
                condition="id = NEW.id"
                " AND 'published' = (SELECT status FROM {Event} WHERE {Event}.id = NEW.event_id)"
            ),
            # From a published event to one that is not.
            WITHDRAW.format(
                condition="'published' = (SELECT status FROM {Event} WHERE id = {before}.event_id)"
                " AND 'published' <> (SELECT status FROM {Event} WHERE id = NEW.event_id)"
            ),
        ),
        # The identity of an occasion that was published remains.
        after_delete=(
            "INSERT INTO {GoneOccasion} (id, uuid, uid, event_id, gone_at)"
            " SELECT OLD.id, OLD.uuid, OLD.uid, OLD.event_id, {now} WHERE OLD.published_at IS NOT NULL",
            # Its event may be deleted already.
            WITHDRAW.format(
                condition="OLD.published_at IS NOT NULL"
                " AND NOT EXISTS (SELECT 1 FROM {Event} WHERE id = OLD.event_id AND status <> 'published')"
            ),
        ),
    )

    class Meta:
        verbose_name = _("occasion")
        verbose_name_plural = _("occasions")
        ordering = ["start", "end", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(end__gt=F("start")),
                name="occasion_ends_after_its_start",
                violation_error_message=_("The end must be later than the start."),
            ),
            # The days before and after an occasion must exist in the calendar.
            models.CheckConstraint(
                condition=Q(start__gte=FIRST_INSTANT) & Q(end__lt=LAST_INSTANT),
                name="occasion_is_in_our_time",
            ),
            models.CheckConstraint(
                condition=Q(room=None) | Q(location__isnull=False), name="occasion_in_a_room_has_a_location"
            ),
            models.UniqueConstraint(
                "source", "source_id", condition=~Q(source=""), name="occasion_source_is_unique"
            ),
        ]
        indexes = [models.Index(fields=["start"], name="occasion_start")]

    def clean(self) -> None:
        super().clean()
        if self.room and self.location is None:
            self.location = self.room.location
        if self.room and self.room.location_id != self.location_id:
            raise ValidationError({"room": _("This room is not in the location chosen.")})

    @property
    def place_name(self) -> str:
        """The name of the place as readers see it (`Place.full_name`), '' if it is not known."""
        return str(self.room or (self.location and self.location.name) or "")

    def __str__(self) -> str:
        return f"{self.event}, {format_instant(self.start)}"


def is_event_cancelled(instant: datetime) -> Any:
    """Return the expression for events whose coming occasions, or all occasions, are cancelled."""
    own = Occasion.objects.filter(event=OuterRef("pk"))
    ahead = own.filter(end__gt=instant)
    every, coming = (Exists(rows) & ~Exists(rows.filter(cancelled=False)) for rows in (own, ahead))
    return every | coming
