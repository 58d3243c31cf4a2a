"""Planned publications and withdrawals."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from programme.models.events import Event, Status
from programme.models.fields import Line
from programme.models.trigger_rules import Unpublished


class Missed(models.TextChoices):
    """The reason why a plan was not carried out."""

    AUTHOR = "author", _("whoever planned it may no longer publish")
    OCCASIONS = "occasions", _("it has no occasion")


class ScheduledPublication(Unpublished):
    """A planned status of an event, deleted by the event's triggers when the status changes.

    A `missed` plan remains until an editor decides again, so that nothing is published by accident.
    """

    event = models.OneToOneField(
        Event, models.DO_NOTHING, primary_key=True, related_name="plan", db_constraint=False
    )
    status = models.CharField(max_length=10, choices=Status)
    due = models.DateTimeField()
    # Stored beside the user, because accounts may be deleted.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    name = Line(max_length=200, blank=True)
    missed = models.CharField(max_length=10, choices=Missed, blank=True)

    class Meta:
        default_permissions = ()
        ordering = ["due", "event"]
        indexes = [models.Index(fields=["missed", "due"], name="scheduled_publication_due")]

    def __str__(self) -> str:
        return f"{self.status} {self.event_id} at {self.due}"
