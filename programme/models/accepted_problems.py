"""Problems of the programme that editors have accepted; readers see nothing of them."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from programme.models.fields import Line
from programme.models.trigger_rules import Unpublished


class AcceptedProblem(Unpublished):
    """A problem that an editor has accepted for a reason, until one of its rows changes.

    `kind` is the key of its kind, and `rows` names each row with a digest of the values that caused it.
    """

    kind = models.CharField(max_length=40)
    rows = models.TextField()
    # A digest of both, because `rows` may be too long for an index.
    key = models.CharField(max_length=64, unique=True)
    reason = Line(max_length=300)
    # Stored beside the user, because accounts may be deleted.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    name = Line(max_length=200, blank=True)
    accepted_at = models.DateTimeField(db_default=Now())

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"
