"""Row triggers that write a version of each written row.

A version equal to the one before is not written. A transaction is one `Edit`, created from the `Editing` that
`programme/history/edits.py` has inserted.
"""

from collections.abc import Iterator
from typing import Any

from programme.models import Edit, Editing
from programme.models.history import SET_ONCE, models_with_history
from programme.triggers.dialects import Dialect, Trigger

_EDIT = (
    "INSERT INTO {edit} (moment, user_id, name, reason, detail)"
    " SELECT coalesce(moment, {now}), user_id, name, reason, detail FROM {editing}"
    " WHERE edit_id IS NULL AND {own_editing};"
    " UPDATE {editing} SET edit_id = (SELECT max(id) FROM {edit})"
    " WHERE edit_id IS NULL AND {own_editing};"
)
_VERSION = (
    " INSERT INTO {versions} ({columns},"
    " history_date, history_type, history_user_id, history_change_reason, edit_id)"
    " SELECT {values}, coalesce(editing.moment, {now}), '{kind}', editing.user_id, editing.reason,"
    " editing.edit_id FROM (SELECT 1) AS one LEFT JOIN {editing} AS editing ON {own_editing}"
)
# The row of a trigger that becomes the version, and the kind of the version.
_KINDS = {"INSERT": ("NEW", "+"), "UPDATE": ("NEW", "~"), "DELETE": ("OLD", "-")}


def history_triggers(dialect: Dialect) -> Iterator[Trigger]:
    for model in models_with_history():
        for operation in _KINDS:
            yield _history_trigger(model, operation, dialect)


def _history_trigger(model: Any, operation: str, dialect: Dialect) -> Trigger:
    fields, versions = model.history.model.tracked_fields, model.history.model._meta.db_table
    row, kind = _KINDS[operation]
    values = {field.column: f'{row}."{field.column}"' for field in fields}
    body = (_EDIT + _VERSION).format(
        now=dialect.now,
        own_editing=dialect.own_editing,
        edit=Edit._meta.db_table,
        editing=Editing._meta.db_table,
        versions=versions,
        columns=", ".join(f'"{column}"' for column in values),
        values=", ".join(values.values()),
        kind=kind,
    )
    watched = fields if operation == "UPDATE" else ()
    columns = tuple(f'"{field.column}"' for field in watched if field.name not in SET_ONCE)
    differs = " OR ".join(dialect.differ.format(old=f"OLD.{each}", new=f"NEW.{each}") for each in columns)
    return Trigger(f"record_{operation.lower()}", model._meta.db_table, operation, body, columns, differs)
