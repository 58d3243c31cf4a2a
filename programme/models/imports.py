"""What imports store for later ones; readers see nothing of it."""

from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from programme.models.fields import Line
from programme.models.trigger_rules import Unpublished

# Before the kind of what was stated by a sheet of this service, and of rows whose creation was undone: no
# import knows these.
OWN_SHEET, UNDONE = "our-", "undone-"


class HasSource(models.Model):
    """Where a row was imported from, so that the import can be repeated."""

    source = Line(_("source"), max_length=200, blank=True, editable=False)
    source_id = Line(_("identifier in the source"), max_length=500, blank=True, editable=False)

    class Meta:
        abstract = True


class ImportedRow(Unpublished):
    """The values of an event or an occasion in its last import, to distinguish later edits.

    `values` are by field name: instants in ISO 8601, related rows as their IDs. It remains when the row is
    deleted, so that the next import does not restore it. Answers are those that the imports of a source were
    given, by the keys of questions, choices those of the page, and corrections those of its cells; their
    `row_id` stands for the source.
    """

    EVENT, OCCASION, ANSWERS, CHOICES = "event", "occasion", "answers", "choices"
    CORRECTIONS = "corrections"

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
    """A file that is uploaded and not imported yet, stored for a week at most.

    `options` are those of the page, and `preview` is what it has shown of the import.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = Line(max_length=200)
    content = models.BinaryField()
    options = models.JSONField(default=dict)
    preview = models.JSONField(null=True)
    uploaded_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.name


class SheetMapping(Unpublished):
    """Which columns of sheets with certain headings fill which fields, as an editor has chosen."""

    name = Line(_("name"), max_length=200)
    # A digest of the headings.
    key = models.CharField(max_length=64, unique=True, editable=False)
    headings = models.JSONField()
    sources = models.JSONField()

    class Meta:
        verbose_name = _("saved columns")
        verbose_name_plural = _("saved columns")
        ordering = ["name__in_order", "id"]

    def __str__(self) -> str:
        return self.name


def to_json(value: Any) -> Any:
    """Return a value as it is stored in `ImportedRow.values`."""
    if isinstance(value, str):
        return value
    if isinstance(value, models.Model):
        # A row that is not stored yet differs from all that are; the import may leave it out after all.
        return value.pk or f"new {value}"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Decimal):
        return str(value)
    return value.isoformat() if isinstance(value, time) else value
