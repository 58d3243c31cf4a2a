"""Imports a programme, and another year of it, into one service with two editions: each is as its own file has it."""

import csv
import io
from datetime import date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.core.management import CommandError
from django.db import transaction
from django.test import Client, override_settings

from festival.clock import now
from programme import models
from programme.publishing.current import current
from tests.programme.exchange import almedalen
from tests.real_data import offices
from tests.real_data.cases import STOCKHOLM
from tests.real_data.checking import import_file, read_revision, read_stored
from tests.real_data.showings import compare

FILE = "almedalsveckan-2022/events.csv"
FIRST, SECOND = "2022", "2023"
FIRST_DAYS = {FIRST: date(2022, 7, 3), SECOND: date(2023, 7, 2)}
LENGTH, A_YEAR = timedelta(days=4), timedelta(weeks=52)
# Of so many events in the second year one is called otherwise, or left out.
RENAMED, LEFT_OUT = 7, 11
TABLES: tuple[Any, ...] = (
    models.Event,
    models.Occasion,
    models.Area,
    models.Location,
    models.Room,
    models.Organizer,
    models.EventType,
)


class Way(NamedTuple):
    """The IDs of the second year: those of the first, as in a sheet that was copied, or others."""

    name: str
    prefix: str = ""


WAYS = (Way("with the IDs of the first"), Way("with IDs of its own", "9"))


def check_all(folder: Path, only: str) -> tuple[list[str], list[str]]:
    """Return what was imported, in a line for each way, and all that is wrong."""
    lines, faults = [], []
    for way in WAYS if only.casefold() in f"{FILE} editions".casefold() else ():
        name = f"{FILE}, two editions, the second {way.name}"
        try:
            found, wrong = check(folder / FILE, way)
            lines.append(f"{name}: {found}")
        except (CommandError, OSError) as error:
            wrong = [str(error)]
        faults += [f"{name}: {each}" for each in wrong]
    return lines, faults


def make_next_year(content: str, way: Way) -> str:
    """Return a file with the dates of the next year, some other titles, and less."""
    rows = list(csv.DictReader(io.StringIO(content, newline="")))
    events = {event: number for number, event in enumerate(dict.fromkeys(map(_identify, rows)))}
    written = io.StringIO(newline="")
    writer = csv.DictWriter(written, [*rows[0]])
    writer.writeheader()
    for row in rows:
        if (number := events[_identify(row)]) % LEFT_OUT:
            row |= {name: str(datetime.fromisoformat(row[name]) + A_YEAR) for name in ("start", "end")}
            row |= {"id": f"{way.prefix}{row['id']}"}
            writer.writerow(row | ({} if number % RENAMED else {"title": f"{row['title']} – igen"}))
    return written.getvalue()


def _identify(row: dict[str, str]) -> tuple[str, str]:
    return row["title"], row["organiser"]


def check(path: Path, way: Way) -> tuple[str, list[str]]:
    """Import both years, and remove them; return how many occasions they have, and what is wrong."""
    with TemporaryDirectory() as directory, transaction.atomic():
        later = Path(directory, "later.csv")
        later.write_text(make_next_year(path.read_text(encoding="utf-8"), way), encoding="utf-8", newline="")
        try:
            return _import({FIRST: path, SECOND: later})
        finally:
            transaction.set_rollback(True)
            current.clear()


def _import(files: dict[str, Path]) -> tuple[str, list[str]]:
    almedalen.save_columns()
    for slug, day in FIRST_DAYS.items():
        models.Edition.objects.create(
            slug=slug, name_sv=f"Veckan {slug}", first_day=day, last_day=day + LENGTH
        )
    _import_whole(files[FIRST])
    before = {table: read_rows(table) for table in TABLES}
    _import_whole(files[SECOND])
    now_here = {table: read_rows(table) for table in TABLES}
    faults = [
        f"{table.__name__} {key} of the first year is changed"
        for table, rows in before.items()
        for key, row in rows.items()
        if now_here[table].get(key) != row
    ]
    after, found = read_revision(), []
    for slug, path in files.items():
        _import_whole(path)
        keys = fetch_keys(slug)
        stored = (each for each in read_stored() if FIRST_DAYS[slug].year == each.start.year)
        faults += map(str, compare(offices.read_almedalen(path, ZoneInfo(STOCKHOLM)), stored))
        found.append(f"{len(keys)} occasions of {slug}")
        if keys != {key for key, row in read_rows(models.Occasion).items() if f"{row['start'].year}" == slug}:
            faults.append(f"the API answers others for {slug}")
    faults += ["one of the files, imported again, changes something"] * (read_revision() != after)
    return ", ".join(found), faults


def _import_whole(path: Path) -> None:
    import_file(path, STOCKHOLM, "--withdraw-missing", "--overwrite")


def read_rows(table: Any) -> dict[int, dict[str, Any]]:
    return {row["id"]: row for row in table.objects.values()}


def fetch_keys(edition: str) -> set[int]:
    """Return the IDs of the occasions that the API answers for an edition."""
    current.at(now())
    with override_settings(ALLOWED_HOSTS=["*"], FESTIVAL_TIME_ZONE=STOCKHOLM):
        elements = Client().get("/api/events", {"edition": edition}).json()
    return {each["occation"]["id"] for each in elements}
