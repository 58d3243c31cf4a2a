"""What exported sheets and the import of them have in common, and the UUIDs of UIDs of calendars."""

from datetime import UTC
from uuid import NAMESPACE_URL, UUID, uuid5

from programme.models import Event


def split_uid(uid: str) -> tuple[UUID, str]:
    """Return the UUID of an occasion with this UID in calendars, and the UID, '' where it is that UUID."""
    try:
        uuid = UUID(uid)
    except ValueError:
        return uuid5(NAMESPACE_URL, uid), uid
    return uuid, "" if str(uuid) == uid else uid


def format_last_modified(event: Event) -> str:
    """Return when an event was last modified, as exported sheets state it."""
    return event.last_modified.astimezone(UTC).isoformat(timespec="microseconds")
