"""Classification of events: organizers, event types and languages."""

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from feeds.vocabulary import Text
from programme.models.event_types import TYPES
from programme.models.facts import localize
from programme.models.fields import Color, FoldedKey, Line, Link, OtherNames, Prose
from programme.models.history import TriggeredHistory
from programme.models.querysets import ProgrammeQuerySet
from programme.models.trigger_rules import TriggerRules
from programme.models.unique_names import UniqueNames


class Organizer(UniqueNames):
    name = Line(_("name"), max_length=500)
    name_key = FoldedKey("name")
    info_sv = Prose(_("information in Swedish"), blank=True)
    info_en = Prose(_("information in English"), blank=True)
    external_url = Link(_("web page"), blank=True)
    offer_count = models.PositiveIntegerField(_("number of offers"), default=0)
    other_names = OtherNames()

    history = TriggeredHistory()
    trigger_rules = TriggerRules(touches=("organizer",), logged_as="")

    class Meta:
        verbose_name = _("organizer")
        verbose_name_plural = _("organizers")
        ordering = ["name__in_order", "id"]
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
    color = Color(_("colour"), blank=True)
    sort_order = models.IntegerField(
        _("sort order"), default=0, help_text=_("Lower numbers come first, then the name decides.")
    )
    other_names = OtherNames()

    history = TriggeredHistory()
    trigger_rules = TriggerRules(touches=TYPES)

    class Meta:
        verbose_name = _("event type")
        verbose_name_plural = _("event types")
        ordering = ["sort_order", "name_sv__in_order", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(name_sv=""), name="event_type_has_a_name"),
            models.CheckConstraint(
                condition=Q(color="") | Q(color__regex=Color.pattern), name="event_type_color_is_a_code"
            ),
            models.UniqueConstraint(
                "name_key",
                name="event_type_is_unique",
                violation_error_message=_("There is an event type with this name already."),
            ),
        ]

    def __str__(self) -> str:
        return localize(Text(self.name_sv, self.name_en))

    @classmethod
    def other(cls) -> "EventType":
        """Return the type of events without one, created if it does not exist."""
        return cls.objects.get_or_create(
            name_key="övrigt", defaults={"name_sv": "Övrigt", "name_en": "Other"}
        )[0]


# As in BCP 47; a language without a code is written as x- and a word.
_LANGUAGE_CODE = r"^([A-Za-z]{2,8}|[Xx](?=-))(-[A-Za-z0-9]{1,8})*\Z"


class Language(models.Model):
    code = Line(
        _("code"),
        max_length=35,
        unique=True,
        validators=[RegexValidator(_LANGUAGE_CODE, _("Write it like sv, sgn or pt-BR."))],
        help_text=_("For example sv, en, fi or sgn for sign language."),
    )
    name_sv = Line(_("name in Swedish"), max_length=100)
    name_en = Line(_("name in English"), max_length=100, blank=True)

    objects = ProgrammeQuerySet.as_manager()
    history = TriggeredHistory()
    trigger_rules = TriggerRules(touches=("language",))

    class Meta:
        verbose_name = _("language")
        verbose_name_plural = _("languages")
        ordering = ["name_sv__in_order", "code"]
        constraints = [models.CheckConstraint(condition=~Q(code=""), name="language_has_a_code")]

    def __str__(self) -> str:
        return f"{localize(Text(self.name_sv, self.name_en))} ({self.code})"

    def clean(self) -> None:
        super().clean()
        # Codes are case-insensitive (RFC 5646, section 2.1.1), unlike the unique constraint.
        if Language.objects.exclude(pk=self.pk).filter(code__iexact=self.code).exists():
            raise ValidationError({"code": _("There is a language with this code already.")})
