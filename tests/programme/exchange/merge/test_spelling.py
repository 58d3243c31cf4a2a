"""Areas and places that a file may misspell are asked about before they are made."""

import pytest
from bs4 import BeautifulSoup
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


def questions_on(page) -> dict[str, list[str]]:
    """Return the choices of each question; the one that is ticked is marked."""
    found = BeautifulSoup(page.content, "lxml").select(".questions fieldset")
    return {
        each.legend.get_text(strip=True): [
            ("* " if choice.input.has_attr("checked") else "") + choice.get_text(strip=True)
            for choice in each.select("label")
        ]
        for each in found
    }


def answer(client, page, **answers: str):
    address = page.wsgi_request.path
    client.post(f"{address}answers/", {f"answer-{kind}": value for kind, value in answers.items()})
    return read_upload(client, address)


AREA, PLACE = {"area:slottsprken": "Slottsparken"}, {"location:storra torget": "Stora torget"}
NEW = {"area:slottsprken": "Slottsprken", "location:storra torget": "Storra torget"}


def stored() -> list[tuple[str, str, str]]:
    return list(Event.objects.order_by("title").values_list("title", "area__name", "location__name"))


def test_a_misspelt_area_and_a_misspelt_place_are_asked_about(imported):
    page = show_preview(imported, sheet(*RIGHT, WRONG))
    assert questions_on(page) == {
        "Area “Slottsprken” does not exist yet. Did you mean “Slottsparken”?": [
            "Yes: “Slottsparken”",
            "No: add “Slottsprken”",
        ],
        "Location “Storra torget” does not exist yet. Did you mean “Stora torget”?": [
            "Yes: “Stora torget”",
            "No: add “Storra torget”",
        ],
    }
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
    assert [choices[0] for choices in questions_on(again).values()] == [
        "* Yes: “Slottsparken”",
        "* Yes: “Stora torget”",
    ]
    assert apply_and_list_messages(imported, again) == ["Nothing had to be changed."]


def test_an_answer_can_be_changed_later(imported):
    apply_and_list_messages(
        imported, answer(imported, show_preview(imported, sheet(*RIGHT, WRONG)), **AREA, **PLACE)
    )
    page = answer(imported, show_preview(imported, sheet(*RIGHT, WRONG)), **NEW)
    apply_and_list_messages(imported, page)
    assert stored()[3] == ("D", "Slottsprken", "Storra torget")
    assert questions_on(show_preview(imported, sheet(*RIGHT, WRONG))) == {}


def test_another_source_has_answers_of_its_own(imported):
    page = answer(imported, show_preview(imported, sheet(WRONG)), **AREA, **PLACE)
    apply_and_list_messages(imported, page)
    assert len(questions_on(show_preview(imported, sheet(WRONG), source="another"))) == 2


def test_of_two_new_spellings_the_more_frequent_one_is_proposed(client):
    page = show_preview(client, sheet(WRONG, *RIGHT))
    assert list(questions_on(page)) == [
        "Area “Slottsprken” does not exist yet. Did you mean “Slottsparken”?",
        "Location “Storra torget” does not exist yet. Did you mean “Stora torget”?",
    ]
    apply_and_list_messages(client, answer(client, page, **AREA, **PLACE))
    assert stored() == [(title, "Slottsparken", "Stora torget") for title in "ABCD"]


def test_an_occasion_at_the_misspelt_place_of_its_event_has_no_place_of_its_own(imported):
    rows = [*RIGHT, ";;Storra torget;;2026-09-15;19;20", "E;Slottsparken;Storra torget;;2026-09-16;19;20"]
    rows.append(";;Stora torget;;2026-09-17;19;20")
    apply_and_list_messages(imported, answer(imported, show_preview(imported, sheet(*rows)), **PLACE))
    assert Occasion.objects.count() == 6
    assert not Occasion.objects.exclude(location=None).exists()


def test_the_command_is_told_by_an_option(run):
    run(sheet(*RIGHT), "--source", "office", name="a.csv")
    with pytest.raises(CommandError, match="--answer area:slottsprken=Slottsparken: Yes: “Slottsparken”"):
        run(sheet(WRONG), "--source", "office", name="a.csv")
    answers = [f"--answer={key}={value}" for key, value in {**AREA, **PLACE}.items()]
    run(sheet(WRONG), "--source", "office", *answers, name="a.csv")
    assert stored()[3] == ("D", "Slottsparken", "Stora torget")
    run(sheet(WRONG.replace(";20", ";21")), "--source", "office", name="a.csv")
    assert Area.objects.count() == 1


@pytest.mark.parametrize("option", ["--area", "--area-otherwise"])
def test_the_area_of_a_command_may_be_misspelt_too(run, option):
    Area.objects.create(name="Slottsparken")
    with pytest.raises(CommandError, match="Did you mean “Slottsparken”"):
        run(sheet("A;;;;2026-09-12;19;20"), "--source", "office", option, "Slotsparken", name="a.csv")
    assert not Event.objects.exists()


def test_names_that_are_known_are_not_asked_about(imported):
    Area.objects.create(name="Slottspark", full_name="Slottsprken")
    Location.objects.create(name="Storra torget")
    assert questions_on(show_preview(imported, sheet(*RIGHT, WRONG))) == {}


def test_a_row_added_to_an_export_is_asked_about(imported):
    text = imported.get(EXPORT, {"format": "csv", "drafts": "on"}).getvalue().decode("utf-8-sig")
    heading, first, *others = text.splitlines()
    wrong = first.replace("Slottsparken", "Slottsprken")
    changed = "\n".join([heading, wrong, *others]).encode()
    page = show_preview(imported, changed, source="")
    assert len(questions_on(page)) == 1
    apply_and_list_messages(imported, answer(imported, page, **AREA))
    assert Area.objects.count() == 1


def test_an_area_editor_chooses_only_what_she_may_use(imported):
    Area.objects.create(name="Slottspaken")
    imported.force_login(create_user_in_role(Role.AREA_EDITOR, "Slottspaken"))
    page = show_preview(imported, sheet(WRONG))
    assert questions_on(page) == {
        "Area “Slottsprken” does not exist yet. Did you mean “Slottspaken”?": [
            "Yes: “Slottspaken”",
            "No: leave it out, because you may not add “Slottsprken”",
        ],
        "Location “Storra torget” does not exist yet. Did you mean “Stora torget”?": [
            "Yes: “Stora torget”",
            "No: leave it out, because you may not add “Storra torget”",
        ],
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
