"""Next year's file changes, moves and withdraws nothing of last year's edition."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.management import call_command

from programme.history import edits
from programme.models import Day, Edition, Event, Occasion
from tests.conftest import NOW
from tests.programme.exchange.imports import current_revision, import_file, report_section
from tests.programme.exchange.readers.ical.calendars import calendar
from tests.programme.exchange.schedules import TEA, build_xml

pytestmark = pytest.mark.django_db

# Three days from a Friday on, 52 weeks apart.
FRIDAYS = {2025: date(2025, 9, 12), 2026: date(2026, 9, 11), 2027: date(2027, 9, 10)}
TITLES = ("Fest", "Konsert", "Teater", "Film")
# One is called otherwise, one is gone, and one is new.
NEXT_TITLES = ("Fest", "Konserten", "Teater", "Dans", "Bio")


def add_edition(year: int, **values: Any) -> Edition:
    days = {"first_day": FRIDAYS[year], "last_day": FRIDAYS[year] + timedelta(days=2)}
    names = {"name_sv": f"Natten {year}", "name_en": f"Night {year}"}
    return Edition.objects.create(slug=str(year), **names, **days | values)


@pytest.fixture
def editions(db: None) -> None:
    for year in (2025, 2026):
        add_edition(year)


def make_sheet(year: int, titles: tuple[str, ...], heading: str = "") -> str:
    """Return events on two days each; events and occasions have the numbers that they have every year."""
    rows = [f"Titel;Område;Plats;Datum;Start;Slut;Intro;{heading}"]
    for number, title in enumerate(titles, 1):
        for day in (0, 1):
            key = {"": "", "Nr": number}.get(heading, number * 10 + day)
            when = FRIDAYS[year] + timedelta(day)
            rows.append(f"{title};Parken;Scen;{when};{16 + number};{17 + number};Om {title} {year};{key}")
    return "\n".join(rows)


def make_schedule(year: int, titles: tuple[str, ...]) -> str:
    shared = {"date": f"{FRIDAYS[year]}T15:00:00+02:00", "abstract": f"Of {year}."}
    numbered = enumerate(titles)
    return build_xml(
        *(TEA | shared | {"id": str(n), "guid": f"g{n}", "title": title} for n, title in numbered)
    )


def make_calendar(year: int, titles: tuple[str, ...]) -> bytes:
    day = f"{FRIDAYS[year]:%Y%m%d}"
    shared = (f"DTSTART:{day}T180000Z", f"DTEND:{day}T190000Z", f"DESCRIPTION:Of {year}.")
    events = ((f"UID:{number}@fest", f"SUMMARY:{title}", *shared) for number, title in enumerate(titles))
    return calendar(*events, head=("X-WR-CALNAME:Fest",))


Make = Callable[[int, tuple[str, ...]], str | bytes]
FILES: dict[str, tuple[str, Make]] = {
    "a sheet": ("x.csv", make_sheet),
    "a sheet with numbers of events": ("x.csv", lambda *file: make_sheet(*file, "Nr")),
    "a sheet with numbers of occasions": ("x.csv", lambda *file: make_sheet(*file, "Tillfällets ID")),
    "a schedule": ("x.xml", make_schedule),
    "a calendar": ("x.ics", make_calendar),
}
WHOLE = ("--source", "office", "--withdraw-missing", "--overwrite")


def rows_of(year: int) -> list[dict[str, Any]]:
    """Return whole rows: the occasions of a year and their events."""
    occasions = Occasion.objects.filter(start__year=year).order_by("id")
    events = Event.objects.filter(pk__in=occasions.values("event")).order_by("id")
    return [*occasions.values(), *events.values()]


def titles_of(year: int) -> list[str]:
    found = Event.objects.filter(occasions__start__year=year, status="published").distinct()
    return sorted(found.values_list("title", flat=True))


@pytest.mark.parametrize("kind", FILES)
def test_each_year_is_as_its_own_files_have_it(run, editions, kind):
    name, make = FILES[kind]
    run(make(2025, TITLES), *WHOLE, name=name)
    last_year = rows_of(2025)
    run(make(2026, NEXT_TITLES), *WHOLE, name=name)
    assert (rows_of(2025), titles_of(2025)) == (last_year, sorted(TITLES))
    assert titles_of(2026) == sorted(NEXT_TITLES)
    # Both again, in any order, are known.
    revision = current_revision()
    run(make(2026, NEXT_TITLES), *WHOLE, name=name)
    run(make(2025, TITLES), *WHOLE, name=name)
    assert current_revision() == revision


@pytest.mark.parametrize("kind", FILES)
def test_a_corrected_file_changes_its_own_year(run, editions, kind):
    name, make = FILES[kind]
    run(make(2025, TITLES), *WHOLE, name=name)
    run(make(2026, NEXT_TITLES), *WHOLE, name=name)
    last_year, before = rows_of(2025), Event.objects.count()
    run(make(2026, NEXT_TITLES[:-1]), *WHOLE, name=name)
    assert (rows_of(2025), titles_of(2026)) == (last_year, sorted(NEXT_TITLES[:-1]))
    this_year = rows_of(2026)
    run(make(2025, TITLES[:2]), *WHOLE, name=name)
    assert (rows_of(2026), titles_of(2025)) == (this_year, ["Fest", "Konsert"])
    assert Event.objects.count() == before


@pytest.mark.parametrize("kind", FILES)
def test_what_was_deleted_of_one_year_is_in_the_other(run, editions, kind):
    name, make = FILES[kind]
    run(make(2025, TITLES), *WHOLE[:2], name=name)
    delete(2025, "Fest")
    run(make(2026, TITLES), *WHOLE[:2], name=name)
    assert titles_of(2026) == sorted(TITLES)
    delete(2026, "Konsert")
    for year in (2025, 2026):
        run(make(year, TITLES), *WHOLE[:2], name=name)
    assert (titles_of(2025), titles_of(2026)) == (["Film", "Konsert", "Teater"], ["Fest", "Film", "Teater"])


def delete(year: int, title: str) -> None:
    with edits.record():
        Event.objects.filter(
            pk__in=Occasion.objects.filter(start__year=year, event__title=title).values("event")
        ).delete()


def test_a_deleted_occasion_with_a_number_of_both_years_stays_deleted(run, editions):
    name, make = FILES["a sheet with numbers of occasions"]
    for year in (2025, 2026):
        run(make(year, TITLES), *WHOLE[:2], name=name)
    gone = Occasion.objects.filter(start__year=2026, event__title="Fest").earliest("start")
    with edits.record():
        gone.delete()
    run(make(2026, TITLES), *WHOLE[:2], name=name)
    assert Occasion.objects.filter(start__year=2026, event__title="Fest").count() == 1


def test_an_event_of_two_years_stays_if_one_of_them_does_not_have_it_any_more(run):
    # Before there were editions.
    run(make_sheet(2025, TITLES) + "\n" + make_sheet(2026, TITLES).partition("\n")[2], *WHOLE, name="x.csv")
    assert Event.objects.count() == len(TITLES)
    for year in (2025, 2026):
        add_edition(year)
    last_year = [*Occasion.objects.filter(start__year=2025).order_by("id").values()]
    run(make_sheet(2026, TITLES[1:]), *WHOLE, name="x.csv")
    assert [*Occasion.objects.filter(start__year=2025).order_by("id").values()] == last_year
    assert (titles_of(2025), titles_of(2026)) == (sorted(TITLES), sorted(TITLES[1:]))


def test_a_wrong_year_withdraws_nothing_of_that_year(run, editions):
    run(make_sheet(2025, TITLES), *WHOLE, name="x.csv")
    report = run(f"{make_sheet(2026, TITLES)}\nGala;Parken;Scen;2025-09-13;21;22;;", *WHOLE, name="x.csv")
    assert titles_of(2025) == sorted([*TITLES, "Gala"])
    assert report_section(report, "No longer in the file") == []


def test_what_moves_by_days_out_of_the_edition_stays_what_it_was(run, editions):
    run(make_sheet(2026, TITLES), *WHOLE, name="x.csv")
    keys = set(Occasion.objects.values_list("pk", flat=True))
    for moved in ("2026-09-02", "2026-09-14"):
        run(make_sheet(2026, TITLES).replace("2026-09-11", moved), *WHOLE, name="x.csv")
        assert set(Occasion.objects.values_list("pk", flat=True)) == keys


def test_years_outside_all_editions_are_apart_too(run):
    add_edition(2027)
    run(make_sheet(2025, TITLES), *WHOLE, name="x.csv")
    last_year = rows_of(2025)
    run(make_sheet(2026, NEXT_TITLES), *WHOLE, name="x.csv")
    assert (rows_of(2025), titles_of(2026)) == (last_year, sorted(NEXT_TITLES))


def test_without_editions_next_years_file_is_a_newer_version(run):
    run(make_sheet(2025, TITLES), *WHOLE, name="x.csv")
    run(make_sheet(2026, TITLES), *WHOLE, name="x.csv")
    assert (titles_of(2025), titles_of(2026)) == ([], sorted(TITLES))
    assert Event.objects.count() == len(TITLES)


ROWS = "Titel;Område;Datum;Start;Slut\nFest;Parken;lör;19;20\nKonsert;Parken;13/9;19;20"


@pytest.mark.parametrize(
    ("options", "days"),
    [
        ((), ["2026-09-12", "2026-09-13"]),
        (("--edition", "2026"), ["2026-09-12", "2026-09-13"]),
        (("--edition", "2025"), ["2025-09-13", "2025-09-13"]),
    ],
)
def test_dates_are_read_as_of_an_edition_by_default_of_the_current_one(run, options, days):
    add_edition(2025)
    add_edition(2026, current_since=NOW)
    run(ROWS, "--source", "office", *options, name="x.csv")
    starts = Occasion.objects.order_by("id").values_list("start", flat=True)
    assert [f"{each:%Y-%m-%d}" for each in starts] == days


def test_the_occasions_of_an_edition_may_be_any_days_of_a_short_one_only(run):
    """Those of a long one are the days that are entered, or unknown as without editions."""
    add_edition(2026, first_day=date(2026, 1, 1), last_day=date(2026, 12, 31))
    whole_year = "Titel;Område;Datum;Start;Slut\nFest;Parken;alla dagar;19;20"
    run(whole_year, "--source", "office", name="x.csv")
    assert Occasion.objects.count() == 0
    for day in (date(2025, 9, 13), date(2026, 9, 11), date(2026, 9, 12)):
        Day.on(day)
    run(whole_year, "--source", "office", name="x.csv")
    assert Occasion.objects.count() == 2


def test_a_sheet_of_last_year_with_new_dates_is_next_year(run, editions, tmp_path):
    run(make_sheet(2025, TITLES), *WHOLE, name="x.csv")
    last_year, sheet = rows_of(2025), tmp_path / "sheet.csv"
    call_command("export", str(sheet), "--edition", "2025")
    exported = sheet.read_text("utf-8-sig")
    for day in range(3):
        old, new = (str(FRIDAYS[year] + timedelta(day)) for year in (2025, 2026))
        exported = exported.replace(f";{old};", f";{new};")
    for _time in range(2):
        run(exported, name="x.csv")
        assert (rows_of(2025), titles_of(2026)) == (last_year, sorted(TITLES))
        assert len(rows_of(2026)) == len(last_year)


def test_a_sheet_of_all_editions_changes_nothing(run, editions, tmp_path):
    for year in (2025, 2026):
        run(make_sheet(year, TITLES), *WHOLE, name="x.csv")
    sheet, revision = tmp_path / "sheet.csv", current_revision()
    call_command("export", str(sheet))
    run(sheet.read_bytes(), name="x.csv")
    assert current_revision() == revision


def test_a_file_of_two_editions_is_as_two_files(tmp_path, editions: None) -> None:
    # With one text for both; whether others are of several events is asked.
    apart = {year: make_sheet(year, TITLES).replace(f" {year};", ";") for year in (2025, 2026)}
    for year, sheet in apart.items():
        (tmp_path / f"{year}.csv").write_text(sheet)
        import_file(tmp_path / f"{year}.csv", *WHOLE)
    before = {year: rows_of(year) for year in apart}
    assert Event.objects.count() == 2 * len(TITLES)
    (heading, *first), (_heading, *second) = (sheet.split("\n") for sheet in apart.values())
    (tmp_path / "both.csv").write_text("\n".join([heading, *first, *second]))
    revision = current_revision()
    import_file(tmp_path / "both.csv", *WHOLE)
    assert current_revision() == revision
    assert {year: rows_of(year) for year in apart} == before
    Event.objects.all().delete()
    import_file(tmp_path / "both.csv", "--source", "another")
    assert Event.objects.count() == 2 * len(TITLES)


def test_an_event_of_two_editions_that_is_stored_stays_one(tmp_path, db: None) -> None:
    heading, *first = make_sheet(2025, TITLES[:1]).split("\n")
    (tmp_path / "both.csv").write_text(
        "\n".join([heading, *first, *make_sheet(2026, TITLES[:1]).split("\n")[1:]])
    )
    import_file(tmp_path / "both.csv", *WHOLE)
    assert Event.objects.count() == 1
    for year in (2025, 2026):
        add_edition(year)
    revision = current_revision()
    import_file(tmp_path / "both.csv", *WHOLE)
    assert current_revision() == revision
