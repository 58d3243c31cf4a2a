"""The places of a festival: areas and sub areas, with their days and streams."""

import datetime as dt
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import build_day_id
from feeds.selection import NO_SUB_AREA
from programme.models.dates import format_day
from programme.models.fields import Color, FoldedKey, Line, Link, Prose
from programme.models.history import TriggeredHistory
from programme.models.querysets import ProgrammeQuerySet
from programme.models.trigger_rules import TriggerRules
from programme.models.unique_names import UniqueNames


class AreaFields(UniqueNames):
    name = Line(_("name"), max_length=100, help_text=_("Short, as in headings and filters."))
    full_name = Line(
        _("full name"),
        max_length=200,
        blank=True,
        help_text=_("Leave empty where it is the same as the name."),
    )
    name_key = FoldedKey("name")
    full_name_key = FoldedKey("full_name")
    color = Color(_("colour"), blank=True)
    location_name = Line(
        _("location name"),
        max_length=200,
        blank=True,
        help_text=_("Only where the whole area is one location."),
    )
    address = Line(_("address"), max_length=300, blank=True)
    info_sv = Prose(_("information in Swedish"), blank=True)
    info_en = Prose(_("information in English"), blank=True)
    external_url = Link(_("web page"), blank=True)
    sort_order = models.IntegerField(
        _("sort order"), default=0, help_text=_("Lower numbers come first, then the name decides.")
    )

    # The messages for a name that is another row's full name, and for a full name that is another's name.
    crossed: ClassVar[dict[str, object]]

    class Meta:
        abstract = True
        ordering = ["sort_order", "name__in_order", "id"]

    def refused_names(self) -> dict[str, object]:
        siblings = self.siblings().exclude(pk=self.pk)
        crossed: dict[str, object] = {}
        if self.name_key and siblings.filter(full_name_key=self.name_key).exists():
            crossed["name"] = self.crossed["name"]
        if self.full_name_key and siblings.filter(name_key=self.full_name_key).exists():
            crossed["full_name"] = self.crossed["full_name"]
        refused = crossed | super().refused_names()
        if "name" in refused and self.full_name_key == self.name_key:
            # The same mistake.
            refused.pop("full_name", None)
        return refused

    def siblings(self) -> models.QuerySet[Any]:
        return type(self).objects.all()


class Area(AreaFields):
    price = Line(_("price"), max_length=200, blank=True)
    ticket_url = Link(_("ticket link"), blank=True)
    current = models.BooleanField(
        _("part of the current edition"),
        default=True,
        db_default=True,
        help_text=_("Apps see the area even while the edition has nothing in it."),
    )

    history = TriggeredHistory()
    trigger_rules = TriggerRules(
        touches=("area",), hidden=frozenset({"current"}), distinct=("name_key", "full_name_key")
    )

    crossed: ClassVar = {
        "name": _("Another area has this as its full name."),
        "full_name": _("Another area has this as its name."),
    }

    class Meta(AreaFields.Meta):
        verbose_name = _("area")
        verbose_name_plural = _("areas")
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="area_has_a_name"),
            models.CheckConstraint(
                condition=Q(color="") | Q(color__regex=Color.pattern), name="area_color_is_a_code"
            ),
            # `trigger_rules` ensures that no name is another area's full name.
            models.UniqueConstraint(
                "name_key",
                name="area_name_is_unique",
                violation_error_message=_("Another area has this name."),
            ),
            models.UniqueConstraint(
                "full_name_key",
                condition=~Q(full_name_key=""),
                name="area_full_name_is_unique",
                violation_error_message=_("Another area has this full name."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SubArea(AreaFields):
    """A part of an area, physical (a stage) or logical (a theme)."""

    area = models.ForeignKey(Area, models.PROTECT, related_name="sub_areas", verbose_name=_("area"))
    physical = models.BooleanField(
        _("physical"),
        default=True,
        help_text=_("A place one can stand in. Untick it for a theme or a series."),
    )

    history = TriggeredHistory()
    trigger_rules = TriggerRules(
        touches=("sub_area",), distinct=("name_key", "full_name_key"), distinct_within="area_id"
    )

    crossed: ClassVar = {
        "name": _("Another sub area of this area has this as its full name."),
        "full_name": _("Another sub area of this area has this as its name."),
    }

    class Meta(AreaFields.Meta):
        verbose_name = _("sub area")
        verbose_name_plural = _("sub areas")
        ordering = ["area", "sort_order", "name__in_order", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="sub_area_has_a_name"),
            models.CheckConstraint(
                condition=~Q(name_key=NO_SUB_AREA) & ~Q(full_name_key=NO_SUB_AREA),
                name="sub_area_name_is_not_reserved",
            ),
            models.CheckConstraint(
                condition=Q(color="") | Q(color__regex=Color.pattern), name="sub_area_color_is_a_code"
            ),
            models.UniqueConstraint(
                "area",
                "name_key",
                name="sub_area_name_is_unique",
                violation_error_message=_("Another sub area of this area has this name."),
            ),
            models.UniqueConstraint(
                "area",
                "full_name_key",
                condition=~Q(full_name_key=""),
                name="sub_area_full_name_is_unique",
                violation_error_message=_("Another sub area of this area has this full name."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.area} – {self.name}"

    def refused_names(self) -> dict[str, object]:
        reserved = _("“none” asks the API for events in no sub area. Choose another name.")
        # Both the same are one mistake.
        keys = {self.full_name_key: "full_name", self.name_key: "name"}
        return super().refused_names() | {
            field: reserved for key, field in keys.items() if key == NO_SUB_AREA
        }

    def siblings(self) -> models.QuerySet[Any]:
        return super().siblings().filter(area=self.area_id)


class Day(models.Model):
    """A festival day, whose ID is its date as a number, known before the row exists."""

    id = models.IntegerField(primary_key=True, editable=False)
    date = models.DateField(_("date"), unique=True)

    objects = ProgrammeQuerySet.as_manager()
    trigger_rules = TriggerRules()

    class Meta:
        verbose_name = _("day")
        verbose_name_plural = _("days")
        ordering = ["date"]

    def __str__(self) -> str:
        return format_day(self.date)

    def save(self, *args: object, **kwargs: object) -> None:
        self.id = build_day_id(self.date)
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    @classmethod
    def on(cls, date: dt.date) -> "Day":
        return cls.objects.get_or_create(id=build_day_id(date), defaults={"date": date})[0]


class AreaDay(models.Model):
    area = models.ForeignKey(Area, models.CASCADE, related_name="days", verbose_name=_("area"))
    day = models.ForeignKey(Day, models.PROTECT, related_name="area_days", verbose_name=_("day"))
    opens = models.TimeField(_("opens"), null=True, blank=True)
    closes = models.TimeField(
        _("closes"), null=True, blank=True, help_text=_("Earlier than it opens: in the night after.")
    )
    ticket_opens = models.TimeField(_("ticket sales open"), null=True, blank=True)
    ticket_closes = models.TimeField(_("ticket sales close"), null=True, blank=True)
    title = Line(_("title"), max_length=200, blank=True)
    price_info = Line(_("price information"), max_length=300, blank=True)

    objects = ProgrammeQuerySet.as_manager()
    history = TriggeredHistory()
    trigger_rules = TriggerRules()

    class Meta:
        verbose_name = _("area's day")
        verbose_name_plural = _("areas' days")
        ordering = ["area", "day"]
        constraints = [
            models.UniqueConstraint(
                "area",
                "day",
                name="area_day_is_unique",
                violation_error_message=_("This area already has an entry for this day."),
            )
        ]

    def __str__(self) -> str:
        return f"{self.area} {self.day}"


class StreamSource(models.IntegerChoices):
    OTHER = 0, _("other")
    YOUTUBE = 1, "YouTube"
    VIMEO = 2, "Vimeo"
    TWITCH = 3, "Twitch"
    FACEBOOK = 4, "Facebook"
    SVT_PLAY = 5, "SVT Play"


class Stream(models.Model):
    """A video stream of an area or sub area, or of the occasions that name it."""

    name = Line(_("name"), max_length=200)
    url = Link(_("address"))
    source = models.IntegerField(_("source"), choices=StreamSource, default=StreamSource.OTHER)
    area = models.ForeignKey(
        Area, models.CASCADE, null=True, blank=True, related_name="streams", verbose_name=_("area")
    )
    sub_area = models.ForeignKey(
        SubArea,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="streams",
        verbose_name=_("sub area"),
        help_text=_("Instead of the area, where the stream shows a sub area only."),
    )

    objects = ProgrammeQuerySet.as_manager()
    history = TriggeredHistory()
    trigger_rules = TriggerRules(touches=("occasions__stream",))

    class Meta:
        verbose_name = _("stream")
        verbose_name_plural = _("streams")
        ordering = ["name__in_order", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="stream_has_a_name"),
            models.CheckConstraint(
                condition=Q(area=None) | Q(sub_area=None),
                name="stream_is_of_one_area",
                violation_error_message=_("Choose an area or a sub area, not both."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.get_source_display()})"
