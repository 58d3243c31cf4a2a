"""Versions of a schedule in the frab format; every title and duration shows its version."""

from pathlib import Path

AREA = "Stora scenen"
ROOMS = 10
# Additional events of each version.
GROWTH = 3


def format_title(number: int, version: int) -> str:
    return f"Punkt {number} version {version}"


def count_events(first: int, version: int) -> int:
    """Return the number of events of a version; version 0 has `first`."""
    return first + GROWTH * version


def find_version(first: int, events: int) -> int:
    """Return the version with so many events; raise `AssertionError` if there is none."""
    found, more = divmod(events - first, GROWTH)
    assert found >= 0
    assert more == 0, f"no version has {events} events"
    return found


def duration_minutes(version: int) -> int:
    """Return the duration of every occasion."""
    return 15 + version % 45


def room_name(number: int) -> str:
    return f"Sal {number % ROOMS}"


def write_schedule(path: Path, day: str, first: int, version: int) -> Path:
    """Write a version to a file: events on one day (`2099-07-29`), five minutes apart."""
    events = "".join(_event(number, day, version) for number in range(count_events(first, version)))
    conference = f"<conference><acronym>fest</acronym><title>{AREA}</title></conference>"
    rooms = f'<day date="{day}" index="1">{events}</day>'
    path.write_text(f"<schedule>{conference}{rooms}</schedule>")
    return path


def _event(number: int, day: str, version: int) -> str:
    hour, minute = divmod(number * 5 % (12 * 60), 60)
    return (
        f'<room name="{room_name(number)}"><event id="{number}" guid="punkt-{number}">'
        f"<date>{day}T{8 + hour:02}:{minute:02}:00+02:00</date><duration>00:{duration_minutes(version):02}</duration>"
        f"<title>{format_title(number, version)}</title><abstract>{'Om programpunkten. ' * 10}</abstract>"
        "<track>Prat</track><language>sv</language></event></room>"
    )
