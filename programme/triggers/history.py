"""Database triggers that write the programme's history: a version of each row that is written, by any way.

A version that is no other than the one before it is not written. What was written in one go is one
`Edit`, made from what `programme/history/edits.py` has said in `programme_editing`.
"""

from collections.abc import Iterator
from typing import Any

from programme.models.history import models_with_history
from programme.triggers.dialects import Dialect, Trigger

# Kept by the database with a row, and changed by nobody.
SET_ONCE = {"published_at"}

_EDIT = (
    "INSERT INTO programme_edit (moment, user_id, name, reason, detail)"
    " SELECT coalesce(moment, {d.now}), user_id, name, reason, detail FROM programme_editing"
    " WHERE edit_id IS NULL AND {d.mine};"
    " UPDATE programme_editing SET edit_id = (SELECT max(id) FROM programme_edit)"
    " WHERE edit_id IS NULL AND {d.mine};"
)
_VERSION = (
    " INSERT INTO {table} ({columns},"
    " history_date, history_type, history_user_id, history_change_reason, edit_id)"
    " SELECT {values}, coalesce(editing.moment, {d.now}), '{kind}', editing.user_id, editing.reason,"
    " editing.edit_id FROM (SELECT 1) AS one LEFT JOIN programme_editing AS editing ON {d.mine}"
)
# Which of the two rows that a trigger knows is kept, and what the version says of it.
_KINDS = {"INSERT": ("NEW", "+"), "UPDATE": ("NEW", "~"), "DELETE": ("OLD", "-")}


def columns_of(model: Any) -> list[str]:
    """Return the columns of a model that its versions have."""
    return [f'"{field.column}"' for field in model.history.model.tracked_fields]


def history_triggers(dialect: Dialect) -> Iterator[Trigger]:
    """Yield the triggers that write versions."""
    for model in models_with_history():
        columns = columns_of(model)
        for operation, (row, kind) in _KINDS.items():
            version = _VERSION.format(
                d=dialect,
                table=model.history.model._meta.db_table,
                columns=", ".join(columns),
                values=", ".join(f"{row}.{column}" for column in columns),
                kind=kind,
            )
            watched = tuple(column for column in columns if column.strip('"') not in SET_ONCE)
            differs = " OR ".join(
                dialect.differ.format(old=f"OLD.{column}", new=f"NEW.{column}") for column in watched
            )
            yield Trigger(
                f"record_{operation.lower()}",
                model._meta.db_table,
                operation,
                _EDIT.format(d=dialect) + version,
                *((watched, differs) if operation == "UPDATE" else ()),
            )
