"""The history: the versions of rows, and their edits.

The tables are django-simple-history's. Their rows are written by triggers only, so that no write bypasses
them; `programme/history/edits.py` records the editor and the reason.
"""

from functools import cache
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models.signals import post_delete, post_save, pre_delete
from simple_history.manager import HistoryManager
from simple_history.models import HistoricalRecords

from programme.models.event_types import TYPES
from programme.models.fields import FoldedKey, Line
from programme.models.trigger_rules import Unpublished

# Columns that the database sets once; setting them makes no new version.
SET_ONCE = {"published_at"}
# Columns that the database changes when related rows change; versions do not have them.
UNVERSIONED = {"last_modified", "saved_at"}
# Columns without an index in the history, because no query needs one.
UNINDEXED = ("area", "sub_area", *TYPES, "organizer", "language", "location", "room", "stream", "day", "uuid")


class EditInfo(Unpublished):
    """The editor and the reason of an edit; '' if unknown.

    `reason` is a message of the catalogue, translated where it is shown; `detail` is a text after it.
    """

    name = Line(max_length=200, blank=True)
    reason = Line(max_length=100, blank=True)
    detail = Line(max_length=300, blank=True)

    class Meta:
        abstract = True


class Edit(EditInfo):
    """The writes of one transaction, created with the first row that it changes."""

    moment = models.DateTimeField(db_index=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.moment:%Y-%m-%d %H:%M} {self.name}"


class Editing(EditInfo):
    """The edit in progress, a row that exists only during its transaction.

    `writer` is the ID of the transaction on PostgreSQL, None on SQLite, which has one writer at a time.
    """

    writer = models.BigIntegerField(null=True, unique=True)
    moment = models.DateTimeField(null=True)
    user_id = models.BigIntegerField(null=True)
    edit = models.ForeignKey(Edit, models.DO_NOTHING, null=True, related_name="+", db_constraint=False)
    # Its news for readers (`Telling.dump`).
    telling = models.JSONField(default=dict)

    def __str__(self) -> str:
        return self.name


class Version(models.Model):
    """A row after an edit, or before the edit that deleted it."""

    # None if the row was written outside any edit, by SQL for example.
    edit = models.ForeignKey(Edit, models.PROTECT, null=True, related_name="+")

    class Meta:
        abstract = True


class VersionManager(HistoryManager):  # type: ignore[misc]  # it has no types
    """The manager of versions, whose class is created once instead of at each access."""

    @classmethod
    @cache
    def from_queryset(cls, queryset_class: Any, class_name: str | None = None) -> Any:
        return super().from_queryset(queryset_class, class_name)


class TriggeredHistory(HistoricalRecords):  # type: ignore[misc]  # it has no types
    """The history of a model, written by triggers instead of signals."""

    def __init__(self) -> None:
        super().__init__(
            bases=[Version],
            history_manager=VersionManager,
            history_id_field=models.BigAutoField(),
            history_user_id_field=models.BigIntegerField(null=True),
            no_db_index=UNINDEXED,
        )

    def finalize(self, sender: type[models.Model], **kwargs: Any) -> None:
        super().finalize(sender, **kwargs)
        if self.cls is sender:
            post_save.disconnect(self.post_save, sender=sender)
            post_delete.disconnect(self.post_delete, sender=sender)
            pre_delete.disconnect(self.pre_delete, sender=sender)

    def fields_included(self, model: type[models.Model]) -> "list[models.Field[Any, Any]]":
        return [
            field
            for field in super().fields_included(model)
            if not isinstance(field, FoldedKey) and field.name not in UNVERSIONED
        ]


def models_with_history() -> list[type[models.Model]]:
    every = apps.get_app_config("programme").get_models()
    return [model for model in every if hasattr(model._meta, "simple_history_manager_attribute")]
