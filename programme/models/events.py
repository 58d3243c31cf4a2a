"""Events, and the occasions at which they take place."""

from datetime import UTC, datetime
from uuid import uuid4

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from programme.models.classification import EventType, Language, Organizer
from programme.models.festival_time import festival_time
from programme.models.fields import Line, Link, Prose
from programme.models.history import TriggeredHistory
from programme.models.locations import HasVenue, Location, Room, venue_expressions
from programme.models.places import Area, Stream, SubArea
from programme.models.querysets import ProgrammeQuerySet
from programme.models.trigger_rules import TriggerRules

FIRST_INSTANT = datetime(1900, 1, 1, tzinfo=UTC)
LAST_INSTANT = datetime(2200, 1, 1, tzinfo=UTC)
# In percent of an image's width or height.
MIDDLE = 50


# Statements of triggers. A year is published with the first of its occasions, and that never changes.
PUBLISH_YEARS = (
    "INSERT INTO {{PublishedYear}} (start, published_at) SELECT year, {{now}}"
    " FROM (SELECT DISTINCT {{year}} AS year FROM {{Occasion}} WHERE {condition}) AS published"
    " WHERE year NOT IN (SELECT start FROM {{PublishedYear}})"
)
# Once in a transaction, on PostgreSQL: the row is written again with each.
WITHDRAW = (
    "UPDATE {{Revision}} SET withdrawn_at = {{now}}"
    " WHERE (withdrawn_at IS NULL OR withdrawn_at < {{begun}}) AND {condition}"
)


class HasSource(models.Model):
    """Where a row was imported from, so that the import can be repeated."""

    source = Line(
        _("source"), max_length=200, blank=True, editable=False, help_text=_("Where it was imported from.")
    )
    source_id = Line(_("identifier in the source"), max_length=500, blank=True, editable=False)

    class Meta:
        abstract = True


class Production(models.IntegerChoices):
    NOT_STATED = 0, _("not stated")
    FESTIVAL = 1, _("by the festival")
    TOGETHER = 2, _("together with others")
    OTHERS = 3, _("by others")


class Status(models.TextChoices):
    DRAFT = "draft", _("draft")
    PUBLISHED = "published", _("published")


class EventQuerySet(ProgrammeQuerySet["Event"]):
    def published(self) -> "EventQuerySet":
        return self.filter(status=Status.PUBLISHED)

    def mark_changed(self, note: str, instant: datetime) -> int:
        """Mark the events as changed at an instant, with a note or ''; return their number."""
        return self.update(change_info=note, changed_at=instant)


class Event(HasVenue, HasSource):
    """Something that takes place, once or several times."""

    title = Line(_("title"), max_length=300)
    status = models.CharField(
        _("status"),
        max_length=10,
        choices=Status,
        default=Status.DRAFT,
        help_text=_("Readers see published events that have at least one occasion."),
    )
    area = models.ForeignKey(Area, models.PROTECT, related_name="events", verbose_name=_("area"))
    sub_area = models.ForeignKey(
        SubArea,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="events",
        verbose_name=_("sub area"),
    )
    type = models.ForeignKey(EventType, models.PROTECT, related_name="events", verbose_name=_("type"))
    organizer = models.ForeignKey(
        Organizer,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="events",
        verbose_name=_("organizer"),
    )
    language = models.ForeignKey(
        Language,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="events",
        verbose_name=_("language"),
        help_text=_("The language in which the event is held."),
    )
    location = models.ForeignKey(
        Location,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="events",
        verbose_name=_("location"),
    )
    room = models.ForeignKey(
        Room,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="events",
        verbose_name=_("room"),
    )
    intro_sv = Prose(_("intro in Swedish"), blank=True, help_text=_("One or two sentences."))
    intro_en = Prose(_("intro in English"), blank=True, help_text=_("One or two sentences."))
    description_sv = Prose(_("description in Swedish"), blank=True)
    description_en = Prose(_("description in English"), blank=True)
    sign_interpreted = models.BooleanField(_("sign language interpreted"), default=False)
    highlighted = models.BooleanField(_("highlighted"), default=False, help_text=_("Of special interest."))
    production = models.IntegerField(_("production"), choices=Production, default=Production.NOT_STATED)
    cancelled = models.BooleanField(
        _("cancelled"),
        default=False,
        help_text=_("The whole event. It stays in the programme, marked as cancelled."),
    )
    price = Line(_("price"), max_length=200, blank=True)
    ticket_url = Link(_("ticket link"), blank=True)
    external_url = Link(_("web page"), blank=True)
    image = models.ImageField(_("image"), upload_to="events/", blank=True, max_length=300)
    image_url = Link(
        _("image address"),
        blank=True,
        help_text=_("An image on another website. An uploaded image goes before it."),
    )
    image_caption = Line(_("image caption"), max_length=300, blank=True)
    image_focus_x = models.PositiveSmallIntegerField(
        _("what must stay, from the left (%)"),
        default=MIDDLE,
        blank=True,
        validators=[MaxValueValidator(100)],
    )
    image_focus_y = models.PositiveSmallIntegerField(
        _("what must stay, from the top (%)"),
        default=MIDDLE,
        blank=True,
        validators=[MaxValueValidator(100)],
        help_text=_(
            "Where the image is cropped, this part of it is kept. "
            "Click it in the picture, or move the ring with the arrow keys."
        ),
    )
    change_info = Line(
        _("what has changed"),
        max_length=500,
        blank=True,
        help_text=_("A short note about the last change."),
    )
    changed_at = models.DateTimeField(_("marked as changed"), null=True, blank=True, editable=False)
    # Both are set by the database: see `trigger_rules`.
    published_at = models.DateTimeField(_("first published"), null=True, blank=True, editable=False)
    last_modified = models.DateTimeField(_("last modified"), db_default=Now(), editable=False)

    objects = EventQuerySet.as_manager()
    history = TriggeredHistory()
    trigger_rules = TriggerRules(
        sets={
            "last_modified": "{later}({before}.last_modified, {now})",
            "published_at": (
                "coalesce({before}.published_at, published_at, CASE WHEN status = 'published' THEN {now} END)"
            ),
        },
        after_write=(
            "UPDATE {Occasion} SET published_at = {now}"
            " WHERE event_id = NEW.id AND published_at IS NULL AND NEW.status = 'published'",
            "UPDATE {Occasion} SET previous_start = NULL WHERE event_id = NEW.id"
            " AND previous_start IS NOT NULL AND NEW.changed_at IS NULL AND changed_at IS NULL",
            PUBLISH_YEARS.format(condition="event_id = NEW.id AND NEW.status = 'published'"),
            WITHDRAW.format(condition="{before}.status = 'published' AND NEW.status <> 'published'"),
        ),
    )

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        permissions = [
            ("publish_event", "Can publish and withdraw events"),
            ("edit_every_area", "Can edit events of every area"),
        ]
        ordering = ["title", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(title=""), name="event_has_a_title"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="event_status_is_known"),
            models.CheckConstraint(
                condition=Q(image_focus_x__lte=100, image_focus_y__lte=100),
                name="event_image_focus_is_inside",
            ),
            models.UniqueConstraint(
                "source", "source_id", condition=~Q(source=""), name="event_source_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def misplaced(self) -> dict[str, object]:
        if self.sub_area and self.sub_area.area_id != self.area_id:
            return super().misplaced() | {"sub_area": _("This sub area is not in the area chosen.")}
        return super().misplaced()


class OccasionQuerySet(ProgrammeQuerySet["Occasion"]):
    def with_venue(self) -> "OccasionQuerySet":
        """Annotate each occasion with the IDs of where it is held: `venue_location` and `venue_room`."""
        return self.annotate(**venue_expressions())


class Occasion(HasVenue, HasSource):
    event = models.ForeignKey(Event, models.CASCADE, related_name="occasions", verbose_name=_("event"))
    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    start = models.DateTimeField(_("start"))
    end = models.DateTimeField(_("end"))
    cancelled = models.BooleanField(_("cancelled"), default=False, help_text=_("This occasion alone."))
    location = models.ForeignKey(
        Location,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="occasions",
        verbose_name=_("location"),
        help_text=_("Only where it is not the event's."),
    )
    room = models.ForeignKey(
        Room,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="occasions",
        verbose_name=_("room"),
        help_text=_("Only where it is not the event's."),
    )
    stream = models.ForeignKey(
        Stream,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="occasions",
        verbose_name=_("stream"),
    )
    change_info = Line(
        _("what has changed"),
        max_length=500,
        blank=True,
        default="",
        db_default="",
        help_text=_("This occasion alone."),
    )
    changed_at = models.DateTimeField(_("marked as changed"), null=True, blank=True, editable=False)
    # Both are set by the database: the start before the occasion was moved, as long as it or its event is
    # marked as changed; and since when readers may know this occasion.
    previous_start = models.DateTimeField(_("previous start"), null=True, blank=True, editable=False)
    published_at = models.DateTimeField(_("first published"), null=True, blank=True, editable=False)

    objects = OccasionQuerySet.as_manager()
    history = TriggeredHistory()
    trigger_rules = TriggerRules(
        touches=("occasions",),
        sets={
            # One that is restored was published before, whatever is written.
            "published_at": (
                "coalesce({before}.published_at, published_at,"
                " (SELECT gone_at FROM {GoneOccasion} WHERE id = NEW.id),"
                " (SELECT {now} FROM {Event} WHERE id = NEW.event_id AND status = 'published'))"
            )
        },
        derives={
            # The first of several, until it is back there or the mark is removed.
            "previous_start": (
                "CASE WHEN NEW.changed_at IS NOT NULL"
                " OR (SELECT changed_at FROM {Event} WHERE id = NEW.event_id) IS NOT NULL"
                " THEN nullif(coalesce(NEW.previous_start, CASE WHEN NEW.start <> {before}.start"
                " THEN coalesce({before}.previous_start, {before}.start) END), NEW.start) END"
            )
        },
        after_write=(
            "DELETE FROM {GoneOccasion} WHERE id = NEW.id",
            PUBLISH_YEARS.format(
                condition="id = NEW.id AND event_id IN (SELECT id FROM {Event} WHERE status = 'published')"
            ),
            # From a published event to one that is not.
            WITHDRAW.format(
                condition="'published' = (SELECT status FROM {Event} WHERE id = {before}.event_id)"
                " AND 'published' <> (SELECT status FROM {Event} WHERE id = NEW.event_id)"
            ),
        ),
        # The identity of an occasion that was published remains.
        after_delete=(
            "INSERT INTO {GoneOccasion} (id, uuid, event_id, gone_at)"
            " SELECT OLD.id, OLD.uuid, OLD.event_id, {now} WHERE OLD.published_at IS NOT NULL",
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
            models.UniqueConstraint(
                "source", "source_id", condition=~Q(source=""), name="occasion_source_is_unique"
            ),
        ]
        indexes = [models.Index(fields=["start"], name="occasion_start")]

    def __str__(self) -> str:
        return f"{self.event}, {festival_time().local(self.start):%Y-%m-%d %H:%M}"
