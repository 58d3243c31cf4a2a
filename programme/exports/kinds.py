"""The kinds of files that the programme can be exported as: a registry of writers."""

from collections.abc import Callable
from typing import NamedTuple

from django.db.models import QuerySet

from feeds.festival_time import FestivalTime
from programme.exports.frab_json import write_json
from programme.exports.frab_xml import write_xml
from programme.exports.ical import write_calendar
from programme.exports.selection import Selection, Wish, events_of, select
from programme.models import Event
from programme.reckoning import reckoning
from programme.schedules.sheets.writing import write_csv, write_xlsx


class Export(NamedTuple):
    """A kind of file: how it is called, the ending of its name, its media type, and what writes it."""

    label: str
    ending: str
    media_type: str
    write: Callable[[Wish], bytes]


def _of_events(write: Callable[[QuerySet[Event], FestivalTime], bytes]) -> Callable[[Wish], bytes]:
    return lambda wish: write(events_of(wish), reckoning())


def _of_occasions(write: Callable[[Selection], bytes]) -> Callable[[Wish], bytes]:
    return lambda wish: write(select(wish))


_WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
EXPORTS = {
    "xlsx": Export("Excel (XLSX)", "xlsx", _WORKBOOK, _of_events(write_xlsx)),
    "csv": Export("CSV", "csv", "text/csv; charset=utf-8", _of_events(write_csv)),
    "ical": Export("iCalendar", "ics", "text/calendar; charset=utf-8", _of_occasions(write_calendar)),
    "frab-xml": Export("frab XML", "xml", "application/xml", _of_occasions(write_xml)),
    "frab-json": Export("frab JSON", "json", "application/json", _of_occasions(write_json)),
}
