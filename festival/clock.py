"""The only module that reads the clock; all other code takes an instant as an argument."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the current instant in UTC."""
    return datetime.now(UTC)
