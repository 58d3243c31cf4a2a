"""What the names of a file are that nothing has yet: another one's, new, or left out."""

import pytest
from django.core.management import CommandError

from programme.backoffice.roles import Role
from programme.models import Area, Event, Location, Occasion
from tests.programme.backoffice.imports.pages import (
    EXPORT,
    apply_and_list_messages,
    build_sheet,
    create_user_in_role,
    messages_on,
    read_upload,
    refusals_on,
    show_preview,
)
from tests.programme.backoffice.requests import parse

pytestmark = pytest.mark.django_db
HEADINGS = "Titel;Område;Plats;Adress;Datum;Start;Slut"
RIGHT = [f"{title};Slottsparken;Stora torget;;2026-09-1{n};19;20" for n, title in enumerate("ABC")]
WRONG = "D;Slottsprken;Storra torget;;2026-09-14;19;20"


def sheet(*rows: str) -> bytes:
    return build_sheet(*rows, headings=HEADINGS)


@pytest.fixture
def imported(client):
    apply_and_list_messages(client, show_preview(client, sheet(*RIGHT)))
    return client


def names_on(page, *, asked: bool = True) -> dict[str, list[str]]:
    """Return the choices for each name that has to be decided, or has been; the one that holds is marked."""
    found = parse(page).select(".names tbody tr")
    return {
        " ".join(each.th.get_text(" ").split()): [
            ("* " if choice.input.has_attr("checked") else "") + choice.get_text(strip=True)
            for choice in each.select("label")
        ]
        for each in found
        if asked == (each.find_parent("details") is None)
    }


def answer(client, page, *, typed: bool = False, **answers: str):
    address = page.wsgi_request.path
    field = "other" if typed else "answer"
    client.post(f"{address}answers/", {f"{field}-{kind}": value for kind, value in answers.items()})
    return read_upload(client, address)


AREA, PLACE = {"area:slottsprken": "Slottsparken"}, {"location:storra torget": "Stora torget"}
NEW = {"area:slottsprken": "Slottsprken", "location:storra torget": "Storra torget"}


def stored() -> list[tuple[str, str, str]]:
    fields = ("event__title", "event__area__name", "location__name")
    return list(Occasion.objects.order_by("event__title", "start").values_list(*fields))


ASKED = {
    "Slottsprken area, 1 row": ["Slottsparken", "add it"],
    "Storra torget location, 1 row": ["Stora torget", "add it", "leave it out"],
}


def test_a_misspelt_area_and_a_misspelt_place_are_asked_about(imported):
    page = show_preview(imported, sheet(*RIGHT, WRONG))
    assert names_on(page) == ASKED
    refused = imported.post(f"{page.wsgi_request.path}apply/", {"apply": "1"}, follow=True)
    assert messages_on(refused) == ["Answer the questions first: nothing has been imported."]
    assert Event.objects.count() == 3


def test_the_one_that_is_meant_is_taken_and_not_asked_about_again(imported):
    page = answer(imported, show_preview(imported, sheet(*RIGHT, WRONG)), **AREA, **PLACE)
    assert "Made along with them" not in page.content.decode()
    apply_and_list_messages(imported, page)
    assert stored() == [(title, "Slottsparken", "Stora torget") for title in "ABCD"]
    assert (Area.objects.count(), Location.objects.count()) == (1, 1)
    again = show_preview(imported, sheet(*RIGHT, WRONG))
    assert names_on(again) == {}
    decided = [choices[0] for choices in names_on(again, asked=False).values()]
    assert decided == ["* Slottsparken", "* Stora torget"]
    assert apply_and_list_messages(imported, again) == ["Nothing had to be changed."]


def test_an_answer_can_be_changed_later(imported):
    apply_and_list_messages(
        imported, answer(imported, show_preview(imported, sheet(*RIGHT, WRONG)), **AREA, **PLACE)
    )
    page = answer(imported, show_preview(imported, sheet(*RIGHT, WRONG)), **NEW)
    apply_and_list_messages(imported, page)
    assert stored()[3] == ("D", "Slottsprken", "Storra torget")
    again = show_preview(imported, sheet(*RIGHT, WRONG))
    assert names_on(again) == names_on(again, asked=False) == {}


def test_another_source_has_answers_of_its_own(imported):
    page = answer(imported, show_preview(imported, sheet(WRONG)), **AREA, **PLACE)
    apply_and_list_messages(imported, page)
    assert len(names_on(show_preview(imported, sheet(WRONG), source="another"))) == 2


def test_of_two_new_spellings_the_more_frequent_one_is_proposed(client):
    page = show_preview(client, sheet(WRONG, *RIGHT))
    assert names_on(page) == ASKED
    apply_and_list_messages(client, answer(client, page, **AREA, **PLACE))
    assert stored() == [(title, "Slottsparken", "Stora torget") for title in "ABCD"]


def test_what_is_answered_holds_for_every_occasion_at_the_misspelt_place(imported):
    rows = [*RIGHT, "C;;Storra torget;;2026-09-15;19;20", "E;Slottsparken;Storra torget;;2026-09-16;19;20"]
    rows.append("E;;Stora torget;;2026-09-17;19;20")
    apply_and_list_messages(imported, answer(imported, show_preview(imported, sheet(*rows)), **PLACE))
    assert Occasion.objects.count() == 6
    assert not Occasion.objects.exclude(location__name="Stora torget").exists()


@pytest.mark.parametrize("option", ["--area", "--area-otherwise"])
def test_the_area_of_a_command_may_be_misspelt_too(run, option):
    Area.objects.create(name="Slottsparken")
    with pytest.raises(CommandError, match="Did you mean “Slottsparken”"):
        run(sheet("A;;;;2026-09-12;19;20"), "--source", "office", option, "Slotsparken", name="a.csv")
    assert not Event.objects.exists()


def test_names_that_are_known_are_not_asked_about(imported):
    Area.objects.create(name="Slottspark", full_name="Slottsprken")
    Location.objects.create(name="Storra torget")
    assert names_on(show_preview(imported, sheet(*RIGHT, WRONG))) == {}


def test_a_row_added_to_an_export_is_asked_about(imported):
    text = imported.get(EXPORT, {"format": "csv", "drafts": "on", "all": "on"}).getvalue().decode("utf-8-sig")
    heading, first, *others = text.splitlines()
    wrong = first.replace("Slottsparken", "Slottsprken")
    changed = "\n".join([heading, wrong, *others]).encode()
    page = show_preview(imported, changed, source="")
    assert len(names_on(page)) == 1
    apply_and_list_messages(imported, answer(imported, page, **AREA))
    assert Area.objects.count() == 1


def test_an_area_editor_chooses_only_what_she_may_use(imported):
    Area.objects.create(name="Slottspaken")
    imported.force_login(create_user_in_role(Role.AREA_EDITOR, "Slottspaken"))
    page = show_preview(imported, sheet(WRONG))
    no = "leave its events out: you may not add it"
    assert names_on(page) == {
        "Slottsprken area, 1 row": ["Slottspaken", no],
        "Storra torget location, 1 row": ["Stora torget", no, "leave it out"],
    }
    forged = answer(imported, page, **AREA, **PLACE)
    assert "1 question has to be answered before anything is imported." in forged.content.decode()
    left_out = answer(imported, forged, **NEW)
    assert refusals_on(left_out) == [("D", "You may not put events into this area.")]
    apply_and_list_messages(
        imported, answer(imported, left_out, **AREA | {"area:slottsprken": "Slottspaken"}, **PLACE)
    )
    assert Event.objects.get(title="D").area.name == "Slottspaken"
    assert (Area.objects.count(), Location.objects.count()) == (2, 1)


FULL = "Titel;Område;Delområde;Typ;Arrangör;Plats;Lokal;Datum;Start;Slut"
STORED = "A;Parken;Norra gården;Konsert;Kulturskolan Älvhamn;Magasin 3;Salen;2026-09-12;19;20"
OTHER = "B;Parken;Kullen;Konserter;Kulturskolan;Bageriet;;2026-09-13;19;20"
ROOM = "C;Parken;Norra gårdn;Konsrt;Jazzklubben;Magasin 3;Salenn;2026-09-14;19;20"


def full(*rows: str) -> bytes:
    return build_sheet(*rows, headings=FULL)


@pytest.fixture
def stored_names(client):
    apply_and_list_messages(client, show_preview(client, full(STORED)))
    return client


def names_of(title: str) -> tuple[str | None, ...]:
    named = ("area__name", "sub_area__name", "type__name_sv", "organizer__name")
    fields = (*(f"event__{name}" for name in named), "location__name", "room__name")
    return Occasion.objects.values_list(*fields).get(event__title=title)


def test_names_of_all_kinds_are_matched_made_or_left_out(stored_names):
    page = show_preview(stored_names, full(STORED, OTHER, ROOM))
    leave = ["add it", "leave it out"]
    assert names_on(page) == {
        "Parken, Norra gårdn sub area, 1 row": ["Norra gården", *leave],
        "Magasin 3, Salenn room, 1 row": ["Salen", *leave],
        "Kulturskolan organizer, 1 row": ["Kulturskolan Älvhamn", *leave],
        "Konsrt event type, 1 row": ["Konsert", *leave],
    }
    assert names_on(page, asked=False) == {
        "Parken, Kullen sub area, 1 row": ["* add it", "leave it out"],
        "Bageriet location, 1 row": ["* add it", "leave it out"],
        "Jazzklubben organizer, 1 row": ["* add it", "leave it out"],
        "Konserter event type, 1 row": ["* add it", "leave it out"],
    }
    answers = {
        "subarea:parken, norra gårdn": "Norra gården",
        "room:magasin 3, salenn": "-",
        "organizer:kulturskolan": "Kulturskolan Älvhamn",
        "eventtype:konsrt": "-",
        "location:bageriet": "-",
    }
    page = answer(stored_names, page, **answers)
    assert names_on(page) == {}
    apply_and_list_messages(stored_names, page)
    assert names_of("B") == ("Parken", "Kullen", "Konserter", "Kulturskolan Älvhamn", None, None)
    assert names_of("C") == ("Parken", "Norra gården", "Övrigt", "Jazzklubben", "Magasin 3", None)
    assert apply_and_list_messages(stored_names, show_preview(stored_names, full(STORED, OTHER, ROOM))) == [
        "Nothing had to be changed."
    ]


def test_any_existing_name_can_be_typed_and_another_is_refused_beside_it(stored_names):
    Location.objects.create(name="Stadshuset")
    page = show_preview(stored_names, full(STORED, OTHER.replace("Kulturskolan", "Ny")))
    wrong = answer(stored_names, page, typed=True, **{"location:bageriet": "Statshuset"})
    row = parse(wrong).select_one(".names:not(details *) .errorlist")
    assert row.get_text(strip=True) == "There is no “Statshuset” here."
    right = answer(stored_names, wrong, typed=True, **{"location:bageriet": "stadshuset "})
    apply_and_list_messages(stored_names, right)
    assert names_of("B")[4] == "Stadshuset"


def test_a_first_import_asks_nothing_and_lists_all(client):
    rows = [f"T{n};Parken;;Konsert;Grupp {n};Lokal {n};Scen {n};2026-09-12;19;20" for n in range(30)]
    page = show_preview(client, full(*rows))
    assert names_on(page) == {}
    assert len(names_on(page, asked=False)) == 62
    apply_and_list_messages(client, page)
    assert Location.objects.count() == 30


def test_an_area_is_left_out_where_another_is_given_for_the_rest(run):
    Area.objects.create(name="Parken")
    content = build_sheet("A;Okänd;2026-09-12;19;20", headings="Titel;Område;Datum;Start;Slut")
    options = ["--source", "x", "--answer", "area:okänd=-"]
    with pytest.raises(CommandError, match="Area “Okänd” does not exist yet"):
        run(content, *options, name="a.csv")
    run(content, *options, "--area-otherwise", "Parken", name="a.csv")
    assert Event.objects.get().area.name == "Parken"
    assert Area.objects.count() == 1


def test_an_editor_who_may_not_add_a_place_matches_it_or_leaves_it_out(stored_names):
    stored_names.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    page = show_preview(stored_names, full(OTHER.replace("Konserter", "Konsert").replace("Kullen", "")))
    no = "leave its events out: you may not add it"
    places = {"Bageriet location, 1 row": [f"* {no}", "leave it out"]}
    assert names_on(page, asked=False) == places | {"B event, 1 row": ["* it is new"]}
    page = answer(stored_names, page, **{"location:bageriet": "-", "organizer:kulturskolan": "-"})
    assert refusals_on(page) == []
    apply_and_list_messages(stored_names, page)
    assert names_of("B")[3:] == (None, None, None)


@pytest.mark.parametrize("count", [1, 40])
def test_the_names_take_the_same_queries_for_any_number(run, count, django_assert_num_queries):
    run(full(STORED), "--source", "x", name="a.csv")
    rows = [f"T{n};Parken;Del {n};Typ {n};Grupp {n};Lokal {n};;2026-09-12;19;20" for n in range(count)]
    with django_assert_num_queries(24):
        run(full(STORED, *rows), "--source", "x", "--dry-run", name="a.csv")
