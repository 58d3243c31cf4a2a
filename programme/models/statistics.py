"""The database's statistics of its tables, without which it chooses slow ways to read many new rows."""

from typing import Any

from django.db import connections


def analyse(using: str = "default") -> None:
    with connections[using].cursor() as cursor:
        cursor.execute("ANALYZE")


def analyse_migrated(using: str, plan: Any = (), **_signal: Any) -> None:
    """Receive the end of `migrate`."""
    if plan:
        analyse(using)
