"""Lists of occasions that editors make for readers, and their items."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from programme.models.events import Event
from programme.models.fields import FoldedKey, Line, Prose
from programme.models.history import TriggeredHistory
from programme.models.occasions import Occasion
from programme.models.querysets import ProgrammeQuerySet
from programme.models.trigger_rules import TriggerRules
from programme.models.unique_names import UniqueNames


class OccasionList(UniqueNames):
    title_sv = Line(_("title in Swedish"), max_length=200)
    title_key = FoldedKey("title_sv")
    title_en = Line(_("title in English"), max_length=200, blank=True)
    text_sv = Prose(_("text in Swedish"), blank=True, help_text=_("Above the list on its page."))
    text_en = Prose(_("text in English"), blank=True)
    published = models.BooleanField(
        _("published"), default=False, help_text=_("Readers see the list, and what is published of it.")
    )
    # Set by the database: when the list or an item was last saved.
    saved_at = models.DateTimeField(_("saved"), db_default=Now(), editable=False)

    history = TriggeredHistory()
    trigger_rules = TriggerRules(sets={"saved_at": "{now}"})

    class Meta:
        verbose_name = _("list")
        verbose_name_plural = _("lists")
        ordering = ["title_sv__in_order", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(title_sv=""), name="occasion_list_has_a_title"),
            models.UniqueConstraint(
                "title_key",
                name="occasion_list_is_unique",
                violation_error_message=_("There is a list with this title already."),
            ),
        ]

    def __str__(self) -> str:
        return self.title_sv


class ListItem(models.Model):
    """An occasion on a list, or an event with all of its occasions.

    The item of a deleted one remains, invisible: the list shows its news, and it is on the list again if it
    is restored.
    """

    on_list = models.ForeignKey(OccasionList, models.CASCADE, related_name="items", verbose_name=_("list"))
    event = models.ForeignKey(
        Event,
        models.DO_NOTHING,
        null=True,
        blank=True,
        db_constraint=False,
        related_name="list_items",
        verbose_name=_("event with all of its occasions"),
    )
    occasion = models.ForeignKey(
        Occasion,
        models.DO_NOTHING,
        null=True,
        blank=True,
        db_constraint=False,
        related_name="list_items",
        verbose_name=_("occasion"),
    )

    objects = ProgrammeQuerySet.as_manager()
    history = TriggeredHistory()
    trigger_rules = TriggerRules(
        after_write=("UPDATE {OccasionList} SET saved_at = {now} WHERE id = NEW.on_list_id",),
        after_delete=("UPDATE {OccasionList} SET saved_at = {now} WHERE id = OLD.on_list_id",),
    )

    class Meta:
        verbose_name = _("item of a list")
        verbose_name_plural = _("items of lists")
        ordering = ["on_list", "id"]
        constraints = [
            models.UniqueConstraint(
                "on_list",
                "event",
                condition=~Q(event=None),
                name="listed_event_is_unique",
                violation_error_message=_("The event is on the list already."),
            ),
            models.UniqueConstraint(
                "on_list",
                "occasion",
                condition=~Q(occasion=None),
                name="listed_occasion_is_unique",
                violation_error_message=_("The occasion is on the list already."),
            ),
        ]

    def __str__(self) -> str:
        return str(self.event or self.occasion or "")
