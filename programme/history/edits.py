"""Says who edits the programme and why: what is written inside `edit` is one edit of its history.

The versions themselves are written by the database (`programme/triggers/history.py`), whatever writes.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import BigIntegerField, Func, QuerySet

from programme.models import Edit, Editing

# The number of the transaction, which SQLite has none of: it has one writer at a time.
_TRANSACTION = Func(function="txid_current", output_field=BigIntegerField())


@contextmanager
def record(
    user: Any = None, moment: datetime | None = None, reason: str = "", detail: str = ""
) -> Iterator[None]:
    """Make one edit, and one transaction, of all that is written inside.

    `moment` is an aware instant, the database's present if there is none. `reason` is a message of the
    catalogue in the source language, `detail` what is told after it. Inside another edit it is that one's,
    and only the reason is noted.
    """
    with transaction.atomic():
        if set_reason(reason, detail):
            yield
            return
        Editing.objects.create(
            writer=None if connection.vendor == "sqlite" else _TRANSACTION,
            moment=moment,
            user_id=user and user.pk,
            name=(user and (user.get_full_name() or user.get_username())) or "",
            reason=reason,
            detail=detail,
        )
        yield
        _mine().delete()


def set_reason(reason: str, detail: str = "") -> bool:
    """Note why the edit is made that goes on; return whether there is one."""
    if not reason:
        return _mine().exists()
    found = _mine().update(reason=reason, detail=detail)
    if found:
        Edit.objects.filter(pk__in=_mine().values("edit")).update(reason=reason, detail=detail)
    return bool(found)


def current_edit_id() -> int | None:
    """Return the number of the edit that goes on, None before it has changed anything."""
    return _mine().values_list("edit", flat=True).first()


def _mine() -> QuerySet[Editing]:
    """Return the row of this transaction, if it is editing."""
    if connection.vendor == "sqlite":
        return Editing.objects.filter(writer=None)
    return Editing.objects.filter(writer=_TRANSACTION)
