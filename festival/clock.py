"""The one place that reads the clock; everything else is handed an instant."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the present instant, aware, in UTC."""
    return datetime.now(UTC)
