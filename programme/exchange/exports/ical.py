"""iCalendar (RFC 5545): one VEVENT per occasion, with what the import needs to recognize it.

What the format has no property for stands in properties of our own (`X-`), which calendars ignore.
Its lines are written as in feeds: the writer of icalendar would not be shorter.
"""

from collections.abc import Iterator

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from feeds.content_lines import escape_text, fold_line, format_instant
from feeds.vocabulary import LanguageCode
from programme.exchange.exports.export import ExportFormat
from programme.exchange.exports.selection import ExportPlace, ExportRow, select_occasions
from programme.exchange.own_format import ICAL_PRODUCER
from programme.models import Event, Status

_EMPTY = ("BEGIN:VFREEBUSY", "UID:nothing", "DTSTAMP:20200101T000000Z", "END:VFREEBUSY")
_PARAMETER = str.maketrans({"^": "^^", '"': "^'", "\n": "^n"})


class ICalendarExport(ExportFormat):
    name = "ical"
    label = "iCalendar"
    purpose = gettext_lazy("For calendars such as Outlook and Google Calendar.")
    extension = "ics"
    media_type = "text/calendar; charset=utf-8"

    def stream(self, events: QuerySet[Event], language: LanguageCode = "sv") -> Iterator[bytes]:
        selection = select_occasions(events, language)
        head = (
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            f"PRODID:{ICAL_PRODUCER}",
            f"NAME:{escape_text(selection.name)}",
            f"X-WR-CALNAME:{escape_text(selection.name)}",
            f"X-WR-TIMEZONE:{selection.time.zone_name}",
        )
        # A calendar must hold at least one component (RFC 5545, section 3.6).
        components = (line for row in selection.rows for line in _event(row)) if selection.rows else _EMPTY
        yield b"".join(map(fold_line, (*head, *components, "END:VCALENDAR")))


def _event(row: ExportRow) -> Iterator[str]:
    event, occasion = row.event, row.occasion
    yield "BEGIN:VEVENT"
    yield f"UID:{escape_text(occasion.uid or str(occasion.uuid))}"
    yield f"DTSTAMP:{format_instant(event.last_modified)}"
    yield f"DTSTART:{format_instant(occasion.start)}"
    yield f"DTEND:{format_instant(occasion.end)}"
    yield f"SUMMARY:{escape_text(event.title)}"
    if text := "\n\n".join(filter(None, (row.intro, row.description))):
        yield f"DESCRIPTION;LANGUAGE={row.language}:{escape_text(text)}"
        yield f"X-INTRO;LANGUAGE={row.language}:{escape_text(row.intro)}"
    yield from _places(row)
    yield f"CATEGORIES:{escape_text(event.type.name_sv)}"
    if event.organizer:
        # An address is demanded, and the programme has none.
        yield f"ORGANIZER;CN={quote_parameter(event.organizer.name)}:urn:x-organizer:{event.organizer_id}"
    if event.external_url:
        yield f"URL:{event.external_url}"
    if event.image_url:
        yield f"IMAGE;VALUE=URI:{event.image_url}"
    yield f"STATUS:{_status(row)}"
    if row.cancelled:
        scopes = {"EVENT": event.cancelled, "OCCASION": occasion.cancelled}
        yield f"X-CANCELLED:{','.join(scope for scope, cancelled in scopes.items() if cancelled)}"
    if event.status == Status.DRAFT:
        yield "X-STATUS:DRAFT"
    yield f"X-EVENT:{event.pk}"
    yield f"X-AREA:{escape_text(event.area.name)}"
    if event.sub_area:
        yield f"X-SUB-AREA:{escape_text(event.sub_area.name)}"
    yield f"X-LAST-MODIFIED:{event.last_modified.isoformat(timespec='microseconds')}"
    yield "END:VEVENT"


def _places(row: ExportRow) -> Iterator[str]:
    if row.place.location:
        yield _place("LOCATION", row.place, ";X-OWN=TRUE" if row.own_place else "")
    if row.own_place and row.event_place.location:
        yield _place("X-EVENT-LOCATION", row.event_place)


def _place(name: str, place: ExportPlace, parameters: str = "") -> str:
    """Return a line that people read, whose parameter shows where the name of the room begins."""
    room = f";X-ROOM={quote_parameter(place.room)}" if place.room else ""
    line = ", ".join(filter(None, (place.location, place.room)))
    text = "\n".join(filter(None, (line, place.address)))
    return f"{name}{room}{parameters}:{escape_text(text)}"


def _status(row: ExportRow) -> str:
    if row.cancelled:
        return "CANCELLED"
    return "TENTATIVE" if row.event.status == Status.DRAFT else "CONFIRMED"


def quote_parameter(text: str) -> str:
    """Return a text as the value of a parameter (RFC 6868)."""
    return f'"{text.translate(_PARAMETER)}"'
