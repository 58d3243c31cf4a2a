"""The stored data of imports, which later imports use."""

from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from programme.models.fields import Line
from programme.models.trigger_rules import Unpublished

# The prefixes of kinds for sheets exported by this service, and for rows whose creation was undone, which
# imports ignore.
OWN_SHEET, UNDONE = "our-", "undone-"


class HasSource(models.Model):
    """The source of an imported row, so that the import can be repeated."""

    source = Line(_("source"), max_length=200, blank=True, editable=False)
    source_id = Line(_("identifier in the source"), max_length=500, blank=True, editable=False)

    class Meta:
        abstract = True


class ImportedRow(Unpublished):
    """The values of an event or an occasion in its last import, by which later edits are detected.

    `values` are by field name: instants in ISO 8601, related rows as their IDs. The record remains when the
    row is deleted, so that the next import does not restore it. Other kinds are of a source, with a `row_id`
    derived from it: answers by the keys of questions, also about its sheets, and choices of the page.
    """

    EVENT, OCCASION, ANSWERS, CHOICES = "event", "occasion", "answers", "choices"

    kind = models.CharField(max_length=20)
    row_id = models.BigIntegerField()
    source = Line(max_length=200, blank=True)
    source_id = Line(max_length=500, blank=True)
    values = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint("kind", "row_id", name="imported_row_is_unique")]
        indexes = [models.Index(fields=["source"], name="imported_row_source")]

    def __str__(self) -> str:
        return f"{self.kind} {self.row_id}"


class Upload(Unpublished):
    """An uploaded file that is not imported yet, stored for a week at most.

    `options` are the choices on the page, and `preview` is the shown preview of the import.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = Line(max_length=200)
    content = models.BinaryField()
    options = models.JSONField(default=dict)
    preview = models.JSONField(null=True)
    uploaded_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.name


def to_json(value: Any) -> Any:
    """Return a value as it is stored in `ImportedRow.values`."""
    if isinstance(value, str):
        return value
    if isinstance(value, models.Model):
        # A row that is not stored yet, and may be left out, differs from all stored ones.
        return value.pk or f"new {value}"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Decimal):
        return str(value)
    return value.isoformat() if isinstance(value, time) else value
