"""The OpenAPI document: the operations, their parameters and their responses."""

from typing import Any

from feeds import interface
from feeds.formats import AREA_FORMATS, BY_EXTENSION, FORMATS, Format
from programme.api.openapi import parameters, responses
from programme.api.openapi.schemas import build_schemas
from programme.api.pagination import EventParameters
from programme.api.parameters import OccasionParameters

Schema = dict[str, Any]
Formats = tuple[type[Format], ...]

JSON_ALONE: Formats = (BY_EXTENSION["json"],)
DESCRIPTION = (
    "A programme of a festival: its areas, and the occasions of its events. Read-only, without credentials,"
    " for all origins. An extension of the path chooses the format, else ?format=, else Accept (RFC 9110)."
    " Different parameters must all hold; repeated ones are alternatives. Parameters that are"
    " not named here are ignored."
)
ADDITION = "An addition to the interface. "


def build_document(festival: str, base_url: str) -> Schema:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"{festival}: programme",
            "version": "1",
            "description": DESCRIPTION,
        },
        "servers": [{"url": base_url}],
        "paths": dict(_paths()),
        "components": {
            "schemas": {
                **build_schemas(interface.Event, interface.Area, interface.Tombstone),
                **responses.PROBLEMS,
            },
            "responses": responses.COMPONENTS,
            "headers": responses.HEADERS,
        },
    }


def _array(*names: str) -> Schema:
    items = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    return {"type": "array", "items": items[0] if len(items) == 1 else {"oneOf": items}}


def _paths() -> dict[str, Schema]:
    areas = responses.describe_responses("All areas, in their order.", _array("Area"), AREA_FORMATS, "400")
    events = responses.describe_responses(
        "The occasions of a selection, in the order of their starts. Tombstones with modified_since alone.",
        _array("Event", "Tombstone"),
        FORMATS,
        "400",
        headers=("Link", "X-Total-Count", "Modified-Until"),
    )
    occasion = responses.describe_responses(
        "The occasion.", _array("Event"), FORMATS, "400", "410", headers=("Content-Disposition",)
    )
    schema = responses.describe_responses("This description.", {"type": "object"}, JSON_ALONE, "400")
    one = [parameters.OCCASION_ID, *parameters.describe_query(OccasionParameters)]
    return {
        **_describe_paths("/api/areas", "areas", "List all areas.", [], areas, AREA_FORMATS),
        **_describe_paths(
            "/api/events",
            "events",
            "List occasions: one element for each, in every format.",
            [*parameters.describe_query(EventParameters)],
            events,
            FORMATS,
        ),
        **_describe_paths(
            "/api/occations/{id}", "occasion", f"{ADDITION}One occasion.", one, occasion, FORMATS
        ),
        **_describe_paths("/api/schema", "schema", f"{ADDITION}This description.", [], schema, JSON_ALONE),
    }


def _describe_paths(  # noqa: PLR0913, PLR0917 - the parts of an operation
    path: str, name: str, summary: str, query: list[Schema], answers: Schema, formats: Formats
) -> dict[str, Schema]:
    """Return the paths without and with an extension."""
    return {
        path: _describe_methods(name, summary, [*query, parameters.describe_format(formats)], answers),
        f"{path}.{{extension}}": _describe_methods(
            f"{name}InFormat",
            summary,
            [*query, parameters.describe_extension(formats)],
            responses.keep_types(answers, {each.sent_as for each in formats}),
        ),
    }


def _describe_methods(name: str, summary: str, query: list[Schema], answers: Schema) -> Schema:
    return {
        "parameters": query,
        "get": {"operationId": name, "summary": summary, "responses": answers},
        "head": {"operationId": f"{name}Head", "summary": f"{summary} Headers alone.", "responses": answers},
    }
