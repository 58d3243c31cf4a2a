"""What databases know of their tables."""

from django.db import connection


def has_statistics(table: str) -> bool:
    """Return whether a table was analysed."""
    sql = {
        "sqlite": "SELECT count(*) FROM sqlite_stat1 WHERE tbl = %s",
        "postgresql": "SELECT count(*) FROM pg_stats WHERE tablename = %s",
    }
    with connection.cursor() as cursor:
        cursor.execute(sql[connection.vendor], [table])
        return cursor.fetchone()[0] > 0


def forget_statistics() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        cursor.execute(f"DELETE FROM {'sqlite_stat1' if connection.vendor == 'sqlite' else 'pg_statistic'}")
