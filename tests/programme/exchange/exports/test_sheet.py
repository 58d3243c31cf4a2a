"""Exported sheets are imported again: without a change, or into an empty database."""

import csv
import io
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import pytest
from django.db import connection, models, transaction
from django.utils.translation import override
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from openpyxl import load_workbook

from feeds.columns import COLUMNS, EXPORTED_COLUMNS, PUBLISHED_COLUMNS, USUAL_COLUMNS
from feeds.fact import FactKind
from feeds.facts import facts_of
from feeds.vocabulary import Text
from programme.exchange.exports import rows
from programme.exchange.exports.sheet import EXPORTS, ExportError
from programme.exchange.readers.entries import split_uid
from programme.exchange.readers.registry import build_import_defaults, read
from programme.exchange.readers.sheet.tables import read_tables
from programme.exchange.values import ImportOptions
from programme.history.edits import record
from programme.models import Area, Edit, Event, EventType, Location, News, Occasion
from programme.models.festival_time import festival_time
from tests.conftest import NOW
from tests.programme.exchange.imports import apply_import, current_revision
from tests.programme.exchange.moving.services import empty, fetch, read_uids
from tests.programme.exchange.reports import list_conflicts
from tests.programmes import JAZZ, mark_changed

pytestmark = pytest.mark.usefixtures("sample", "in_english")
SHEETS = ["csv", "xlsx"]
OURS = ImportOptions(source="", area="", title="Övrigt", venue="")
# What the sheet does not have: see docs/importing.md.
ELSEWHERE = {
    "source", "source_id", "image", "published_at", "last_modified", "stream",
    "event", "area", "sub_area", "type", "organizer", "language", "location", "room",
}  # fmt: skip
NAMES = ["area__name", "sub_area__name", "type__name_sv", "organizer__name", "language__code"]
PLACES = [*("location__name", "location__address", "location__latitude", "location__longitude", "room__name")]


def written(kind: str, language: str = "sv", **options: Any) -> bytes:
    with override(language):
        return b"".join(EXPORTS[kind].stream(Event.objects.all(), **options))


def bring_in(content: bytes, kind: str, order: ImportOptions = OURS):
    contents = read(content, f"sheet.{kind}", build_import_defaults()).contents
    assert contents.is_own_export
    return contents, apply_import(contents, order)


def stored(model: type[models.Model], *more: str) -> list[dict]:
    fields = [field.name for field in model._meta.concrete_fields if field.name not in ELSEWHERE]
    return sorted(model.objects.values(*fields, *more), key=str)


def programme() -> tuple[list[dict], list[dict]]:
    return stored(Event, *NAMES), stored(Occasion, "event__title", *PLACES)


def without_moments(content: bytes) -> list[list[str]]:
    """Return the cells of a CSV file but its last columns: which export it is, and when each event was modified."""
    rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), delimiter=";")
    return [row[:-2] for row in rows]


def read_public() -> tuple[list[dict], dict[str, str]]:
    """Return what readers see of the occasions, but for what a sheet does not have, and their UIDs by links."""
    # What begins at once is in the order of areas.
    events = sorted(json.loads(fetch("/api/events.json")), key=lambda event: event["occation"]["id"])
    for event in events:
        for name in ("updated", "changeTimestamp", "lastModified", "imageUrl"):
            del event[name]
        for each in (event["occation"], *event["allOccations"]):
            del each["stream"]
        for name in ("area", "subArea", "type", "organizer"):
            event[name] = event[name] and event[name]["name"]
        event["type"] = event["type"]["sv"]
        event["language"] = event["language"] and event["language"]["code"]
        event["location"] = event["location"] and [
            event["location"][name] for name in ("name", "address", "room")
        ]
    return events, read_uids(fetch("/api/events.ics"))


@pytest.mark.parametrize("kind", SHEETS)
@pytest.mark.parametrize("language", ["sv", "en"])
def test_importing_an_export_changes_nothing(kind, language):
    before = current_revision()
    contents, plan = bring_in(written(kind, language), kind, replace(OURS, instant=NOW))
    assert [problem.what for problem in contents.problems] == ["no date: the event has no occasion yet"]
    stated = len(plan.event_rows), len(plan.occasion_rows)
    assert stated == (Event.objects.count(), Occasion.objects.count())
    assert not plan.writes
    assert current_revision() == before


@pytest.mark.parametrize("kind", SHEETS)
def test_importing_the_usual_columns_which_have_no_addresses_changes_nothing(kind):
    assert Occasion.objects.exclude(location__address="").exists()
    # Without numbers, events with one title are known by their occasions.
    named = Event.objects.values("title", "area_id", "type_id", "organizer_id", "status").get(pk=JAZZ)
    Occasion.objects.create(event=Event.objects.create(**named), start=NOW, end=NOW.replace(hour=23))
    _contents, plan = bring_in(written(kind, columns=USUAL_COLUMNS), kind, replace(OURS, instant=NOW))
    stated = (len(plan.event_rows), len(plan.occasion_rows), plan.writes)
    assert stated == (Event.objects.count(), Occasion.objects.count(), False)


@pytest.mark.parametrize("language", ["sv", "en"])
def test_the_import_reads_the_columns_of_the_csv_for_readers(language):
    content = fetch(f"/api/events.csv?language={language}")
    contents = read(content, "events.csv", build_import_defaults()).contents
    fields = {getattr(column, language): column.field for column in COLUMNS}
    unread = dict.fromkeys((getattr(column, language) for column in PUBLISHED_COLUMNS), "")
    # A text ends in the language that it looks like.
    [sheet] = contents.shown
    columns = {each["heading"]: each["fields"][0] if each["fields"] else "" for each in sheet["columns"]}
    assert all(field.startswith((fields | unread)[heading]) for heading, field in columns.items())
    assert {heading for heading, field in columns.items() if not field} <= {*unread}
    stored = dict(Event.objects.exclude(production=0).values_list("title", "production"))
    stated = {each.title: each.more.get("production") for each in contents.events}
    assert stored
    assert stored.items() <= stated.items()


@pytest.mark.parametrize("kind", SHEETS)
def test_an_export_gives_the_same_programme_elsewhere_and_the_same_export(kind):
    # Of what is new elsewhere readers are told nothing else.
    News.objects.all().delete()
    Occasion.objects.filter(pk=8001).update(
        uuid=split_uid("jazz 1@fest.example")[0], uid="jazz 1@fest.example"
    )
    for location in Location.objects.all():
        location.latitude, location.longitude = location.pk % 90, -location.pk / 100
        location.save()
    content, before = written(kind), (programme(), read_public())
    excepted = without_moments(written("csv"))
    empty()
    bring_in(content, kind)
    assert (programme(), read_public()) == before
    assert without_moments(written("csv")) == excepted
    # What is entered later is numbered from the largest number on.
    last = Occasion.objects.latest("id")
    later = Occasion.objects.create(event=last.event, start=last.start, end=last.end)
    assert later.pk == last.pk + 1


def test_numbers_that_are_not_taken_are_kept():
    content, jazz = written("csv"), set(Occasion.objects.filter(event=JAZZ).values_list("pk", flat=True))
    kept = set(Occasion.objects.exclude(event=JAZZ).values_list("pk", flat=True))
    empty()
    other = Event.objects.create(
        pk=JAZZ,
        title="Another",
        area=Area.objects.create(name="A"),
        type=EventType.objects.create(name_sv="T"),
    )
    Occasion.objects.create(pk=min(jazz), event=other, start=NOW, end=NOW + timedelta(hours=1))
    bring_in(content, "csv")
    found = set(Occasion.objects.exclude(event=other).values_list("pk", flat=True))
    assert found >= kept | jazz - {min(jazz)}
    assert list(other.occasions.values_list("pk", flat=True)) == [min(jazz)]


def test_a_copied_row_is_a_new_occasion_and_takes_no_number():
    lines = written("csv").decode("utf-8-sig").split("\r\n")
    [row] = [line for line in lines if ";8001;" in line]
    day = festival_time().local(Occasion.objects.get(pk=8001).start).date()
    lines.insert(lines.index(row), row.replace(str(day), "2026-08-09"))
    _contents, plan = bring_in("\r\n".join(lines).encode(), "csv")
    assert (len(plan.list_new(Occasion)), plan.kept_ids) == (1, [])


def test_what_is_changed_in_the_sheet_is_changed_here():
    with record():
        Event.objects.filter(pk=JAZZ).update(price="10 kr")
    text = written("csv").decode("utf-8-sig").replace("Jazz", "Swing")
    _contents, plan = bring_in(text.encode(), "csv")
    assert Event.objects.get(pk=JAZZ).title.count("Swing") == 1
    assert plan.conflicts == []
    # The event is newer than the sheet now, but nobody else has edited it.
    _contents, plan = bring_in(text.replace("Swing", "Boogie").encode(), "csv")
    assert plan.conflicts == []
    assert Event.objects.get(pk=JAZZ).title.count("Boogie") == 1


def test_only_a_note_that_was_changed_in_the_sheet_is_told(at):
    at(NOW)
    jazz = Occasion.objects.filter(event=JAZZ)
    mark_changed(jazz.filter(pk=8001), Text("Ny lokal", "New hall"), NOW)
    text = written("csv").decode("utf-8-sig")
    mark_changed(jazz.filter(pk=8001), Text("Ny tid"), NOW + timedelta(hours=1))
    order = replace(OURS, instant=NOW)
    # What was exported is not told again.
    _contents, plan = bring_in(text.encode(), "csv", order)
    assert not plan.writes
    _contents, plan = bring_in(text.replace("Ny lokal", "Nytt hus").encode(), "csv", order)
    assert plan.told == {8001: Text("Nytt hus", "New hall")}


def test_coordinates_follow_the_sheet_unless_they_were_edited_here_since():
    with record():
        Location.objects.filter(pk=5001).update(latitude="57.7", longitude="11.9")
    text = written("csv").decode("utf-8-sig")
    bring_in(text.replace("57.700000", "57.800000").encode(), "csv")
    assert str(Location.objects.get(pk=5001).latitude) == "57.800000"
    Location.objects.filter(pk=5001).update(latitude="57.9")
    bring_in(text.replace("57.700000", "57.600000").encode(), "csv")
    assert str(Location.objects.get(pk=5001).latitude) == "57.900000"


@pytest.fixture
def exported(sample) -> str:
    """A sheet that names an edit; what came later is an edit, too."""
    with record():
        Event.objects.filter(pk=JAZZ).update(price="100 kr")
        Location.objects.filter(pk=5001).update(latitude="57.7", longitude="11.9")
    return written("csv").decode("utf-8-sig")


@pytest.mark.parametrize("kind", SHEETS)
def test_an_old_sheet_does_not_undo_what_another_one_has_brought(kind, exported):
    old = written(kind)
    bring_in(exported.replace("100 kr", "120 kr").replace("57.700000", "57.800000").encode(), "csv")
    _contents, plan = bring_in(old, kind)
    assert Event.objects.get(pk=JAZZ).price == "120 kr"
    assert str(Location.objects.get(pk=5001).latitude) == "57.800000"
    assert [each.repeated for each in plan.conflicts] == [True]
    assert list_conflicts(plan) == [("Price", "120 kr", "100 kr")]
    # What the old sheet itself changes is brought, beside what it does not.
    _contents, plan = bring_in(exported.replace("Jazz", "Swing").encode(), "csv")
    assert list_conflicts(plan) == [("Price", "120 kr", "100 kr")]
    jazz = Event.objects.get(pk=JAZZ)
    assert (jazz.title.count("Swing"), jazz.price) == (1, "120 kr")


def test_who_goes_on_in_an_old_sheet_may_change_a_cell_again_and_nobody_elses(exported):
    for price in ("120 kr", "130 kr"):
        _contents, plan = bring_in(exported.replace("100 kr", price).encode(), "csv")
        assert (plan.conflicts, Event.objects.get(pk=JAZZ).price) == ([], price)
    with record():
        Event.objects.filter(pk=JAZZ).update(price="Edited")
    _contents, plan = bring_in(exported.replace("100 kr", "140 kr").encode(), "csv")
    assert [each.repeated for each in plan.conflicts] == [False]
    assert list_conflicts(plan) == [("Price", "Edited", "140 kr")]
    assert Event.objects.get(pk=JAZZ).price == "Edited"


def test_without_its_versions_what_differs_is_kept(exported):
    bring_in(exported.replace("100 kr", "120 kr").encode(), "csv")
    last = Event.history.filter(id=JAZZ).latest("history_id").history_id
    Event.history.filter(id=JAZZ, history_id__lt=last).delete()
    _contents, plan = bring_in(exported.encode(), "csv")
    assert list_conflicts(plan) == [("Price", "120 kr", "100 kr")]
    assert Event.objects.get(pk=JAZZ).price == "120 kr"


def test_an_edit_of_another_database_is_no_base(exported):
    bring_in(exported.replace("100 kr", "120 kr").encode(), "csv")
    Edit.objects.update(moment=NOW)
    _contents, plan = bring_in(exported.encode(), "csv")
    assert (plan.conflicts, Event.objects.get(pk=JAZZ).price) == ([], "100 kr")


def test_an_occasion_that_was_deleted_here_since_the_export_stays_so():
    text = written("csv")
    Occasion.objects.filter(event=JAZZ).last().delete()
    count = Occasion.objects.count()
    _contents, plan = bring_in(text, "csv")
    assert [each.change.before for each in plan.conflicts] == [None]
    assert Occasion.objects.count() == count


def test_a_row_that_is_added_below_an_event_is_a_new_occasion():
    rows = list(csv.DictReader(io.StringIO(written("csv").decode("utf-8-sig"), newline=""), delimiter=";"))
    row = next(row for row in rows if row["Nr"] == str(JAZZ))
    rows.append(row | {"Datum": "2026-08-09", "Slutdatum": "", "Tillfällets ID": "", "Exportens nr": ""})
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, list(row), delimiter=";")
    writer.writeheader()
    writer.writerows(rows)
    events, occasions = Event.objects.count(), Occasion.objects.filter(event=JAZZ).count()
    for _time in range(2):
        bring_in(stream.getvalue().encode(), "csv")
        assert Event.objects.count() == events
        assert Occasion.objects.filter(event=JAZZ).count() == occasions + 1


def test_numbers_of_another_database_mean_nothing():
    text = written("csv").decode("utf-8-sig")
    Event.objects.filter(pk=JAZZ).delete()
    Occasion.objects.all().delete()
    Event.objects.exclude(title="x").update(title="x")
    bring_in(text.encode(), "csv", OURS)
    assert Event.objects.filter(title="x").count() == 7


def test_a_text_that_no_workbook_can_hold_is_reported():
    Event.objects.filter(pk=JAZZ).update(description_sv="x" * 40_000)
    with pytest.raises(ExportError):
        written("xlsx")
    bring_in(written("csv"), "csv")
    assert len(Event.objects.get(pk=JAZZ).description_sv) == 40_000


@pytest.mark.parametrize(
    ("kind", "chunk", "queries"), [("csv", 1, 27), ("csv", 3, 13), ("csv", 500, 6), ("xlsx", 500, 7)]
)
def test_an_export_reads_some_events_at_a_time(kind, chunk, queries, monkeypatch, django_assert_num_queries):
    """The order of all, and for each chunk of the eight the events and the occasions.

    Before a workbook, the longest text is looked for.
    """
    monkeypatch.setattr(rows, "CHUNK", chunk)
    with django_assert_num_queries(queries):
        written(kind)


@pytest.mark.django_db(transaction=True)
def test_an_edit_in_between_does_not_tear_an_export(sample, monkeypatch):
    monkeypatch.setattr(rows, "CHUNK", 1)
    expected = b"".join(EXPORTS["csv"].stream(Event.objects.all()))
    blocks = EXPORTS["csv"].stream(Event.objects.all())
    # The mark, the heading and the first event.
    begun = b"".join(islice(blocks, 3))
    with ThreadPoolExecutor(1) as pool:
        pool.submit(_edit_all).result()
    assert begun + b"".join(blocks) == expected
    assert b"".join(EXPORTS["csv"].stream(Event.objects.all())) != expected


def _edit_all() -> None:
    try:
        Event.objects.update(title="Edited", price="Edited")
        Occasion.objects.first().delete()
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_an_export_that_nobody_waits_for_ends_its_transaction(sample):
    blocks = EXPORTS["csv"].stream(Event.objects.all())
    next(blocks)
    blocks.close()
    with transaction.atomic():
        Event.objects.filter(pk=JAZZ).update(title="Edited")
    assert Event.objects.get(pk=JAZZ).title == "Edited"


def test_the_workbook_is_laid_out_to_work_in():
    times = Occasion.objects.filter(event=JAZZ).order_by("start", "end", "uuid")
    sheet, jazz = load_workbook(io.BytesIO(written("xlsx"))).active, Event.objects.get(pk=JAZZ)
    rows_of_jazz = [row for row in sheet.iter_rows(min_row=2) if row[1].value == jazz.title]
    columns = {cell.value: cell.column - 1 for cell in sheet[1]}
    assert len(rows_of_jazz) == times.count()
    first = rows_of_jazz[0]
    day, start = first[columns["Datum"]], first[columns["Start"]]
    local = festival_time().local(times[0].start)
    assert (day.value.date(), day.number_format) == (local.date(), "yyyy-mm-dd")
    assert (start.value, start.number_format) == (local.time(), "hh:mm")
    last, modified = first[columns["Senast ändrad"]], festival_time().local(jazz.last_modified)
    assert (last.is_date, last.number_format) == (True, "yyyy-mm-dd hh:mm")
    assert f"{last.value:%Y-%m-%d %H:%M}" == f"{modified:%Y-%m-%d %H:%M}"
    assert f";{modified:%Y-%m-%d %H:%M}\r\n" in written("csv").decode()
    assert {cell.font.bold for cell in sheet[1]} == {True}
    assert {cell.font.bold for cell in first} == {False}
    assert sheet.title == "Program"
    assert (sheet.freeze_panes, sheet.dimensions) == ("C2", sheet.auto_filter.ref)
    assert sheet.dimensions == f"A1:{sheet.cell(1, len(EXPORTED_COLUMNS)).column_letter}{sheet.max_row}"
    assert [sheet.column_dimensions[letter].width for letter in "ABC"] == [13, 40, 13]


def test_texts_that_a_workbook_would_change_come_back_as_they_are():
    texts = {
        "price": "#N/A",
        "image_caption": "1 < 2 & _x0041_",
        "description_sv": "_x000d_\n  två  rader\n_x00",
    }
    Event.objects.filter(pk=JAZZ).update(**texts)
    content = written("xlsx")
    [jazz, *_more] = [
        row.cells for row in read_tables(content)[0].rows if row.cells[1] == Event.objects.get(pk=JAZZ).title
    ]
    fields = [column.field for column in EXPORTED_COLUMNS]
    assert {field: jazz[fields.index(field)] for field in texts} == texts
    cells = [cell for row in load_workbook(io.BytesIO(content)).active.iter_rows() for cell in row]
    # A spreadsheet program reads an error as one unless it is marked as a text.
    assert {cell.data_type for cell in cells if cell.value == "#N/A"} == {"s"}


texts = st.text(st.sampled_from("=+-@'\t\n;,\" aåÖ0.:1ja\u202e😀"), max_size=12)
moments = st.datetimes(datetime(2026, 3, 28), datetime(2026, 10, 27), timezones=st.just(UTC))  # noqa: DTZ001 - given a zone
lengths = st.timedeltas(timedelta(microseconds=1), timedelta(days=80))


def stated_facts(model: str) -> st.SearchStrategy[dict]:
    """Return what a row may state of its facts, as it is stored."""
    ages = st.sampled_from(["", "6-12", "18-", "-5", "7-7", "0-"])
    stated = {
        FactKind.ONE: lambda fact: st.sampled_from(["", *fact.codes]),
        FactKind.SEVERAL: lambda fact: st.sets(st.sampled_from(fact.codes)).map(" ".join),
        FactKind.STATES: lambda fact: st.tuples(
            *(st.sampled_from(["", each.code, f"no-{each.code}"]) for each in fact.values)
        ).map(" ".join),
        FactKind.RANGE: lambda _fact: ages,
    }
    return st.fixed_dictionaries({fact.name: stated[fact.kind](fact) for fact in facts_of(model)})


booking = st.fixed_dictionaries(
    {"booking_url": st.sampled_from(["", "https://a.example/?b=1"]), "booking_from": st.none() | moments}
)


@given(
    texts,
    texts,
    texts,
    stated_facts("event"),
    st.lists(st.tuples(moments, lengths, stated_facts("occasion"), booking, st.booleans()), max_size=3),
    st.sampled_from(["csv", "xlsx"]),
)
# It ends when the clock shows two o'clock for the second time.
@example(
    "",
    "",
    "",
    {},
    [(datetime(2026, 8, 19, 0, 36, tzinfo=UTC), timedelta(days=67, minutes=24), {}, {}, False)],
    "csv",
)
def test_any_texts_and_times_read_back_exactly(  # noqa: PLR0917 - as many as there are kinds of cells
    title, price, description, facts, times, kind
):
    empty()
    area, sort = Area.objects.create(name="=1+1"), EventType.objects.create(name_sv="-")
    event = Event.objects.create(
        title=f"{title}x",
        price=price,
        description_sv=description,
        intro_en=title,
        area=area,
        type=sort,
        **facts,
    )
    hall = Location.objects.create(name="Hall")
    for start, length, own, booked, cancelled in times:
        given = {"cancelled": cancelled, "location": hall if cancelled else None}
        Occasion.objects.create(event=event, start=start, end=start + length, **given, **own, **booked)
    content, before = written(kind), programme()
    excepted, number = without_moments(written("csv")), current_revision()
    bring_in(content, kind)
    assert current_revision() == number
    empty()
    bring_in(content, kind)
    assert (programme(), without_moments(written("csv"))) == (before, excepted)
