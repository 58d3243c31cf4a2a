"""Editions of the festival: periods of festival days; occasions belong to them by their day."""

from datetime import date, datetime
from typing import cast

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from feeds.editions import Span, find_current, find_span
from feeds.vocabulary import Text
from programme.models.facts import localize
from programme.models.festival_time import festival_time
from programme.models.fields import Line
from programme.models.history import TriggeredHistory
from programme.models.publication import WITHDRAW
from programme.models.querysets import ProgrammeQuerySet
from programme.models.trigger_rules import TriggerRules

# Published occasions may have left the edition.
_LEAVE = WITHDRAW.format(condition="1 = 1")
# After a deletion another edition becomes current, or all occasions are published: both count as modified.
_COME = (
    "UPDATE {Edition} SET saved_at = {now}",
    "UPDATE {Event} SET last_modified = {later}(last_modified, {now})"
    " WHERE NOT EXISTS (SELECT 1 FROM {Edition})",
)


def within(span: Span) -> Q:
    """Return the condition for the occasions of a span of time."""
    begins, ends = span
    return Q(start__gte=begins, start__lt=ends)


class Edition(models.Model):
    """A period of festival days; occasions have no reference to it.

    Readers get the current edition, which was made current last (`current_since`), by an editor or on the
    planned day; before that, the first.
    """

    slug = models.SlugField(_("in addresses"), max_length=50, unique=True)
    name_sv = Line(_("name in Swedish"), max_length=200)
    name_en = Line(_("name in English"), max_length=200, blank=True)
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    current_from = models.DateField(
        _("current from"),
        null=True,
        blank=True,
        help_text=_("On this day the public programme changes over to this edition by itself."),
    )
    current_since = models.DateTimeField(_("current since"), null=True, blank=True, editable=False)
    # Set by the database: the moment of the last save.
    saved_at = models.DateTimeField(_("saved"), db_default=Now(), editable=False)

    objects = ProgrammeQuerySet.as_manager()
    history = TriggeredHistory()
    trigger_rules = TriggerRules(
        sets={"saved_at": "{now}"}, after_write=(_LEAVE,), after_delete=(_LEAVE, *_COME)
    )

    class Meta:
        verbose_name = _("edition")
        verbose_name_plural = _("editions")
        ordering = ["first_day", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(last_day__gte=F("first_day")),
                name="edition_ends_after_its_start",
                violation_error_message=_("The last day must not be before the first."),
            )
        ]

    def __str__(self) -> str:
        return localize(Text(self.name_sv, self.name_en))

    def clean(self) -> None:
        self.slug = self.slug.lower()
        if self.first_day and self.last_day and (other := self.find_overlap()):
            days = {"first": other.first_day, "last": other.last_day, "name": other}
            raise ValidationError(
                {"first_day": _("These days overlap with %(name)s, %(first)s to %(last)s.") % days}
            )

    def holds(self, day: date) -> bool:
        return self.first_day <= day <= self.last_day

    @property
    def days(self) -> list[date]:
        ordinals = range(self.first_day.toordinal(), self.last_day.toordinal() + 1)
        return [*map(date.fromordinal, ordinals)]

    @property
    def occasions(self) -> Q:
        """The condition for its occasions."""
        return within(self.span)

    @classmethod
    def find_due(cls, day: date) -> "Edition | None":
        """Return the edition to make current because its planned day has come, else None."""
        planned = cls.objects.filter(current_from__lte=day).order_by("-current_from", "-first_day").first()
        if planned is None or planned.is_current:
            return None
        begins = festival_time().day_begins(cast("date", planned.current_from))
        # An editor's choice since that day takes precedence.
        return None if cls.objects.filter(current_since__gte=begins).exists() else planned

    @property
    def span(self) -> Span:
        return find_span(self.first_day, self.last_day, festival_time())

    @property
    def is_current(self) -> bool:
        return self == find_current(Edition.objects.all())

    def make_current(self, instant: datetime) -> None:
        self.current_since = instant
        self.save()

    def find_overlap(self) -> "Edition | None":
        others = Edition.objects.exclude(pk=self.pk)
        return others.filter(first_day__lte=self.last_day, last_day__gte=self.first_day).first()
