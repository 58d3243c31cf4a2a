"""A renamed column of a known source is proposed, and read as before when that is confirmed."""

import pytest
from django.core.management import CommandError

from programme.exchange.readers.sheet.mapping import Mapping, Source, save_mapping
from programme.models import Event, Occasion
from tests.programme.backoffice.imports.pages import (
    apply_and_list_messages,
    build_sheet,
    read_upload,
    show_preview,
)
from tests.programme.backoffice.requests import parse
from tests.programme.exchange.workbooks import write_workbook

pytestmark = pytest.mark.django_db
HEADINGS = "Titel;Område;Biograf;Datum;Start;Slut;Färg"
ROWS = ["A;Parken;Lyktan;2026-09-12;19;20;röd", "B;Parken;Spegeln;2026-09-13;19;20;blå"]


def renamed(old: str, new: str) -> bytes:
    return build_sheet(*ROWS, headings=HEADINGS.replace(old, new))


def questions_on(page) -> dict[str, list[str]]:
    found = parse(page).select(".questions fieldset")
    return {
        each.legend.get_text(strip=True): [choice["value"] for choice in each.select("input[checked]")]
        for each in found
    }


def places() -> list[str | None]:
    return list(Occasion.objects.order_by("event__title").values_list("location__name", flat=True))


@pytest.fixture
def imported(client):
    apply_and_list_messages(client, show_preview(client, build_sheet(*ROWS, headings=HEADINGS)))
    return client


def test_a_renamed_heading_is_asked_about_and_remembered(imported):
    page = show_preview(imported, renamed("Biograf", "Bio"))
    text = "“Bio” is not known. Is it “Biograf” (Location)?"
    assert questions_on(page) == {text: []}
    address = page.wsgi_request.path
    assert "1 question has to be answered" in page.content.decode()
    imported.post(f"{address}answers/", {"answer-heading:bio": "Biograf"})
    page = read_upload(imported, address)
    assert questions_on(page) == {text: ["Biograf"]}
    assert apply_and_list_messages(imported, page) == ["Nothing had to be changed."]
    again = show_preview(imported, renamed("Biograf", "Bio"))
    assert questions_on(again) == {text: ["Biograf"]}
    assert "has to be answered" not in again.content.decode()
    assert places() == ["Lyktan", "Spegeln"]


def test_a_heading_renamed_in_several_sheets_is_renamed_in_each(run):
    for heading, place in (("Biograf", "Lyktan"), ("Bio", "Spegeln")):
        rows = [line.replace("Biograf", heading).split(";") for line in (HEADINGS, ROWS[0], ROWS[1])]
        rows = [[*each[:2], place if number else heading, *each[3:]] for number, each in enumerate(rows)]
        content = write_workbook({"Ett": rows[:2], "Två": [each[::-1] for each in rows[::2]]})
        run(content, "--source", "x", "--answer", "heading:bio=Biograf", name="a.xlsx")
        assert places() == [place, place]


def test_another_column_is_left_alone(run):
    run(build_sheet(*ROWS, headings=HEADINGS), "--source", "x", name="a.csv")
    with pytest.raises(CommandError, match="--answer heading:bio=Biograf: Yes: the same column"):
        run(renamed("Biograf", "Bio"), "--source", "x", name="a.csv")
    content = renamed("Biograf", "Bio").replace(b"Lyktan", b"Ny")
    report = run(content, "--source", "x", "--answer", "heading:bio=no", name="a.csv")
    assert "columns that are left alone: Bio, Färg" in report
    run(content, "--source", "x", name="a.csv")
    assert places() == ["Lyktan", "Spegeln"]


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        ("Datum", "Vilken dag", "“Vilken dag” is not known. Is it “Datum” (Date)?"),
        ("Färg", "Kulör", ""),
        ("Biograf", "Visningsplats", ""),
        ("Biograf;Datum", "Bio;Datumet", "“Bio” is not known. Is it “Biograf” (Location)?"),
    ],
)
def test_what_is_asked(imported, old, new, asked):
    assert next(iter(questions_on(show_preview(imported, renamed(old, new)))), "") == asked


def test_another_source_and_cells_that_do_not_fit_are_not_asked_about(imported):
    assert questions_on(show_preview(imported, renamed("Biograf", "Bio"), source="another")) == {}
    rows = [row.replace(";L", f";{'Lång text. ' * 9}").replace(";S", f";{'Text. ' * 20}") for row in ROWS]
    content = build_sheet(*rows, headings=HEADINGS.replace("Biograf", "Anteckning"))
    assert questions_on(show_preview(imported, content)) == {}


def test_the_columns_that_an_editor_has_chosen_stay(run):
    strange = HEADINGS.replace("Titel", "Vad det är").replace("Biograf", "Huset")
    fields = {"title": 0, "area": 1, "location": 2, "day": 3, "start": 4, "end": 5, "price": 6}
    save_mapping(
        "x", Mapping(tuple(strange.split(";")), {name: Source((at,)) for name, at in fields.items()})
    )
    rows = [row.replace("röd", "50 kr").replace("blå", "60 kr") for row in ROWS]
    run(build_sheet(*rows, headings=strange), "--source", "x", name="a.csv")
    moved = build_sheet(*rows, headings=strange.replace("Färg", "Kostar")).replace(b"50 kr", b"70 kr")
    with pytest.raises(CommandError, match="heading:kostar=Färg"):
        run(moved, "--source", "x", name="a.csv")
    run(moved, "--source", "x", "--answer", "heading:kostar=Färg", name="a.csv")
    assert list(Event.objects.order_by("title").values_list("price", flat=True)) == ["70 kr", "60 kr"]


def test_a_misspelt_heading_of_a_new_source_is_asked_about(client):
    page = show_preview(client, renamed("Start", "Startid").replace(b";19;", b";19.00;"))
    assert questions_on(page) == {"“Startid” is not known. Is it “starttid” (Start)?": []}
    assert "19:00–20:00" in page.content.decode()
