"""Organizers' suggestions for their own events, and their links; neither is public."""

from datetime import date, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from programme.models.classification import Organizer
from programme.models.events import Event
from programme.models.festival_time import festival_time
from programme.models.fields import Line, Prose
from programme.models.trigger_rules import Unpublished

# The length of SHA-256 in hexadecimal digits.
DIGEST_LENGTH = 64


class OrganizerLink(Unpublished):
    """The link of an organizer and the private address it is sent to, without history and export.

    Only a digest of its secret is stored, '' if the link was revoked. A new link replaces the former one. A
    deleted organizer may be restored, so the row remains until it is swept.
    """

    organizer = models.OneToOneField(Organizer, models.DO_NOTHING, related_name="+", db_constraint=False)
    email = models.EmailField(_("e-mail address"), blank=True)
    digest = models.CharField(max_length=DIGEST_LENGTH, blank=True)
    valid_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint("digest", condition=~models.Q(digest=""), name="organizer_link_by_digest")
        ]

    def __str__(self) -> str:
        return f"link {self.pk}"

    @property
    def last_day(self) -> date | None:
        """The last festival day on which the link works."""
        return self.valid_until and festival_time().day_of(self.valid_until - timedelta(seconds=1))


class Suggestion(Unpublished):
    """An organizer's requested changes of one event, which wait until an editor has decided about all.

    `changes` are by key, a field's name or `occasion-8001`: the value when the organizer began (`before`),
    the requested value (`after`), and after the decision whether it was `accepted`. A deleted event may be
    restored, so the row remains until the link is swept.
    """

    link = models.ForeignKey(OrganizerLink, models.CASCADE, related_name="suggestions")
    event = models.ForeignKey(Event, models.DO_NOTHING, related_name="+", db_constraint=False)
    sent_at = models.DateTimeField()
    changes = models.JSONField(default=dict)
    message = Prose(blank=True)
    decided_at = models.DateTimeField(null=True)
    # The reason of a refusal, for the organizer.
    reason = Prose(blank=True)

    class Meta:
        default_permissions = ()
        ordering = ["sent_at", "id"]
        constraints = [
            models.UniqueConstraint(
                "event", "link", condition=models.Q(decided_at=None), name="one_suggestion_waits_for_event"
            )
        ]

    def __str__(self) -> str:
        return f"suggestion {self.pk}"


class SuggestedImage(Unpublished):
    """The image of a waiting suggestion, outside the public media, in a separate table for its size."""

    suggestion = models.OneToOneField(Suggestion, models.CASCADE, related_name="image")
    name = Line(max_length=200)
    content = models.BinaryField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name
