"""Edits: everything written inside `record` is one edit of the history, with an editor and a reason.

The versions are written by database triggers (`programme/triggers/history.py`).
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from django.db import connection, transaction
from django.db.models import BigIntegerField, Func, QuerySet

from programme.history import news
from programme.models import Edit, Editing, News
from programme.models.telling import Telling

# SQLite has one writer at a time, and its transactions have no numbers.
_TRANSACTION = Func(function="txid_current", output_field=BigIntegerField())


@contextmanager
def record(
    user: Any = None,
    moment: datetime | None = None,
    reason: str = "",
    detail: str = "",
    telling: Telling | None = None,
) -> Iterator[None]:
    """Record everything written inside as one edit, in one transaction.

    `moment` is an aware instant, by default the database's present. `reason` is a message of the catalogue in
    the source language, `detail` a text after it. Inside another edit only its reason and telling are set.
    At the end of the edit its news is written (`programme/history/news.py`).
    """
    with transaction.atomic():
        if set_reason(reason, detail):
            if telling:
                set_telling(telling)
            yield
            return
        Editing.objects.create(
            writer=None if connection.vendor == "sqlite" else _TRANSACTION,
            moment=moment,
            user_id=user and user.pk,
            name=(user and (user.get_full_name() or user.get_username())) or "",
            reason=reason,
            detail=detail,
            telling=telling.dump() if telling else {},
        )
        began = monotonic()
        yield
        write_news(timedelta(seconds=monotonic() - began))
        _current().delete()


def set_reason(reason: str, detail: str = "") -> bool:
    """Set the reason of the current edit; return whether there is one."""
    if not reason:
        return _current().exists()
    found = _current().update(reason=reason, detail=detail)
    if found:
        Edit.objects.filter(pk__in=_current().values("edit")).update(reason=reason, detail=detail)
    return bool(found)


def set_telling(telling: Telling) -> None:
    """Set what the current edit tells readers; create the edit if it only writes a note."""
    _current().update(telling=telling.dump())
    if telling.tells and telling.about:
        begin()


def forget(events: Collection[int], instant: datetime) -> None:
    """Delete all news of events that the current edit withdraws, and announce nothing."""
    news.take_back(News.objects.filter(event_id__in=events), instant)
    set_telling(Telling(forgets=True))


def write_news(taken: timedelta = timedelta()) -> None:
    """Write the news of the current edit so far; `record` does it at the end."""
    news.write_news(_current(), taken)


def begin() -> int:
    """Return the ID of the current edit, which is created even if it writes no versions."""
    return current_edit_id() or news.create_edit(_current())[0]


def current_edit_id() -> int | None:
    """Return the ID of the current edit, None before its first version."""
    return _current().values_list("edit", flat=True).first()


def _current() -> QuerySet[Editing]:
    return Editing.objects.filter(writer=None if connection.vendor == "sqlite" else _TRANSACTION)
