"""The document as a whole: what can be asked, and how that is answered."""

from typing import Any

from feeds import interface
from feeds.formats import AREA_FORMATS, BY_EXTENSION, FORMATS, Format
from programme.api.openapi import parameters, responses
from programme.api.openapi.schemas import build_schemas
from programme.api.pagination import EventParameters
from programme.api.parameters import LanguageParameters

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
    """Return the description of the API of a festival."""
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
    one = [parameters.OCCASION_ID, *parameters.describe_query(LanguageParameters)]
    return {
        **_both("/api/areas", "areas", "List all areas.", [], areas, AREA_FORMATS),
        **_both(
            "/api/events",
            "events",
            "List occasions: one element for each, in every format.",
            [*parameters.describe_query(EventParameters)],
            events,
            FORMATS,
        ),
        **_both("/api/occations/{id}", "occasion", f"{ADDITION}One occasion.", one, occasion, FORMATS),
        **_both("/api/schema", "schema", f"{ADDITION}This description.", [], schema, JSON_ALONE),
    }


def _both(  # noqa: PLR0913, PLR0917 - what an operation consists of
    path: str, name: str, summary: str, asked: list[Schema], answered: Schema, formats: Formats
) -> dict[str, Schema]:
    """Return a path without and with an extension."""
    return {
        path: _methods(name, summary, [*asked, parameters.describe_format(formats)], answered),
        f"{path}.{{extension}}": _methods(
            f"{name}InFormat", summary, [*asked, parameters.describe_extension(formats)], answered
        ),
    }


def _methods(name: str, summary: str, asked: list[Schema], answered: Schema) -> Schema:
    return {
        "parameters": asked,
        "get": {"operationId": name, "summary": summary, "responses": answered},
        "head": {"operationId": f"{name}Head", "summary": f"{summary} Headers alone.", "responses": answered},
    }
