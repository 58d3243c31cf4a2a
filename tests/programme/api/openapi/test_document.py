"""The description of the API: a valid document that names all that answers hold, and nothing else."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from feeds import interface
from feeds.formats import FORMATS
from programme import models

pytestmark = pytest.mark.usefixtures("db", "at")

# Those of the interface, without the programme as one document and the news.
TABLES = {
    name
    for name, each in vars(interface).items()
    if isinstance(each, type) and issubclass(each, interface.JsonTable)
} - {"JsonTable", "AnyArea"}
TABLES = {each for each in TABLES if not each.startswith(("Programme", "News", "RemovedOccasion"))}


def list_faults(document: dict[str, Any]) -> list[str]:
    # To import it compiles a grammar: two seconds, which only the process that asks should spend.
    from openapi_spec_validator import OpenAPIV31SpecValidator  # noqa: PLC0415

    return [str(each) for each in OpenAPIV31SpecValidator(document).iter_errors()]


@pytest.fixture
def described(client: Client, sample: None) -> dict[str, Any]:
    # So that there is something to have a tombstone.
    models.Occasion.objects.get(id=8016).delete()
    document: dict[str, Any] = client.get("/api/schema").json()
    return document


def fields(value: Any, schema: Any, schemas: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Give the fields of a value beside those of its schema: the table, those written, those described."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    if value is None:
        return
    if "oneOf" in schema:
        names = [each["$ref"].rpartition("/")[2] for each in schema["oneOf"]]
        (schema,) = (schemas[name] for name in names if ("removed" in value) == (name == "Tombstone"))
    if "anyOf" in schema:
        # Beside the array there is the schedule that only `?format=` chooses.
        schema = next(each for each in schema["anyOf"] if each.get("type") != "null")
        yield from fields(value, schema, schemas)
    elif schema.get("type") == "array":
        for each in value:
            yield from fields(each, schema["items"], schemas)
    elif schema.get("type") == "object":
        yield schema["title"], ",".join(value), ",".join(schema["properties"])
        for name, each in value.items():
            yield from fields(each, schema["properties"][name], schemas)


def test_it_is_valid(described: dict[str, Any]) -> None:
    assert list_faults(described) == []


FOLLOWED = "/api/events?modified_since=1970-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("path", "query", "tables"),
    [
        ("/api/areas", "/api/areas", {"Area", "AreaDay", "Stream", "Translatable"}),
        ("/api/events", FOLLOWED, TABLES),
        ("/api/occations/{id}", "/api/occations/8001", TABLES - {"Tombstone", "RemovedOccation"}),
    ],
)
def test_answers_have_the_fields_that_are_described_in_their_order(
    described: dict[str, Any], client: Client, path: str, query: str, tables: set[str]
) -> None:
    content = described["paths"][path]["get"]["responses"]["200"]["content"]
    schemas = described["components"]["schemas"]
    seen = list(fields(client.get(query).json(), content["application/json"]["schema"], schemas))
    assert [each for each in seen if each[1] != each[2]] == []
    assert {each[0] for each in seen} == tables


def test_what_can_be_missing_may_be_null_and_the_other_way_round(
    described: dict[str, Any], client: Client
) -> None:
    """Over the sample, in which everything that can be missing is missing somewhere."""
    nullable = {
        (table, name)
        for table in TABLES
        for name, schema in described["components"]["schemas"][table]["properties"].items()
        if {"type": "null"} in schema.get("anyOf", [])
    }
    seen = set(_missing(client.get("/api/events").json(), "Event"))
    seen |= set(_missing(client.get("/api/areas").json(), "Area"))
    assert seen == nullable


INSIDE = {
    "area": "Area",
    "subArea": "SubArea",
    "organizer": "Organizer",
    "language": "Language",
    "type": "EventType",
    "occation": "Occation",
    "allOccations": "Occation",
    "stream": "Stream",
    "streams": "Stream",
    "days": "AreaDay",
}
TRANSLATED = {"info", "intro", "description", "accessibilityInfo", "roomAccessibilityInfo", "url", "name"}


def _missing(value: Any, table: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for each in value:
            yield from _missing(each, table)
    elif isinstance(value, dict):
        for name, each in value.items():
            if each is None:
                yield table, name
            inside = "Translatable" if name in TRANSLATED else INSIDE.get(name, "Location")
            yield from _missing(each, inside)


def test_what_only_calendars_read_is_described_where_there_are_calendars(described: dict[str, Any]) -> None:
    paths = described["paths"].items()
    reading = {path for path, item in paths if "cancelled" in [each["name"] for each in item["parameters"]]}
    assert reading == {
        *("/api/events", "/api/events.{extension}", "/api/occations/{id}", "/api/occations/{id}.ics"),
        *("/api/occations/{id}.ics-text", "/api/lists/{list_id}/events"),
        "/api/lists/{list_id}/events.{extension}",
    }


@pytest.mark.parametrize(
    ("text", "is_described"),
    [
        ("2026-01-01/2026-12-31", True),
        ("2026-10-30/2026-09-05", True),
        *((f"2026-{day}/2026-12-01", False) for day in ("13-01", "00-01", "1-01", "01-00", "01-32")),
        *((f"2026-12-01/2026-{day}", False) for day in ("13-01", "20-01", "01-40")),
        ("٢٠٢٦-01-01/2026-12-31", False),
    ],
)
def test_the_pattern_of_days_knows_twelve_months(
    described: dict[str, Any], text: str, is_described: bool
) -> None:
    [date] = [each for each in described["paths"]["/api/events"]["parameters"] if each["name"] == "date"]
    [days] = [each for each in date["schema"]["items"]["anyOf"] if each.get("format") == "days"]
    assert bool(re.search(days["pattern"], text, re.ASCII)) == is_described


def test_no_two_paths_are_ambiguous(described: dict[str, Any]) -> None:
    """A part of a path that begins and ends with a parameter may be anything, whatever its schema says."""
    forms = [re.sub(r"(?<=/)\{[^/]*\}(?=/|$)", "{}", path) for path in described["paths"]]
    assert len(forms) == len(set(forms))
    items = described["paths"].values()
    names = [item[method]["operationId"] for item in items for method in ("get", "head")]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("path", ["/api/events", "/api/occations/{id}"])
def test_every_format_is_there_with_its_media_types(described: dict[str, Any], path: str) -> None:
    content = described["paths"][path]["get"]["responses"]["200"]["content"]
    assert list(content) == list(
        dict.fromkeys(name for each in FORMATS for name in each.media_types or (each.sent_as,))
    )
    by_extension = [
        item["get"]["responses"]["200"]["content"]
        for other, item in described["paths"].items()
        if other.startswith(f"{path}.") and other != f"{path}.json"
    ]
    sent = {each.sent_as for each in FORMATS if each.extension != "json"}
    assert {name for content in by_extension for name in content} == sent


def test_it_says_what_others_may_do_and_whom_they_ask(sample: None, client: Client) -> None:
    models.Festival.objects.update(
        license_name="CC BY 4.0",
        license_url="https://creativecommons.org/licenses/by/4.0/",
        terms_url="https://kulturnatten.example/data",
        contact_email="data@kulturnatten.example",
    )
    document = client.get("/api/schema").json()
    assert {name: document["info"][name] for name in ("license", "termsOfService", "contact")} == {
        "license": {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"},
        "termsOfService": "https://kulturnatten.example/data",
        "contact": {"email": "data@kulturnatten.example"},
    }
    assert list_faults(document) == []


def test_it_is_cached_as_the_rest(client: Client, sample: None) -> None:
    got = client.get("/api/schema.json")
    assert got.headers.keys() >= {"ETag", "Cache-Control", "Vary"}
    assert client.get("/api/schema", headers={"If-None-Match": got["ETag"]}).status_code == 304
    assert json.loads(got.content) == client.get("/api/schema/").json()
