"""What marks the files that this service writes, which its exports write and its readers recognize."""

from datetime import UTC
from uuid import NAMESPACE_URL, UUID, uuid5

from feeds.schedule import CANCELLED_PREFIXES
from programme.models import Event

# Schedules (frab): the generator, the key of the JSON object with the states of the occasions by their
# guids, and the processing instruction that holds one state in XML.
FRAB_GENERATOR = "Festival programme export"
FRAB_STATES = "festival_programme"
FRAB_INSTRUCTION = "festival-programme"
# Calendars: distinguishes exports from feeds and from other calendars.
ICAL_PRODUCER = "-//Festival programme//Export 1//SV"


def split_uid(uid: str) -> tuple[UUID, str]:
    """Return the UUID of an occasion with this UID in calendars, and the UID, '' where it is that UUID."""
    try:
        uuid = UUID(uid)
    except ValueError:
        return uuid5(NAMESPACE_URL, uid), uid
    return uuid, "" if str(uuid) == uid else uid


def remove_cancelled_prefix(title: str) -> str | None:
    """Return a title without the mark of a cancellation, None where it has none."""
    prefixes = CANCELLED_PREFIXES.values()
    return next((title.removeprefix(prefix) for prefix in prefixes if title.startswith(prefix)), None)


def join_room_name(location: str, room: str) -> str:
    """Return the name of a place in a format that only has rooms."""
    return ", ".join(filter(None, (location, room)))


def format_last_modified(event: Event) -> str:
    """Return when an event was last modified, as exported sheets state it."""
    return event.last_modified.astimezone(UTC).isoformat(timespec="microseconds")
