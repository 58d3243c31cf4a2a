"""Versions of a schedule in the frab format: every title says which version it is of, and every duration."""

from pathlib import Path

AREA = "Stora scenen"
ROOMS = 10
# So many events more has each version than the one before.
GROWTH = 3


def title(number: int, version: int) -> str:
    return f"Punkt {number} version {version}"


def count(first: int, version: int) -> int:
    """Return how many events a version has; `first` is how many version 0 has."""
    return first + GROWTH * version


def version(first: int, events: int) -> int:
    """Return which version has so many events; `AssertionError` where none has."""
    found, more = divmod(events - first, GROWTH)
    assert found >= 0
    assert more == 0, f"no version has {events} events"
    return found


def minutes(version: int) -> int:
    """Return how long every occasion takes."""
    return 15 + version % 45


def room(number: int) -> str:
    return f"Sal {number % ROOMS}"


def write(path: Path, day: str, first: int, version: int) -> Path:
    """Write a version to a file: events that begin five minutes apart on one day (`2099-07-29`)."""
    events = "".join(_event(number, day, version) for number in range(count(first, version)))
    conference = f"<conference><acronym>fest</acronym><title>{AREA}</title></conference>"
    rooms = f'<day date="{day}" index="1">{events}</day>'
    path.write_text(f"<schedule>{conference}{rooms}</schedule>")
    return path


def _event(number: int, day: str, version: int) -> str:
    hour, minute = divmod(number * 5 % (12 * 60), 60)
    return (
        f'<room name="{room(number)}"><event id="{number}" guid="punkt-{number}">'
        f"<date>{day}T{8 + hour:02}:{minute:02}:00+02:00</date><duration>00:{minutes(version):02}</duration>"
        f"<title>{title(number, version)}</title><abstract>{'Om programpunkten. ' * 10}</abstract>"
        "<track>Prat</track><language>sv</language></event></room>"
    )
