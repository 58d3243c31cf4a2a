"""The festival, areas and locations in the back office; duplicate names are reported beside the name."""

import pytest
from django.test import Client

from feeds.vocabulary import Terms
from programme.models import Area, EventType, Festival, Language, Location, Organizer, SubArea
from programme.publishing import loading
from tests.programme.backoffice.admin.addresses import AREAS
from tests.programme.backoffice.requests import list_errors, parse, row_fields, send, submission, submit_new


def test_festival_list_leads_to_the_form_of_its_only_row(office):
    first = office.get("/admin/programme/festival/", follow=True)
    assert first.redirect_chain == [("/admin/programme/festival/add/", 302)]
    saved = office.post(
        "/admin/programme/festival/add/",
        submission(first) | {"name_sv": "Kulturnatten", "website": "www.kulturnatten.example"},
        follow=True,
    )
    assert [address for address, _status in saved.redirect_chain] == [
        "/admin/programme/festival/",
        "/admin/programme/festival/1/change/",
    ]
    assert list(Festival.objects.values_list("id", "name_sv", "website")) == [
        (1, "Kulturnatten", "https://www.kulturnatten.example")
    ]


RESERVED = "“none” asks the API for events in no sub area. Choose another name."
DIGITS = "Digits alone are an ID in the API. Add a word to the name."
NO_CODE = "Write it like sv, sgn or pt-BR."


@pytest.fixture
def named(angtorget: Area, biblioteket: Location) -> None:
    """A row of each kind, whose name is taken."""
    SubArea.objects.create(area=angtorget, name="Ängen", full_name="Stora ängen")
    Organizer.objects.create(name="Föreningen Ägg")
    EventType.other()
    Language.objects.create(code="sv-FI", name_sv="Finlandssvenska")


def name(kind: str, typed: dict[str, str]) -> dict[str, str]:
    """Return what is typed of a new row, with what it needs beside."""
    area = str(Area.objects.get(name="Ångtorget").pk)
    return {"subarea": {"area": area}, "language": {"name_sv": "Språket"}}.get(kind, {}) | typed


@pytest.mark.usefixtures("named")
@pytest.mark.parametrize(
    ("kind", "typed", "found"),
    [
        ("area", {"name": "ÅNGTORGET"}, {"name": "Another area has this name."}),
        ("area", {"name": "a\u030angtorget "}, {"name": "Another area has this name."}),
        ("area", {"name": "stora ångtorget"}, {"name": "Another area has this as its full name."}),
        (
            "area",
            {"name": "Parken", "full_name": "STORA ÅNGTORGET"},
            {"full_name": "Another area has this full name."},
        ),
        (
            "area",
            {"name": "Parken", "full_name": "ångtorget"},
            {"full_name": "Another area has this as its name."},
        ),
        ("area", {"name": ""}, {"name": "This field is required."}),
        ("area", {"name": "\u200b"}, {"name": "This field cannot be blank."}),
        ("area", {"name": "x" * 101}, {"name": "Ensure this value has at most 100 characters (it has 101)."}),
        (
            "area",
            {"name": "Parken", "color": "grön"},
            {"color": "Write the colour as # and six digits: #2f6f4e."},
        ),
        (
            "subarea",
            {"name": "STORA ÄNGEN"},
            {"name": "Another sub area of this area has this as its full name."},
        ),
        ("subarea", {"name": "None"}, {"name": RESERVED}),
        ("subarea", {"name": "Ingen", "full_name": "\u200bNONE "}, {"full_name": RESERVED}),
        ("subarea", {"name": "none", "full_name": "None"}, {"name": RESERVED}),
        ("organizer", {"name": "FÖRENINGEN ÄGG"}, {"name": "There is an organizer with this name already."}),
        # Folding makes two letters of one: more than the key's column holds.
        ("organizer", {"name": "ß" * 450}, {"name": "This name is too long."}),
        *(("organizer", {"name": each}, {"name": DIGITS}) for each in ("1984", "007", "\u200b12")),
        ("eventtype", {"name_sv": "ÖVRIGT"}, {"name_sv": "There is an event type with this name already."}),
        ("language", {"code": "SV-fi"}, {"code": "There is a language with this code already."}),
        *(
            ("language", {"code": each}, {"code": NO_CODE})
            for each in ("!!", "s", "x-", "sv_FI", "-sv", "svenska språket", "sv-FI\u0661")
        ),
        (
            "location",
            {"name": "BIBLIOTEKET", "address": " Storgatan 1"},
            {"name": "There is a location with this name and address already."},
        ),
    ],
)
def test_a_name_that_cannot_be_is_refused_beside_it(office, kind, typed, found):
    refused = submit_new(office, kind, **name(kind, typed))
    assert list_errors(refused) == {field: [why] for field, why in found.items()}


@pytest.mark.usefixtures("named")
@pytest.mark.parametrize(
    ("kind", "typed"),
    [
        ("area", {"name": "None"}),
        *(("subarea", {"name": each, "physical": "on"}) for each in ("Nonet", "Stora none")),
        ("location", {"name": "BIBLIOTEKET", "address": "Nygatan 2"}),
        *(("organizer", {"name": each}) for each in ("1984 Bio", "١٩٨٤", "-1")),
        *(("language", {"code": each}) for each in ("sv", "SGN", "zh-Hant-TW", "x-rovar", "x-1")),
    ],
)
def test_a_name_that_may_be_is_added(office, kind, typed):
    assert submit_new(office, kind, **name(kind, typed)).status_code == 302


def test_names_of_one_row_and_of_another_area_are_free(office, angtorget):
    rows = row_fields("sub_areas", 0, sort_order="0", name="None") | {"sub_areas-TOTAL_FORMS": "1"}
    assert list_errors(submit_new(office, "area", name="Parken", **rows)) == {"sub_areas-0-name": [RESERVED]}
    address = f"{AREAS}{angtorget.pk}/change/"
    assert send(office, address, full_name="ÅNGTORGET", color="#2F6F4E").status_code == 302
    assert list(Area.objects.values_list("full_name", "color")) == [("ÅNGTORGET", "#2f6f4e")]
    SubArea.objects.create(area=angtorget, name="Ängen")
    park = Area.objects.create(name="Parken")
    assert submit_new(office, "subarea", area=park.pk, physical="on", name="ÄNGEN").status_code == 302


def test_the_rows_of_sub_areas_lead_to_their_own_forms(office, angtorget):
    stage = SubArea.objects.create(area=angtorget, name="Scenen")
    [link] = parse(office.get(f"{AREAS}{angtorget.pk}/change/")).select("#sub_areas-group a.inlinechangelink")
    assert link["href"] == f"/admin/programme/subarea/{stage.pk}/change/"


def test_organizer_that_came_with_digits_for_a_name_can_be_edited(office):
    address = f"/admin/programme/organizer/{Organizer.objects.create(name='1984').pk}/change/"
    assert send(office, address, offer_count="3").status_code == 302
    assert list(Organizer.objects.values_list("name", "offer_count")) == [("1984", 3)]


@pytest.mark.parametrize(
    ("kind", "rows", "why"),
    [
        ("location", "rooms", "This location already has a room of this name."),
        ("area", "sub_areas", "Another sub area of this area has this name."),
    ],
)
def test_name_that_is_taken_in_a_row_is_refused_beside_it(  # noqa: PLR0917 - one table of cases
    office: Client, angtorget: Area, biblioteket: Location, kind: str, rows: str, why: str
) -> None:
    parent = {"location": biblioteket, "area": angtorget}[kind]
    getattr(parent, rows).create(name="Salen")
    new = {f"{rows}-TOTAL_FORMS": "2", **row_fields(rows, 1, name="SALEN", sort_order="0")}
    refused = send(office, f"/admin/programme/{kind}/{parent.pk}/change/", **new)
    assert list_errors(refused) == {f"{rows}-1-name": [why]}


@pytest.mark.parametrize(("kind", "rows"), [("location", "rooms"), ("area", "sub_areas")])
def test_two_new_rows_of_one_name_are_refused_in_a_new_form_too(office, kind, rows):
    twice = {f"{rows}-TOTAL_FORMS": "2", **row_fields(rows, 0, name="Salen", sort_order="0")}
    twice |= row_fields(rows, 1, name="SALEN", sort_order="0")
    refused = submit_new(office, kind, name="Teatern", **twice)
    assert list_errors(refused) == {f"{rows}-1-name": ["Another row has this name."]}


ADD = "/admin/programme/festival/add/"
TERMS = {
    "license_name": " CC BY 4.0",
    "license_url": "https://creativecommons.org/licenses/by/4.0/",
    "terms_url": "www.kulturnatten.example/data",
    "contact_name": "Kansliet",
    "contact_email": "data@kulturnatten.example",
}
FORM = {"name_sv": "Kulturnatten", "town": "Åsunda", "country": "se", **TERMS}


def test_what_editors_enter_is_loaded_and_stays_in_the_history(admin_client):
    admin_client.post(ADD, FORM)
    festival = loading.load().festival
    assert (festival.town, festival.country) == ("Åsunda", "SE")
    assert festival.terms == Terms(
        license_name="CC BY 4.0",
        license_url="https://creativecommons.org/licenses/by/4.0/",
        terms_url="https://www.kulturnatten.example/data",
        contact_name="Kansliet",
        contact_email="data@kulturnatten.example",
    )
    Festival.objects.update(country="", license_name="CC0")
    versions = Festival.history.order_by("history_id").values_list("license_name", "country", "town")
    assert [*versions] == [("CC BY 4.0", "SE", "Åsunda"), ("CC0", "", "Åsunda")]


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ({"country": "S1"}, "Skriv landet med två bokstäver: SE."),
        ({"contact_email": "kansliet"}, "Ange en giltig mejladress."),
        ({"license_url": "bild.jpg"}, "Skriv hela adressen, som börjar med https://."),
    ],
)
def test_invalid_values_are_reported_at_their_fields(admin_client, typed, refusal):
    page = admin_client.post(ADD, FORM | typed, headers={"Accept-Language": "sv"})
    errors = page.context["adminform"].form.errors
    assert {name: list(each) for name, each in errors.items()} == {next(iter(typed)): [refusal]}
    assert not Festival.objects.exists()
