"""The database's statistics of its tables, without which it plans queries of many new rows badly."""

from typing import Any

from django.db import connections


def analyse(using: str = "default") -> None:
    with connections[using].cursor() as cursor:
        cursor.execute("ANALYZE")


def analyse_migrated(using: str, plan: Any = (), **_signal: Any) -> None:
    """Analyse after migrations (a receiver of `post_migrate`)."""
    if plan:
        analyse(using)
