"""Importing a sheet with the command: the events it becomes, and newer versions of it."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError

from programme.exchange.merge import pipeline
from programme.models import Area, Event, Location, Occasion, Revision, Status
from tests.databases import forget_statistics, has_statistics
from tests.programme.exchange.workbooks import build_book, save

pytestmark = pytest.mark.django_db

Run = Callable[..., str]
HEADINGS = (
    "Titel;Område;Delområde;Plats;Adress;Rum;Datum;Start;Slut;Typ;Arrangör;Språk;Beskrivning;Pris;Framhävt"
)
OPEN = "Öppet hus;Parken;Tältet;Stadshuset;Torget 1;Blå hallen;2026-09-12;19.00;20.30;Visning;Kommunen;Svenska;Kom;Fri entré;ja"
ROWS = [
    OPEN,
    "Öppet hus;;;Stadshuset;Torget 1;Blå hallen;13/9 2026;kl 19;20;;;;;;",
    "Öppet hus;;;Biblioteket;;;14 sep 2026;19:00–21:00;;;;;;;",
]
FIELDS = (
    "source", "title", "status", "area__name", "sub_area__name", "type__name_sv", "organizer__name",
    "language__code", "description_sv", "price", "highlighted",
)  # fmt: skip


def sheet(*rows: str, headings: str = HEADINGS) -> bytes:
    return "\r\n".join([headings, *rows]).encode("cp1252")


def workbook(content: bytes) -> bytes:
    return save(build_book(*(line.split(";") for line in content.decode("cp1252").splitlines())))


@pytest.fixture
def run(run: Run) -> Run:
    return lambda content, *options, name="sheet.csv": run(content, "--source", "office", *options, name=name)


def stored(*fields: str) -> list[tuple]:
    return list(Event.objects.order_by("id").values_list(*fields))


def occasions() -> list[tuple]:
    fields = ("start", "end", "location__name", "room__name")
    return list(Occasion.objects.order_by("start").values_list(*fields))


def held(*fields: str) -> list[tuple]:
    return list(Occasion.objects.order_by("event_id", "start").values_list("event__title", *fields))


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 9, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize("content", [sheet(*ROWS), workbook(sheet(*ROWS))])
def test_a_sheet_becomes_events_with_their_occasions(run, content):
    run(content)
    assert stored(*FIELDS) == [
        ("office", "Öppet hus", Status.PUBLISHED, "Parken", "Tältet", "Visning", "Kommunen", "sv", "Kom",
         "Fri entré", True),
    ]  # fmt: skip
    assert occasions() == [
        (at(12, 17), at(12, 18, 30), "Stadshuset", "Blå hallen"),
        (at(13, 17), at(13, 18), "Stadshuset", "Blå hallen"),
        (at(14, 17), at(14, 19), "Biblioteket", None),
    ]


@pytest.mark.parametrize(("many", "expected"), [(3, True), (30, False)])
def test_tables_are_analysed_after_an_import_of_many_rows(
    run, many, expected, monkeypatch, django_capture_on_commit_callbacks
):
    forget_statistics()
    monkeypatch.setattr(pipeline, "_MANY", many)
    with django_capture_on_commit_callbacks(execute=True):
        run(sheet(*ROWS))
    assert has_statistics("programme_occasion") is expected


def test_importing_again_changes_nothing_whatever_the_kind(run):
    run(sheet(*ROWS))
    before = Revision.objects.values_list("number", "moved_at").get()
    run(workbook(sheet(*ROWS)), name="sheet.xlsx")
    assert Revision.objects.values_list("number", "moved_at").get() == before


def test_a_newer_version_changes_what_it_says_and_nothing_else(run):
    run(sheet(*ROWS))
    known = list(Occasion.objects.values_list("pk", flat=True).order_by("pk"))
    Event.objects.update(intro_sv="Skriven här")
    report = run(sheet(OPEN.replace("19.00", "18.00").replace("Fri entré", "50 kr"), *ROWS[1:]))
    assert stored("price", "intro_sv") == [("50 kr", "Skriven här")]
    assert list(Occasion.objects.values_list("pk", flat=True).order_by("pk")) == known
    assert occasions()[0][0] == at(12, 16)
    assert "price Fri entré → 50 kr" in report


def test_what_cannot_be_read_is_left_out_by_cell_and_stays_here(run):
    run(sheet(*ROWS))
    report = run(sheet(ROWS[0], "Öppet hus;;;;;;igår;19;20;;;;;;", ROWS[2]), "--withdraw-missing")
    assert (
        "  row 3, Datum (“Öppet hus”): left out: “igår” is no date: write it in figures, like 2026-09-12"
        in report
    )
    assert len(occasions()) == 2


def test_places_are_distinguished_by_their_addresses(run):
    rows = [
        "A;Parken;;Torget;Gata 1;;2026-09-12;19;20;;;;;;",
        "B;Parken;;Torget;Gata 2;;2026-09-12;19;20;;;;;;",
    ]
    run(sheet(*rows))
    expected = [("A", "Torget", "Gata 1"), ("B", "Torget", "Gata 2")]
    assert held("location__name", "location__address") == expected
    run(sheet(*rows))
    assert Location.objects.count() == 2


def test_an_address_is_no_reason_for_another_place_where_none_was_known(run):
    Location.objects.create(name="Torget")
    run(sheet("A;Parken;;Torget;Gata 1;;2026-09-12;19;20;;;;;;"))
    assert list(Location.objects.values_list("name", "address")) == [("Torget", "")]


def test_a_new_place_without_an_address_is_for_several_at_once_in_a_file_that_states_addresses(run):
    stage, park = "A;Parken;;{};{};;2026-09-12;19;20;;;;;;", "B;Parken;;{};;;2026-09-12;19;20;;;;;;"
    run(sheet(stage.format("Kajen", ""), park.format("Strand")))
    run(sheet(stage.format("Torget", "Gata 1"), park.format("Udden")))
    expected = {"Kajen": False, "Strand": False, "Torget": False, "Udden": True}
    assert dict(Location.objects.values_list("name", "parallel")) == expected


def test_rooms_are_of_their_locations(run):
    rows = ["A;Parken;;Torget;;Scen;2026-09-12;19;20;;;;;;", "B;Parken;;Hamnen;;Scen;2026-09-12;19;20;;;;;;"]
    run(sheet(*rows))
    run(sheet(*rows))
    assert held("room__location__name", "room__name") == [("A", "Torget", "Scen"), ("B", "Hamnen", "Scen")]


ROOM = "Titel;Område;Plats;Adress;Rum;Datum;Start"
SHARED = [
    "Kör;Parken;Torget;;Scen;2026-09-12;18",
    "Dans;Hamnen;Torget;;Scen;2026-09-12;19",
    "Fest;Parken;;;Scen;2026-09-12;20",
    "Tal;Hamnen;;;Scen;2026-09-12;21",
]
PLACE = ("event__area__name", "location__name", "room__location__name", "room__name")


@pytest.mark.parametrize(
    ("headings", "row"),
    [("Titel;Datum;Start;Rum", "A;2026-09-12;19;Scen"), (ROOM, "A;Parken;;Gatan 1;Scen;2026-09-12;20")],
)
def test_a_room_without_a_place_is_one(run, headings, row):
    run(sheet(row, headings=headings), "--area-otherwise", "Parken")
    assert held(*PLACE) == [("A", "Parken", "Scen", None, None)]
    assert "Changed (" not in run(sheet(row, headings=headings))


def test_a_room_without_a_place_is_the_one_that_others_have_at_theirs(run):
    run(sheet(*SHARED, headings=ROOM))
    assert {each[2:] for each in held(*PLACE)} == {("Torget", "Torget", "Scen")}
    assert "Changed (" not in run(sheet(*SHARED, headings=ROOM))


def test_a_place_and_an_area_may_have_been_renamed_here(run):
    run(sheet(*SHARED[2:], headings=ROOM))
    for model, name in ((Area, "Hamnen"), (Location, "Scen")):
        renamed = model.objects.get(name=name)
        renamed.name = f"Stora {name}"
        renamed.save()
    assert "Changed (" not in run(sheet(*SHARED[2:], headings=ROOM))
    assert Location.objects.count() == 1


def test_a_sheet_without_a_place_invents_none(run):
    run(sheet("A;2026-09-12;19", headings="Titel;Datum;Start"), "--area-otherwise", "Parken")
    assert held("event__area__name", "location__name", "room__name") == [("A", "Parken", None, None)]
    assert Location.objects.count() == 0


def test_a_sheet_without_an_area_is_asked_for_one_where_there_are_several(run):
    run(sheet("A;2026-09-12;19", headings="Titel;Datum;Start"))
    assert Area.objects.count() == 1
    Area.objects.create(name="Hamnen")
    with pytest.raises(CommandError, match="does not say in which area"):
        run(sheet("B;2026-09-12;19", headings="Titel;Datum;Start"), "--source", "another")


def test_an_empty_cell_of_the_areas_takes_the_one_asked_for(run):
    rows = ["A;Hamnen;2026-09-12;19", "B;;2026-09-12;19"]
    run(sheet(*rows, headings="Titel;Område;Datum;Start"), "--area-otherwise", "Parken")
    assert dict(Event.objects.values_list("title", "area__name")) == {"A": "Hamnen", "B": "Parken"}


def test_new_areas_come_last(run):
    Area.objects.create(name="Ängen", sort_order=7)
    run(sheet("A;Alfa;2026-09-12;19", headings="Titel;Område;Datum;Start"))
    assert list(Area.objects.values_list("name", flat=True)) == ["Ängen", "Alfa"]


def test_an_area_that_is_asked_for_goes_before_the_sheets(run):
    run(sheet(*ROWS), "--area", "Hamnen")
    assert stored("area__name", "sub_area__name") == [("Hamnen", None)]
    assert list(Area.objects.values_list("name", flat=True)) == ["Hamnen"]
