"""iCalendar (RFC 5545): one VEVENT per occasion, with what the import needs to know it again.

What the format has no property for stands in properties of our own (`X-`), which calendars pass over.
"""

from collections.abc import Iterator

from feeds.content_lines import escaped, folded, instant
from programme.exports.selection import Place, Row, Selection
from programme.models import Status

# Tells the files that this writes from feeds and from other calendars.
PRODUCER = "-//Festival programme//Export 1//SV"
_NOTHING = ("BEGIN:VFREEBUSY", "UID:nothing", "DTSTAMP:20200101T000000Z", "END:VFREEBUSY")
_PARAMETER = {"^": "^^", '"': "^'", "\n": "^n"}


def write_calendar(selection: Selection) -> bytes:
    """Return a calendar of the occasions."""
    head = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCER}",
        f"NAME:{escaped(selection.name)}",
        f"X-WR-CALNAME:{escaped(selection.name)}",
        f"X-WR-TIMEZONE:{selection.time.zone_name}",
    )
    events = (line for row in selection.rows for line in _event(row))
    # A calendar must hold at least one component (RFC 5545, section 3.6).
    nothing = () if selection.rows else _NOTHING
    return b"".join(map(folded, (*head, *nothing, *events, "END:VCALENDAR")))


def _event(row: Row) -> Iterator[str]:
    event, occasion = row.event, row.occasion
    yield "BEGIN:VEVENT"
    yield f"UID:{occasion.uuid}"
    yield f"DTSTAMP:{instant(event.last_modified)}"
    yield f"DTSTART:{instant(occasion.start)}"
    yield f"DTEND:{instant(occasion.end)}"
    yield f"SUMMARY:{escaped(event.title)}"
    if text := "\n\n".join(filter(None, (row.intro, row.description))):
        yield f"DESCRIPTION;LANGUAGE={row.language}:{escaped(text)}"
        yield f"X-INTRO;LANGUAGE={row.language}:{escaped(row.intro)}"
    yield from _places(row)
    yield f"CATEGORIES:{escaped(event.type.name_sv)}"
    if event.organizer:
        # An address is demanded, and the programme has none.
        yield f"ORGANIZER;CN={quoted(event.organizer.name)}:urn:x-organizer:{event.organizer_id}"
    if event.external_url:
        yield f"URL:{event.external_url}"
    if event.image_url:
        yield f"IMAGE;VALUE=URI:{event.image_url}"
    yield f"STATUS:{_status(row)}"
    if row.cancelled:
        yield f"X-CANCELLED:{','.join(_cancelled(row))}"
    if event.status == Status.DRAFT:
        yield "X-STATUS:DRAFT"
    yield f"X-EVENT:{event.pk}"
    yield f"X-AREA:{escaped(event.area.name)}"
    if event.sub_area:
        yield f"X-SUB-AREA:{escaped(event.sub_area.name)}"
    yield f"X-LAST-MODIFIED:{event.last_modified.isoformat(timespec='microseconds')}"
    yield "END:VEVENT"


def _places(row: Row) -> Iterator[str]:
    if row.place.location:
        yield _place("LOCATION", row.place, ";X-OWN=TRUE" if row.own_place else "")
    if row.own_place and row.event_place.location:
        yield _place("X-EVENT-LOCATION", row.event_place)


def _place(name: str, place: Place, parameters: str = "") -> str:
    """Return a line that people read, whose parameter tells where the name of the room begins."""
    room = f";X-ROOM={quoted(place.room)}" if place.room else ""
    line = ", ".join(filter(None, (place.location, place.room)))
    text = "\n".join(filter(None, (line, place.address)))
    return f"{name}{room}{parameters}:{escaped(text)}"


def _status(row: Row) -> str:
    if row.cancelled:
        return "CANCELLED"
    return "TENTATIVE" if row.event.status == Status.DRAFT else "CONFIRMED"


def _cancelled(row: Row) -> Iterator[str]:
    if row.event.cancelled:
        yield "EVENT"
    if row.occasion.cancelled:
        yield "OCCASION"


def quoted(text: str) -> str:
    """Return a text as the value of a parameter (RFC 6868)."""
    return '"' + "".join(_PARAMETER.get(letter, letter) for letter in text) + '"'
