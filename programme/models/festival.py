"""The festival, and the state of the programme as a whole."""

from typing import Any

from django.core.validators import validate_email
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from feeds.vocabulary import Headings
from programme.models.fields import ADDED, Color, CountryCode, Line, Link, Prose
from programme.models.history import TriggeredHistory
from programme.models.querysets import ProgrammeQuerySet
from programme.models.trigger_rules import TriggerRules, Unpublished

ONLY_ROW = 1

HEADINGS = [
    (Headings.SERIF.value, _("Serif, as in books")),
    (Headings.SANS.value, _("Sans serif, as on signs")),
    (Headings.ROUNDED.value, _("Rounded")),
    (Headings.SLAB.value, _("Slab serif, as on posters")),
]


class Festival(models.Model):
    """The one festival of this installation."""

    id = models.SmallIntegerField(primary_key=True, default=ONLY_ROW, editable=False)
    name_sv = Line(_("name in Swedish"), max_length=200)
    name_en = Line(_("name in English"), max_length=200, blank=True)
    swedish_only = models.BooleanField(
        _("in Swedish alone"),
        default=False,
        db_default=False,
        help_text=_("No pages, fields and problems in English. The API answers in both languages."),
    )
    subtitle_sv = Line(
        _("subtitle in Swedish"),
        max_length=500,
        blank=True,
        help_text=_("One sentence about the festival. Feeds show it below the name."),
    )
    subtitle_en = Line(_("subtitle in English"), max_length=500, blank=True)
    website = Link(_("website"), blank=True)
    color = Color(
        _("colour"),
        blank=True,
        help_text=_(
            "Links and buttons of the public pages. It is made darker or lighter where it must be read."
        ),
    )
    logo = models.ImageField(_("logo"), upload_to="festival/", blank=True, max_length=300)
    headings = models.CharField(
        _("headings"), max_length=20, choices=HEADINGS, default=Headings.SERIF.value, blank=True
    )
    background = Color(_("background"), **ADDED)
    ink = Color(_("text"), **ADDED)
    dark_color = Color(_("colour, in dark mode"), help_text=_("Without one it is the colour above."), **ADDED)
    dark_background = Color(_("background, in dark mode"), **ADDED)
    dark_ink = Color(_("text, in dark mode"), **ADDED)
    hero = models.ImageField(
        _("picture"),
        upload_to="festival/",
        max_length=300,
        help_text=_("A wide one, at the top of the first page."),
        **ADDED,
    )
    icon = models.ImageField(
        _("icon"),
        upload_to="festival/",
        max_length=300,
        help_text=_("Square, of 512 × 512 pixels: in the browser's tab, and on phones that install it."),
        **ADDED,
    )
    body = models.CharField(_("text"), max_length=20, choices=HEADINGS, **ADDED)
    contact_url = Link(_("contact"), **ADDED)
    privacy_url = Link(_("privacy"), **ADDED)
    accessibility_url = Link(
        _("accessibility statement"),
        help_text=_("Swedish law wants public bodies to link to theirs (SFS 2018:1937)."),
        **ADDED,
    )
    sponsors = Prose(_("sponsors"), help_text=_("One a line: Name https://example.org"), **ADDED)
    practical_sv = Prose(
        _("text in Swedish"),
        help_text=_(
            "Toilets, first aid, contact. The page is in the menu once there is a text. A line that begins "
            "with # is a heading, with - an item of a list; web addresses, mail addresses and "
            "[words](https://example.org) are links."
        ),
        **ADDED,
    )
    practical_en = Prose(_("text in English"), **ADDED)
    map = models.ImageField(_("map"), upload_to="festival/", max_length=300, **ADDED)
    map_alt_sv = Line(
        _("the map in words, in Swedish"),
        max_length=500,
        help_text=_("For those who cannot see it: where the entrances, toilets and first aid are."),
        **ADDED,
    )
    map_alt_en = Line(_("the map in words, in English"), max_length=500, **ADDED)
    town = Line(
        _("town"),
        max_length=100,
        help_text=_("For search engines: the town of every address that names none."),
        **ADDED,
    )
    country = CountryCode(
        _("country"),
        help_text=_("Two letters: SE is Sweden, FI is Finland. Search engines want it in every address."),
        **ADDED,
    )
    license_name = Line(
        _("licence"),
        max_length=200,
        help_text=_(
            "What others may do with the programme: CC BY 4.0, say. Feeds and the API's page show it."
        ),
        **ADDED,
    )
    license_url = Link(_("the licence's web page"), **ADDED)
    terms_url = Link(_("terms of use"), **ADDED)
    contact_name = Line(
        _("contact"),
        max_length=200,
        help_text=_("Whom developers ask about the API: an office rather than a person. It is public."),
        **ADDED,
    )
    contact_email = Line(_("the contact's e-mail"), max_length=254, validators=[validate_email], **ADDED)
    # Set by the database: the moment of the last save.
    saved_at = models.DateTimeField(_("saved"), db_default=Now(), editable=False)

    objects = ProgrammeQuerySet.as_manager()
    history = TriggeredHistory()
    trigger_rules = TriggerRules(sets={"saved_at": "{now}"})

    class Meta:
        verbose_name = _("festival")
        verbose_name_plural = _("festival")
        constraints = [models.CheckConstraint(condition=models.Q(id=ONLY_ROW), name="festival_is_one_row")]

    def __str__(self) -> str:
        return self.name_sv


class RandomText(models.Func):
    """32 random hexadecimal digits, made by the database."""

    output_field = models.CharField()

    def as_sqlite(self, *_: Any, **__: Any) -> Any:
        return "lower(hex(randomblob(16)))", []

    def as_postgresql(self, *_: Any, **__: Any) -> Any:
        return "md5(random()::text || clock_timestamp()::text)", []


class Revision(Unpublished):
    """The version of the programme: one row, which triggers update with every edit."""

    id = models.SmallIntegerField(primary_key=True, default=ONLY_ROW)
    number = models.BigIntegerField()
    moved_at = models.DateTimeField()
    # When anything published was last withdrawn or deleted: a lower bound of feeds' time stamps.
    withdrawn_at = models.DateTimeField(null=True)
    # BASE_URL when something was first published, which is part of identifiers in feeds.
    base_url = models.CharField(max_length=500, **ADDED)
    # On PostgreSQL the transaction that moved it last, so that each transaction moves it once.
    writer = models.BigIntegerField(null=True)
    # Only numbers of one lineage can be compared. An inserted row has a new one, and changes that are not
    # logged begin a new one.
    lineage = models.CharField(max_length=32, db_default=RandomText(), editable=False)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=ONLY_ROW), name="revision_is_one_row")]

    def __str__(self) -> str:
        return str(self.number)

    @classmethod
    def lock(cls) -> None:
        """Block other writers until the end of the transaction: each locks this row first."""
        cls.objects.select_for_update().first()


class ChangedEvent(Unpublished):
    """The change log, written by triggers only: the revision of each event's last change.

    One row (`SHARED`) is for all tables that events share.
    """

    event_id = models.BigIntegerField(primary_key=True)
    revision = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["revision"], name="changed_event_revision")]

    def __str__(self) -> str:
        return f"{self.event_id} at {self.revision}"


class GoneOccasion(models.Model):
    """The identity of a deleted occasion that was published, written by triggers only."""

    id = models.BigIntegerField(primary_key=True)
    uuid = models.UUIDField()
    uid = Line(max_length=500, **ADDED)
    event_id = models.BigIntegerField()
    gone_at = models.DateTimeField()

    trigger_rules = TriggerRules(is_published=False, logged_as="{row}.event_id")

    class Meta:
        indexes = [models.Index(fields=["event_id"], name="gone_occasion_event")]

    def __str__(self) -> str:
        return f"{self.id} ({self.uuid})"


class PublishedYear(models.Model):
    """The first publication of a calendar year, written by triggers only.

    Triggers do not know the festival's time zone, so `start` is an instant in the year in all of them (`year`
    in programme/triggers/dialects.py). Of several rows of one year the earliest counts.
    """

    start = models.DateTimeField(unique=True)
    published_at = models.DateTimeField()

    trigger_rules = TriggerRules(is_published=False)

    def __str__(self) -> str:
        return f"{self.start:%Y}"
