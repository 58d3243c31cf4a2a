"""What the programme consists of: events, who holds them, and the occasions at which they happen."""

from datetime import datetime
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from programme.fields import Color, FoldedKey, Line, Link, Prose
from programme.models.names import UniqueNames
from programme.models.placed import Placed
from programme.models.places import Area, Location, Room, Stream, SubArea
from programme.querysets import ProgrammeQuerySet
from programme.reckoning import reckoning


class Sourced(models.Model):
    """Where a row came from, so that an import can be repeated."""

    source = Line(
        _("source"), max_length=200, blank=True, editable=False, help_text=_("Where it was imported from.")
    )
    source_id = Line(_("identifier in the source"), max_length=500, blank=True, editable=False)

    class Meta:
        abstract = True


class Organizer(UniqueNames):
    """Somebody who holds events."""

    name = Line(_("name"), max_length=500)
    name_key = FoldedKey("name")
    info_sv = Prose(_("information in Swedish"), blank=True)
    info_en = Prose(_("information in English"), blank=True)
    external_url = Link(_("web page"), blank=True)
    offer_count = models.PositiveIntegerField(
        _("number of offers"), default=0, help_text=_("How many offers the organizer has in all.")
    )

    objects = ProgrammeQuerySet.as_manager()

    class Meta:
        verbose_name = _("organizer")
        verbose_name_plural = _("organizers")
        ordering = ["name", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="organizer_has_a_name"),
            models.UniqueConstraint(
                "name_key",
                name="organizer_is_unique",
                violation_error_message=_("There is an organizer with this name already."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class EventType(UniqueNames):
    """A kind of event: concert, talk, workshop."""

    name_sv = Line(_("name in Swedish"), max_length=100)
    name_en = Line(_("name in English"), max_length=100, blank=True)
    name_key = FoldedKey("name_sv")
    color = Color(_("colour"), blank=True, help_text=_("As # and six digits, for example #2f6f4e."))
    sort_order = models.IntegerField(
        _("sort order"), default=0, help_text=_("Lower numbers come first, then the name decides.")
    )

    objects = ProgrammeQuerySet.as_manager()

    class Meta:
        verbose_name = _("event type")
        verbose_name_plural = _("event types")
        ordering = ["sort_order", "name_sv", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(name_sv=""), name="event_type_has_a_name"),
            models.CheckConstraint(
                condition=Q(color="") | Q(color__regex=Color.pattern),
                name="event_type_color_is_a_code",
            ),
            models.UniqueConstraint(
                "name_key",
                name="event_type_is_unique",
                violation_error_message=_("There is an event type with this name already."),
            ),
        ]

    def __str__(self) -> str:
        return self.name_sv

    @classmethod
    def other(cls) -> "EventType":
        """Return the type of events that state none, made if it is not there yet."""
        return cls.objects.get_or_create(
            name_key="övrigt", defaults={"name_sv": "Övrigt", "name_en": "Other"}
        )[0]


class Language(models.Model):
    """A language in which events are held."""

    code = Line(
        _("code"), max_length=35, unique=True, help_text=_("For example sv, en, fi or sgn for sign language.")
    )
    name_sv = Line(_("name in Swedish"), max_length=100)
    name_en = Line(_("name in English"), max_length=100, blank=True)

    objects = ProgrammeQuerySet.as_manager()

    class Meta:
        verbose_name = _("language")
        verbose_name_plural = _("languages")
        ordering = ["name_sv", "code"]
        constraints = [
            models.CheckConstraint(condition=~Q(code=""), name="language_has_a_code"),
        ]

    def __str__(self) -> str:
        return f"{self.name_sv} ({self.code})"

    def clean(self) -> None:
        super().clean()
        # Codes are ASCII in any case (RFC 5646, 2.1.1), and the database's own check minds the case.
        if Language.objects.exclude(pk=self.pk).filter(code__iexact=self.code).exists():
            raise ValidationError({"code": _("There is a language with this code already.")})


class Production(models.IntegerChoices):
    NOT_STATED = 0, _("not stated")
    FESTIVAL = 1, _("by the festival")
    TOGETHER = 2, _("together with others")
    OTHERS = 3, _("by others")


class Status(models.TextChoices):
    DRAFT = "draft", _("draft")
    PUBLISHED = "published", _("published")


class EventQuerySet(ProgrammeQuerySet):
    """Events."""

    def published(self) -> "EventQuerySet":
        return self.filter(status=Status.PUBLISHED)

    def mark_changed(self, note: str, instant: datetime) -> int:
        """Mark the events as changed at an instant, with a note or ''; return how many they are."""
        return self.update(change_info=note, changed_at=instant)


class Event(Placed, Sourced):
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
    change_info = Line(
        _("what has changed"),
        max_length=500,
        blank=True,
        help_text=_("A short note about the last change."),
    )
    changed_at = models.DateTimeField(_("marked as changed"), null=True, blank=True, editable=False)
    # Both are kept by the database (programme/triggers.py), whichever way the event is edited.
    published_at = models.DateTimeField(_("first published"), null=True, blank=True, editable=False)
    last_modified = models.DateTimeField(_("last modified"), db_default=Now(), editable=False)

    objects = EventQuerySet.as_manager()

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["title", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(title=""), name="event_has_a_title"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="event_status_is_known"),
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


class Occasion(Placed, Sourced):
    """One time at which an event takes place."""

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
    # Kept by the database (programme/triggers.py): since when readers may know this occasion.
    published_at = models.DateTimeField(_("first published"), null=True, blank=True, editable=False)

    objects = ProgrammeQuerySet.as_manager()

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
            models.UniqueConstraint(
                "source", "source_id", condition=~Q(source=""), name="occasion_source_is_unique"
            ),
        ]
        indexes = [models.Index(fields=["start"], name="occasion_start")]

    def __str__(self) -> str:
        return f"{self.event}, {reckoning().local(self.start):%Y-%m-%d %H:%M}"
