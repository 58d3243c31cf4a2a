"""Events, which take place at occasions."""

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, validate_email
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from programme.models.classification import EventType, Language, Organizer
from programme.models.event_types import HasFurtherTypes
from programme.models.facts import EventFacts
from programme.models.fields import ADDED, Line, Link, Prose
from programme.models.history import TriggeredHistory
from programme.models.imports import HasSource
from programme.models.places import Area, SubArea
from programme.models.publication import PUBLISH_YEARS, WITHDRAW
from programme.models.querysets import ProgrammeQuerySet
from programme.models.trigger_rules import TriggerRules

# The fields for editors who may change the event: in its form, and on run sheets.
INTERNAL = ("internal_note", "internal_contact", "internal_phone", "internal_email")
# In percent of an image's width or height.
MIDDLE = 50


class Production(models.IntegerChoices):
    NOT_STATED = 0, _("not stated")
    FESTIVAL = 1, _("by the festival")
    TOGETHER = 2, _("together with others")
    OTHERS = 3, _("by others")


class Status(models.TextChoices):
    DRAFT = "draft", _("draft")
    PUBLISHED = "published", _("published")


class Event(HasFurtherTypes, HasSource, EventFacts):
    """Something that takes place, once or several times."""

    title = Line(_("title"), max_length=300)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.DRAFT)
    area = models.ForeignKey(Area, models.PROTECT, related_name="events", verbose_name=_("area"))
    sub_area = models.ForeignKey(
        SubArea, models.PROTECT, null=True, blank=True, related_name="events", verbose_name=_("sub area")
    )
    type = models.ForeignKey(EventType, models.PROTECT, related_name="events", verbose_name=_("type"))
    organizer = models.ForeignKey(
        Organizer, models.PROTECT, null=True, blank=True, related_name="events", verbose_name=_("organizer")
    )
    language = models.ForeignKey(
        Language, models.PROTECT, null=True, blank=True, related_name="events", verbose_name=_("language")
    )
    intro_sv = Prose(_("intro in Swedish"), blank=True, help_text=_("One or two sentences."))
    intro_en = Prose(_("intro in English"), blank=True)
    description_sv = Prose(_("description in Swedish"), blank=True)
    description_en = Prose(_("description in English"), blank=True)
    highlighted = models.BooleanField(_("highlighted"), default=False)
    production = models.IntegerField(_("production"), choices=Production, default=Production.NOT_STATED)
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
    image_alt = Line(
        _("alternative text"),
        max_length=300,
        help_text=_("What the image shows, for those who do not see it. Not what its caption says."),
        **ADDED,
    )
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
    internal_note = Prose(
        _("internal note"), help_text=_("For the office and the crew. It is printed on run sheets."), **ADDED
    )
    internal_contact = Line(_("contact"), max_length=200, **ADDED)
    internal_phone = Line(_("the contact's telephone"), max_length=100, **ADDED)
    internal_email = Line(_("the contact's e-mail"), max_length=254, validators=[validate_email], **ADDED)
    # Both are set by the database: see `trigger_rules`.
    published_at = models.DateTimeField(_("first published"), null=True, blank=True, editable=False)
    last_modified = models.DateTimeField(_("last modified"), db_default=Now(), editable=False)

    objects = ProgrammeQuerySet["Event"].as_manager()
    history = TriggeredHistory()
    trigger_rules = TriggerRules(
        logged_as="{row}.id",
        hidden=frozenset(INTERNAL),
        sets={
            "last_modified": "{later}({before}.last_modified, {now})",
            "published_at": (
                "coalesce({before}.published_at, published_at, CASE WHEN status = 'published' THEN {now} END)"
            ),
        },
        after_write=(
            "UPDATE {Occasion} SET published_at = {now}"
            " WHERE event_id = NEW.id AND published_at IS NULL AND NEW.status = 'published'",
            PUBLISH_YEARS.format(condition="event_id = NEW.id AND NEW.status = 'published'"),
            WITHDRAW.format(condition="{before}.status = 'published' AND NEW.status <> 'published'"),
            # A change of the status ends a planned one.
            "DELETE FROM {ScheduledPublication} WHERE event_id = NEW.id AND {before}.status <> NEW.status",
        ),
        after_delete=("DELETE FROM {ScheduledPublication} WHERE event_id = OLD.id",),
    )

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        permissions = [
            ("publish_event", "Can publish and withdraw events"),
            ("edit_every_area", "Can edit events of every area"),
        ]
        ordering = ["title__in_order", "id"]
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

    def clean(self) -> None:
        super().clean()
        if self.sub_area and self.sub_area.area_id != self.area_id:
            raise ValidationError({"sub_area": _("This sub area is not in the area chosen.")})
