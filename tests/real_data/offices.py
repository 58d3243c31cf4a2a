"""Reads sets as the rows of a sheet that the office of that festival would have exported."""

import csv
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, time, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

from openpyxl import load_workbook

from programme.exchange.merge.options import remember_answers
from programme.exchange.readers.sheet.said import list_said
from tests.real_data.schedules import HALF_AN_HOUR, parse_length
from tests.real_data.showings import Showing, fold_place, split_mark


class OfficeRow(NamedTuple):
    """A row: what it shows, with its event's identity, and what else a sheet says of it."""

    showing: Showing
    organizer: str = ""
    area: str = ""
    type: str = ""
    intro: str = ""
    coordinates: str = ""


def read_almedalen(path: Path, zone: ZoneInfo) -> Iterator[Showing]:
    """Yield each different row; title and organizer together are an event."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = {tuple(row.items()): row for row in csv.DictReader(file)}
    for row in rows.values():
        start, end = (_in_zone(row[name], zone) for name in ("start", "end"))
        house, _comma, room = row["place"].partition(",")
        yield Showing(row["title"], start, end, house, room, event=(row["title"], row["organiser"]))


def read_almedalen_in_houses(path: Path, zone: ZoneInfo) -> Iterator[Showing]:
    """Yield the rows as their headings alone say them: house and room are one place."""
    for showing in read_almedalen(path, zone):
        place = ", ".join(filter(None, (showing.location, showing.room.strip())))
        yield showing._replace(location=place, room="")


def read_gpn(path: Path, zone: ZoneInfo) -> Iterator[Showing]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            start = _in_zone(f"{row['Date']} {row['Start']}", zone)
            end = start + parse_length(row["Duration"])
            yield Showing(row["Title"], start, end, row["Room"], event=row["ID"])


def read_munich(path: Path, zone: ZoneInfo) -> Iterator[Showing]:
    """Yield the rows below two rows of headings; no column says when they end."""
    for place, day, _weekday, clock, title, _subtitle, _text, identity, *_rest in load_workbook(
        path
    ).active.iter_rows(min_row=3, values_only=True):
        if title:
            start = datetime.combine(day, clock, zone).astimezone(UTC)
            yield Showing(title, start, start + HALF_AN_HOUR, place, event=identity)


def save_munich_columns(source: str) -> None:
    """Store what the columns of that sheet are, as an editor would say it once."""
    fields = {
        "ort": "location", "datum": "day", "uhrzeit": "start", "titel": "title", "untertitel": "intro_sv",
        "beschreibung": "description_sv", "id": "event_id",
    }  # fmt: skip
    said = {f"column:{heading}": field for heading, field in fields.items()}
    remember_answers(source, list_said(said), said)


def read_malmo(path: Path, _zone: ZoneInfo) -> Iterator[OfficeRow]:
    """Yield the acts with their schedules; those that have none too."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    categories: dict[int, list[str]] = defaultdict(list)
    for identity, name in connection.execute(
        "SELECT DISTINCT ActId, Title FROM actstocategories JOIN categories USING (CategoryId) ORDER BY Title"
    ):
        categories[identity].append(name)
    query = """SELECT DISTINCT acts.ActId, acts.Title, scenes.Title, acts.ShortDescription, StartUTC, EndUTC,
                      (Latitude1E6 / 1e6) || ', ' || (Longitude1E6 / 1e6), schedules._id
               FROM acts JOIN scenes USING (SceneId) LEFT JOIN schedules USING (ActId) ORDER BY schedules._id"""
    for identity, title, scene, text, begin, finish, at, _number in connection.execute(query):
        start, end = (_in_zone(each, UTC) if each else None for each in (begin, finish))
        showing = Showing(title, start, end, scene, event=identity)
        yield OfficeRow(showing, "", scene, "; ".join(categories[identity]), text, at)
    connection.close()


def read_pride(path: Path, zone: ZoneInfo) -> Iterator[OfficeRow]:
    """Yield the elements; the source has no times, so each begins ten minutes after the one before."""
    first = datetime(2025, 7, 28, 8, tzinfo=zone).astimezone(UTC)
    for number, element in enumerate(json.loads(path.read_text())):
        start = first + timedelta(minutes=10 * number)
        address = element["address"]
        showing = Showing(
            element["title"], start, start + timedelta(hours=1), address, event=str(element["id"])
        )
        at = f"{element['lat']}, {element['lon']}" if element.get("lat") else ""
        yield OfficeRow(showing, coordinates=at)


def read_ropecon(path: Path, _zone: ZoneInfo) -> Iterator[OfficeRow]:
    """Yield the schedule items; a table in brackets is a room of its hall."""
    for event in json.loads(path.read_text()):
        for item in event["scheduleItems"]:
            stated = (item["startTime"], item["endTime"])
            start, end = (datetime.fromisoformat(each).astimezone(UTC) for each in stated)
            hall, _bracket, table = item["location"].removesuffix(")").partition(" (")
            showing = Showing(event["title"], start, end, hall, table, item["isCancelled"], event["slug"])
            kind = next(iter(event["cachedDimensions"].get("type", [])), "")
            yield OfficeRow(showing, type=kind, intro=event["description"])


def read_emf(path: Path, zone: ZoneInfo) -> Iterator[OfficeRow]:
    for event in json.loads(path.read_text()):
        start, end = (_in_zone(event[name], zone) for name in ("start_date", "end_date"))
        title, cancelled = split_mark(event["title"])
        showing = Showing(title, start, end, event["venue"], "", cancelled, str(event["id"]))
        at = ", ".join(map(str, event["latlon"] or ()))
        yield OfficeRow(showing, event["speaker"] or "", "", event["type"], event["description"], at)


def read_engage(path: Path, _zone: ZoneInfo) -> Iterator[OfficeRow]:
    """Yield the items; those of one title, as it is written, are an event."""
    numbers: dict[str, str] = {}
    for item in ET.parse(path).getroot().iter("item"):
        start, end = (parsedate_to_datetime(item.findtext(f"{{events}}{name}")) for name in ("start", "end"))
        hosts = ", ".join(each.text or "" for each in item.findall("{events}host"))
        stated, place = item.findtext("title"), item.findtext("{events}location") or ""
        title, is_marked = split_mark(stated)
        cancelled = is_marked or item.findtext("{events}status") == "cancelled"
        number = numbers.setdefault(stated, f"E{len(numbers) + 1}")
        yield OfficeRow(Showing(title, start, end, place, "", cancelled, number), hosts)


def locate(rows: Iterable[OfficeRow]) -> dict[str, str]:
    """Return where the places are, by their names."""
    return {fold_place(row.showing.location): row.coordinates for row in rows if row.coordinates}


def _in_zone(text: str, zone: ZoneInfo) -> datetime:
    moment = datetime.fromisoformat(text) if len(text.split()[1]) > 4 else _short(text)
    return moment.replace(tzinfo=zone).astimezone(UTC)


def _short(text: str) -> datetime:
    day, clock = text.split()
    return datetime.combine(datetime.fromisoformat(day), time.fromisoformat(clock.zfill(5)))
