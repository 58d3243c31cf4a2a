"""The kinds of files that the programme can be exported as: a registry of writers."""

from collections.abc import Callable
from typing import NamedTuple

from programme.exports.frab_json import write_json
from programme.exports.frab_xml import write_xml
from programme.exports.ical import write_calendar
from programme.exports.selection import Selection, Wish, select


class Export(NamedTuple):
    """A kind of file: how it is called, the ending of its name, its media type, and what writes it."""

    label: str
    ending: str
    media_type: str
    write: Callable[[Wish], bytes]


def _of_occasions(write: Callable[[Selection], bytes]) -> Callable[[Wish], bytes]:
    return lambda wish: write(select(wish))


EXPORTS = {
    "ical": Export("iCalendar", "ics", "text/calendar; charset=utf-8", _of_occasions(write_calendar)),
    "frab-xml": Export("frab XML", "xml", "application/xml", _of_occasions(write_xml)),
    "frab-json": Export("frab JSON", "json", "application/json", _of_occasions(write_json)),
}
