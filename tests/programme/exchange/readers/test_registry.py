"""The registry of readers: files that none of them can read."""

import io
import zipfile

import pytest
from msgspec import structs

from feeds.festival_time import FestivalTime
from programme.exchange.readers.registry import read
from programme.exchange.values import ImportDefaults, UnreadableFileError
from tests.programme.exchange.readers.ical.calendars import DAYS, JAZZ, calendar
from tests.programme.exchange.schedules import TEA, build_xml

with io.BytesIO() as _packed:
    with zipfile.ZipFile(_packed, "w") as _archive:
        _archive.writestr("a.csv", "Titel;Datum;Start")
    ZIP = _packed.getvalue()
DEFAULTS = ImportDefaults(FestivalTime("Europe/Stockholm"))


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"x", "a.xls", "it is an old Excel file (.xls) or has a password: "
         "save it as a new one (.xlsx) without a password"),
        (b"<html>", "a.xls", "it is an old Excel file (.xls) or has a password: "
         "save it as a new one (.xlsx) without a password"),
        (b'{"a": 1}', "a.json", "it is JSON, but no schedule in the frab format"),
        (b"[1, 2]", "a.json", "it is JSON, but no schedule in the frab format"),
        (b'{"a":\n 1', "a.json", "it is cut off or damaged (line 2)"),
        (b"<a>\n<b>", "a.xml", "it is cut off or damaged (line 2)"),
        (b"PK\x03\x04no", "a.xlsx", "it is cut off or damaged"),
        (ZIP, "a.zip",
         "it is a zip file, but no spreadsheet: unpack it, and import its files one by one"),
        (b'Titel;Datum;Start\nA;2026-09-12;19\n"B;2026-09-12;19\nC;2026-09-12;19\n', "a.csv",
         "row 3: a quotation mark is opened and not closed"),
        (b'Titel;Datum;Start\n"B' + b"x" * 200_000, "a.csv",
         "row 2: a cell is far too long; is a quotation mark opened and not closed?"),
        (b"\x89PNG", "a.png", "it is no file of a kind that can be imported: a spreadsheet (XLSX, ODS, CSV), "
         "iCalendar or frab"),
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_refused_in_plain_words(content, name, message):
    with pytest.raises(UnreadableFileError) as refused:
        read(content, name, DEFAULTS)
    assert str(refused.value) == message


def test_days_of_a_calendar_that_look_wrong_are_named():
    far = ("UID:far", "SUMMARY:Far", "DTSTART:20620130T180000Z", "DTEND:20620130T190000Z")
    known = structs.replace(DEFAULTS, days=DAYS, today=min(DAYS))
    assert [each.what for each in read(calendar(JAZZ), "a.ics", known).contents.problems if each.warns] == []
    [told] = [each for each in read(calendar(JAZZ, far), "a.ics", known).contents.problems if each.warns]
    assert told.what == "dates outside the festival’s days (28 July 2026 – 31 July 2026): Far"


def test_more_occasions_than_the_limit_are_refused(settings):
    settings.IMPORT_ROWS = 0
    with pytest.raises(
        UnreadableFileError, match=r"^it has more than 0 occasions: divide it into several files$"
    ):
        read(build_xml(TEA).encode(), "s.xml", DEFAULTS)
