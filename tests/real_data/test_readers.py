"""The readers of `make real-data` read made samples as their formats say."""

import json
import sqlite3
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from openpyxl import Workbook

from tests.real_data import calendars, offices, schedules
from tests.real_data.showings import Counts, Showing

STOCKHOLM = ZoneInfo("Europe/Stockholm")


def at(day: int, hour: int, minute: int = 0) -> datetime:
    """Return an instant in July 2026."""
    return datetime(2026, 7, day, hour, minute, tzinfo=UTC)


def write(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, newline="")
    return path


def test_frab_xml(tmp_path: Path):
    path = write(
        tmp_path,
        "schedule.xml",
        """<schedule><conference><title>Dagarna</title><day_change>05:00:00</day_change></conference>
        <day date="2026-07-28"><room name="Salen">
        <event guid="a"><title>[CANCELLED] Natt</title><start>01:30</start><duration>0:45</duration></event>
        <event id="7"><date>2026-07-28T10:00:00+02:00</date><title>Tält</title><duration>1:12:00</duration></event>
        <event id="8"><date>2026-07-28T10:00:00+02:00</date><title>Kort</title><duration>00:00</duration></event>
        </room></day></schedule>""",
    )
    assert list(schedules.read_frab_xml(path, STOCKHOLM)) == [
        Showing("Natt", at(28, 23, 30), at(29, 0, 15), "Dagarna", "Salen", True, "a"),
        Showing("Tält", at(28, 8), at(29, 20), "Dagarna", "Salen", False, "7"),
        Showing("Kort", at(28, 8), at(28, 8, 30), "Dagarna", "Salen", False, "8"),
    ]


def test_frab_json_in_both_versions(tmp_path: Path):
    event = {"guid": "a", "title": "Yoga", "date": "2026-07-28T10:00:00", "duration": "01:30"}
    days = [{"date": "2026-07-28", "rooms": {"Salen": [event]}}]
    conference = {"title": "Dagarna", "venue": "Parken", "days": days}
    path = write(tmp_path, "1.json", json.dumps({"schedule": {"conference": conference}}))
    yoga = Showing("Yoga", at(28, 8), at(28, 9, 30), "Parken", "Salen", False, "a")
    assert list(schedules.read_frab_json(path, STOCKHOLM)) == [yoga]
    event |= {"start": "2026-07-28T08:00:00+00:00", "end": "2026-07-28T09:30:00Z", "room": {"name": "Salen"}}
    flat = {"conference": {"title": "Parken", "rooms": [1, 2, 3], "days": [1, 2]}, "events": [event]}
    path = write(tmp_path, "2.json", json.dumps({"schedule": flat}))
    assert list(schedules.read_frab_version_2(path, STOCKHOLM)) == [yoga]
    assert schedules.count_version_2(path) == Counts(1, 1, 3, 2)


def test_linked_events(tmp_path: Path):
    place = {"@id": "p", "name": {"fi": "Puisto", "sv": "Parken"}}
    times = {"start_time": "2026-07-28T08:00:00Z", "end_time": "2026-07-28T09:00:00Z"}
    event = {"id": "a", "name": {"fi": "Jooga"}, "location": {"@id": "p"}, **times}
    later = {**event, "id": "b", "location": {"@id": "x:internet/"}, "start_time": None, "end_time": None}
    write(tmp_path, "events.json", json.dumps({"data": [event, later]}))
    write(tmp_path, "places.json", json.dumps({"data": [place]}))
    assert list(schedules.read_linked_events(tmp_path, STOCKHOLM)) == [
        Showing("Jooga", at(28, 8), at(28, 9), "Parken", event="a"),
        Showing("Jooga", None, None, "Internet", event="b"),
    ]


CALENDAR = r"""BEGIN:VCALENDAR
X-WR-TIMEZONE:Europe/London
BEGIN:VTIMEZONE
TZID:x
END:VTIMEZONE
BEGIN:VEVENT
UID:series
SUMMARY:Yoga\, ute
 \; sommar
DTSTART;TZID="Pacific Standard Time":20260701T000000
DTEND;TZID="Pacific Standard Time":20260701T010000
RRULE:FREQ=DAILY;UNTIL=20260704T070000Z
EXDATE;TZID=Pacific Standard Time:20260702T000000
LOCATION:Parken\nGatan 1
END:VEVENT
BEGIN:VEVENT
UID:series
RECURRENCE-ID;TZID="Pacific Standard Time":20260703T000000
SUMMARY:Yoga
DTSTART:20260703T120000
STATUS:CANCELLED
END:VEVENT
BEGIN:VEVENT
SUMMARY:Marknad
DTSTART;VALUE=DATE:20260704
END:VEVENT
BEGIN:VEVENT
SUMMARY:Sommar
DTSTART:Next Year
END:VEVENT
END:VCALENDAR
"""


def test_a_calendar(tmp_path: Path):
    path = write(tmp_path, "calendar.ics", CALENDAR.replace("\n", "\r\n"))
    series, moved = ("series", "Yoga, ute; sommar"), ("series", "Yoga")
    market = Showing("Marknad", at(3, 22), at(4, 22), event=("Marknad", "Marknad"))
    changed = Showing("Yoga", at(3, 11), at(3, 11, 30), cancelled=True, event=moved)
    assert list(calendars.read_calendar(path, STOCKHOLM)) == [
        Showing("Yoga, ute; sommar", at(1, 7), at(1, 8), "Parken", event=series),
        Showing("Yoga, ute; sommar", at(4, 7), at(4, 8), "Parken", event=series),
        changed,
        market,
    ]
    days = (date(2026, 7, 2), date(2026, 7, 3))
    assert list(calendars.read_calendar(path, STOCKHOLM, days)) == [changed, market]
    assert calendars.count_components(path) == Counts(3, 4, 2, None)


def test_sheets_of_others(tmp_path: Path):
    almedalen = write(
        tmp_path,
        "events.csv",
        "title,organiser,start,end,place\n"
        + 'Tal,Laget,2026-07-28 10:00:00,2026-07-29 01:00:00,"Gatan 1, H10"\n' * 2,
    )
    assert list(offices.read_almedalen(almedalen, STOCKHOLM)) == [
        Showing("Tal", at(28, 8), at(28, 23), "Gatan 1", " H10", event=("Tal", "Laget"))
    ]
    gpn = write(tmp_path, "gpn.csv", "Room,Date,Start,Duration,Title,ID\nSalen,2026-07-28,9:00,1:30,Tal,1\n")
    assert list(offices.read_gpn(gpn, STOCKHOLM)) == [
        Showing("Tal", at(28, 7), at(28, 8, 30), "Festivalen", "Salen", event="1")
    ]
    book = Workbook()
    day = datetime.fromisoformat("2026-07-28")
    for row in (["Dagarna"], ["Ort"], ["Salen", day, "", day.replace(hour=9).time(), "Tal", "", "", 7]):
        book.active.append(row)
    book.save(tmp_path / "munich.xlsx")
    assert list(offices.read_munich(tmp_path / "munich.xlsx", STOCKHOLM)) == [
        Showing("Tal", at(28, 7), at(28, 7, 30), "Salen", event=7)
    ]


def test_what_offices_would_export(tmp_path: Path):
    connection = sqlite3.connect(tmp_path / "acts.sqlite")
    connection.executescript(
        """CREATE TABLE acts (ActId, Title, SceneId, ShortDescription);
        CREATE TABLE scenes (SceneId, Title);
        CREATE TABLE schedules (_id, ActId, StartUTC, EndUTC);
        CREATE TABLE categories (CategoryId, Title);
        CREATE TABLE actstocategories (CategoryId, ActId);
        INSERT INTO acts VALUES ('a', 'Tal', 's', 'Kort'), ('a', 'Tal', 's', 'Kort'), ('b', 'Utan tid', 's', '');
        INSERT INTO scenes VALUES ('s', 'Torget');
        INSERT INTO schedules VALUES (1, 'a', '2026-07-28 08:00:00', '2026-07-28 09:00:00');"""
    )
    connection.close()
    acts = [row.showing for row in offices.read_malmo(tmp_path / "acts.sqlite", STOCKHOLM)]
    assert sorted(acts, key=str) == [
        Showing("Tal", at(28, 8), at(28, 9), "Torget", event="a"),
        Showing("Utan tid", None, None, "Torget", event="b"),
    ]
    times = {"startTime": "2026-07-28T10:00:00+02:00", "endTime": "2026-07-28T09:00:00Z"}
    item = {**times, "location": "Hall 3c (Bord 7)", "isCancelled": True}
    texts = {"slug": "a", "title": "Tal", "description": ""}
    event = {**texts, "cachedDimensions": {}, "scheduleItems": [item]}
    ropecon = write(tmp_path, "ropecon.json", json.dumps([event]))
    assert [row.showing for row in offices.read_ropecon(ropecon, STOCKHOLM)] == [
        Showing("Tal", at(28, 8), at(28, 9), "Hall 3c", "Bord 7", True, "a")
    ]


FEED = """<rss><channel><item><title>Tal (Cancelled)</title><start xmlns="events">Tue, 28 Jul 2026 08:00:00 GMT</start>
<end xmlns="events">Tue, 28 Jul 2026 09:00:00 GMT</end><location xmlns="events">Torget</location>
<status xmlns="events">cancelled</status><host xmlns="events">A</host><host xmlns="events">B</host></item></channel></rss>"""


def test_feeds_and_lists_that_offices_would_export(tmp_path: Path):
    (item,) = offices.read_engage(write(tmp_path, "events.rss", FEED), STOCKHOLM)
    assert item.showing == Showing("Tal", at(28, 8), at(28, 9), "Torget", "", True, "E1")
    assert item.organizer == "A, B"
    times = {"start_date": "2026-07-28 10:00:00", "end_date": "2026-07-28 11:00:00"}
    texts = {"venue": "Torget", "speaker": None, "type": "talk", "description": ""}
    event = {"id": 1, "title": "[CANCELLED] Tal ", **texts}
    (row,) = offices.read_emf(write(tmp_path, "emf.json", json.dumps([event | times])), STOCKHOLM)
    assert row.showing == Showing("Tal", at(28, 8), at(28, 9), "Torget", "", True, "1")
    elements = [{"id": 7, "title": "Tal", "address": ""}, {"id": 7, "title": "Tal", "address": "Gatan 1"}]
    path = write(tmp_path, "pride.json", json.dumps(elements))
    assert [row.showing[2:] for row in offices.read_pride(path, STOCKHOLM)] == [
        (datetime(2025, 7, 28, 7, 0, tzinfo=UTC), "", "", False, "7"),
        (datetime(2025, 7, 28, 7, 10, tzinfo=UTC), "Gatan 1", "", False, "7"),
    ]
