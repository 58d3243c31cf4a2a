"""The kinds of files that the programme can be exported as: a registry of writers."""

from collections.abc import Callable
from typing import NamedTuple

from django.db.models import QuerySet

from feeds.festival_time import FestivalTime
from programme.exchange.exports.frab_json import write_json
from programme.exchange.exports.frab_xml import write_xml
from programme.exchange.exports.ical import write_calendar
from programme.exchange.exports.selection import ExportOptions, ExportSelection, events_of, select
from programme.exchange.exports.sheet import write_csv, write_xlsx
from programme.models import Event
from programme.models.festival_time import festival_time


class Export(NamedTuple):
    """A kind of file: how it is called, the ending of its name, its media type, and what writes it."""

    label: str
    ending: str
    media_type: str
    write: Callable[[ExportOptions], bytes]


def _of_events(write: Callable[[QuerySet[Event], FestivalTime], bytes]) -> Callable[[ExportOptions], bytes]:
    return lambda wish: write(events_of(wish), festival_time())


def _of_occasions(write: Callable[[ExportSelection], bytes]) -> Callable[[ExportOptions], bytes]:
    return lambda wish: write(select(wish))


_WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
EXPORTS = {
    "xlsx": Export("Excel (XLSX)", "xlsx", _WORKBOOK, _of_events(write_xlsx)),
    "csv": Export("CSV", "csv", "text/csv; charset=utf-8", _of_events(write_csv)),
    "ical": Export("iCalendar", "ics", "text/calendar; charset=utf-8", _of_occasions(write_calendar)),
    "frab-xml": Export("frab XML", "xml", "application/xml", _of_occasions(write_xml)),
    "frab-json": Export("frab JSON", "json", "application/json", _of_occasions(write_json)),
}
