"""Problems of the programme that editors have accepted; readers see nothing of them."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from programme.models.fields import Line
from programme.models.trigger_rules import Unpublished


class AcceptedProblem(Unpublished):
    """A problem that is none, with the reason why, as long as the rows that it was found in stay as they are.

    `kind` is the key of its kind, and `rows` names each row with a digest of what was wrong with it.
    """

    kind = models.CharField(max_length=40)
    rows = models.TextField()
    # A digest of both: `rows` may be longer than what an index takes.
    key = models.CharField(max_length=64, unique=True)
    reason = Line(max_length=300)
    # The user's name, too: accounts may be deleted.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    name = Line(max_length=200, blank=True)
    accepted_at = models.DateTimeField(db_default=Now())

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"
