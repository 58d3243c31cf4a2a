"""What organizers suggest about their own events, and their links: readers see nothing of it."""

from datetime import date, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from programme.models.classification import Organizer
from programme.models.events import Event
from programme.models.festival_time import festival_time
from programme.models.fields import Line, Prose
from programme.models.trigger_rules import Unpublished

# Of SHA-256 in hexadecimal digits.
DIGEST_LENGTH = 64


class OrganizerLink(Unpublished):
    """The link of an organizer, and the private address it is sent to: neither has a history or an export.

    Only a digest of its secret is stored; '' where the link was revoked. A new link replaces the one before.
    An organizer that is deleted may be restored, so the row stays until it is swept.
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
    """What an organizer asks to be changed of one event; it waits until an editor decides about all of it.

    `changes` are by key, a field's name or `occasion-8001`: what was there when the organizer began
    (`before`), what is asked for (`after`), and once it is decided whether it was `accepted`. An event that
    is deleted may be restored, so the row stays until the link is swept.
    """

    link = models.ForeignKey(OrganizerLink, models.CASCADE, related_name="suggestions")
    event = models.ForeignKey(Event, models.DO_NOTHING, related_name="+", db_constraint=False)
    sent_at = models.DateTimeField()
    changes = models.JSONField(default=dict)
    message = Prose(blank=True)
    decided_at = models.DateTimeField(null=True)
    # Why something was declined, for the organizer.
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
    """The image of a suggestion that waits: outside the public media, in a table of its own for its size."""

    suggestion = models.OneToOneField(Suggestion, models.CASCADE, related_name="image")
    name = Line(max_length=200)
    content = models.BinaryField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name
