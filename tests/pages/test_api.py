"""The API's page: all that the description has, in both languages, and forms that ask for it."""

from io import BytesIO
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from feeds.facts import BY_NAME
from feeds.formats import FORMATS
from programme import models
from programme.api.openapi.schemas import ALL_DESCRIPTIONS

pytestmark = pytest.mark.usefixtures("lists", "at")

ADDRESSES = {"sv": "/api/docs", "en": "/api/docs?language=en"}
BOTH = pytest.mark.parametrize("address", ADDRESSES.values())


def read(client: Client, address: str) -> BeautifulSoup:
    response = client.get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "text/html; charset=utf-8")
    return BeautifulSoup(response.content.decode(), "lxml")


@BOTH
def test_it_has_every_endpoint_parameter_and_error_of_the_description(client: Client, address: str) -> None:
    described = client.get("/api/schema").json()["paths"]
    page = read(client, address)
    shown: dict[str, Any] = {}
    for section in page.select(".endpoint"):
        names = [each["name"] for each in section.select("form [name]")]
        shown[section.form["data-path"]] = names
        assert [
            each for each in section.select("form [name]") if not page.select(f"#{each['aria-describedby']}")
        ] == []
    assert shown == {
        path: [each["name"] for each in said["parameters"]]
        for path, said in described.items()
        if "." not in path
    }
    statuses = [each.text for each in page.select("section:has(> #errors) dt")]
    assert statuses == ["400", "404", "405", "406", "410", "412", "503"]


@BOTH
def test_it_has_every_field_at_an_anchor_of_its_own(client: Client, address: str) -> None:
    page = read(client, address)
    every = {f"{table}.{name}" for table, fields in ALL_DESCRIPTIONS.items() for name in fields}
    assert {row["id"] for row in page.select("tbody tr[id]")} == every
    anchors = {each["id"] for each in page.select("[id]")}
    assert {link["href"][1:] for link in page.select("a[href^=\\#]")} <= anchors
    cells = [[cell.text.strip() for cell in row.select("td")] for row in page.select("tbody tr[id]")]
    assert [row for row in cells if not row[0] or not row[1]] == []


def test_what_was_added_is_marked(client: Client) -> None:
    page = read(client, "/api/docs?language=en")
    marked = {each.find_previous(["input", "select"])["name"] for each in page.select("form .mark")}
    assert marked == {
        "during",
        "after",
        "location",
        "type",
        "spoken",
        "list",
        "q",
        "signinterpreted",
        "occation",
        "cancelled",
        "limit",
        "texts",
        "offset",
        "page",
        "modified_since",
        *BY_NAME,
    }
    assert [each.code.text for each in page.select(".endpoint h2") if each.select(".mark")] == [
        "GET /api/changes",
        "GET /api/occations/{id}",
        "GET /api/lists",
        "GET /api/lists/{list_id}/events",
        "GET /api/programme",
        "GET /api/news",
        "GET /api/schema",
    ]


@BOTH
def test_forms_are_answered_without_a_script(client: Client, address: str) -> None:
    for form in read(client, address).select("form"):
        fields = form.select("[name]:not([type=checkbox]):not([disabled])")
        untouched = {each["name"]: each.get("value", "") for each in fields}
        assert form["method"] == "get"
        response = client.get(form["action"], untouched)
        assert response.status_code == 200
        needed = {name: value for name, value in untouched.items() if value}
        assert response.content == client.get(form["action"], needed).content


@BOTH
def test_examples_are_answered(client: Client, address: str) -> None:
    page = read(client, address)
    for example in page.select(".curl"):
        url = example.text.removeprefix("curl 'https://program.example").removesuffix("'")
        assert client.get(url).status_code == 200


@BOTH
def test_examples_in_python_run(
    client: Client, address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def urlopen(url: str) -> BytesIO:
        return BytesIO(client.get(url.removeprefix("https://program.example")).content)

    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    examples = [each.text for each in read(client, address).select("h3:-soup-contains(Python) + pre")]
    for example in examples:
        exec(example, {})  # noqa: S102
    # That of the programme as one document prints what happens when.
    assert len(examples) == 9
    assert len(capsys.readouterr().out.splitlines()) == len(client.get("/api/events").json())


@pytest.mark.django_db(transaction=True)
def test_it_shows_licence_terms_and_contact_as_far_as_they_were_entered(client: Client) -> None:
    assert read(client, "/api/docs").select(".terms") == []
    models.Festival.objects.update(
        license_name="CC BY 4.0",
        license_url="javascript:alert(1)",
        terms_url="https://kulturnatten.example/data",
        contact_name="Kansliet",
        contact_email="data@kulturnatten.example",
    )
    (terms,) = read(client, "/api/docs").select(".terms")
    assert [(each.dt.text, each.dd.text, each.a and each.a["href"]) for each in terms.select("div")] == [
        ("Licens", "CC BY 4.0", None),
        ("Villkor", "https://kulturnatten.example/data", "https://kulturnatten.example/data"),
        ("Kontakt", "Kansliet", "mailto:data@kulturnatten.example"),
    ]


def test_every_format_is_there(client: Client) -> None:
    (events,) = read(client, "/api/docs").select(".endpoint:has(#events)")
    assert [row.code.text for row in events.select("tbody tr")] == [f".{each.extension}" for each in FORMATS]


def test_both_languages_lead_to_each_other(client: Client) -> None:
    for language, address in ADDRESSES.items():
        page = read(client, address)
        other = {"sv": "en", "en": "sv"}[language]
        assert page.html["lang"] == language
        assert page.select_one(".twin")["href"] == ADDRESSES[other]
        assert page.select_one("link[rel=canonical]")["href"] == f"https://program.example{address}"


def test_it_is_linked_from_the_developers_page_and_cached_as_they_are(client: Client) -> None:
    assert read(client, "/").select_one("footer a[href='/utvecklare']")
    assert read(client, "/utvecklare").select_one("main a[href='/api/docs']")
    assert read(client, "/en/developers").select_one("main a[href='/api/docs?language=en']")
    got = client.get("/api/docs")
    again = client.get("/api/docs", headers={"If-None-Match": got["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.post("/api/docs").status_code == 405
