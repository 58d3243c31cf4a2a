"""The interface in OpenAPI 3.1, exactly: put together from the service's own parameters and formats."""

from typing import Any

from django import forms

from feeds.formats import FORMATS, Format
from feeds.selection import Moment
from programme import parameters
from programme.parameters import SelectionParameters

Schema = dict[str, Any]

TEXT = {"type": "string"}
# RFC 9457. The errors of 400 by parameter.
PROBLEM: Schema = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"const": "about:blank"},
        "title": TEXT,
        "status": {"type": "integer", "minimum": 400, "maximum": 499},
        "detail": TEXT,
        "errors": {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"enum": [*SelectionParameters.base_filters, "format"]},
            "additionalProperties": {
                "type": "array",
                "minItems": 1,
                "items": {"type": "string", "minLength": 1},
            },
        },
    },
}


def _in_any_case(*words: str) -> str:
    """Return a pattern of words in any case, with blanks around: flags are not part of the dialect."""
    letters = ("".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in word) for word in words)
    return f"^ *({'|'.join(letters)})? *$"


def _date() -> Schema:
    # A day and an interval of days as such; that a day is there and no interval ends before it begins is
    # in the formats, which `conformance` teaches the generator.
    any_of = [
        {"type": "string", "pattern": _in_any_case(*Moment)},
        {"type": "string", "format": "date"},
        {"type": "string", "format": "days"},
    ]
    return {"type": "array", "items": {"anyOf": any_of}}


def _flag() -> Schema:
    words = parameters.FlagField.selecting | parameters.FlagField.leaving
    return {"type": "array", "items": {"type": "string", "pattern": _in_any_case(*sorted(words - {""}))}}


# By the class of the parameter's form field.
VALUES: dict[type[forms.Field], Schema] = {
    parameters.DatesField: _date(),
    parameters.NamesField: {"type": "array", "items": TEXT},
    parameters.FlagField: _flag(),
    parameters.LanguageField: {
        "type": "string",
        "pattern": "^ *(([sS][vV]|[eE][nN])(-[A-Za-z0-9]{1,8})*)? *$",
    },
}


def _query() -> list[Schema]:
    found = [
        {
            "name": name,
            "in": "query",
            "schema": VALUES[parameter.field_class],
            "description": parameter.extra["help_text"],
        }
        for name, parameter in SelectionParameters.base_filters.items()
    ]
    # Without one in a path, `format` chooses; an empty one is the same as none.
    names = ["", *(each.extension for each in FORMATS)]
    return [*found, {"name": "format", "in": "query", "schema": {"enum": names}}]


def _problem(description: str) -> Schema:
    return {"description": description, "content": {"application/problem+json": {"schema": PROBLEM}}}


def _answers(*formats: type[Format]) -> Schema:
    """Return what a reader may be answered with, GET and HEAD alike."""
    types = dict.fromkeys(
        each.content_type(media_type) for each in formats for media_type in each.media_types
    )
    array = {"schema": {"type": "array", "items": {"type": "object"}}}
    content = {each: array if each.startswith(("application/json", "text/json")) else {} for each in types}
    etag = {"required": True, "schema": {"type": "string", "pattern": '^"[^"]+"$'}}
    return {
        "200": {"description": "The programme", "content": content, "headers": {"ETag": etag}},
        "304": {"description": "Known", "headers": {"ETag": etag}},
        "400": _problem("A parameter that cannot be understood"),
        "404": _problem("No format of that name"),
        "406": _problem("Nothing acceptable"),
        "412": _problem("Another version"),
    }


def _headers(*formats: type[Format]) -> list[Schema]:
    media_types = dict.fromkeys(["*/*", *(media_type for each in formats for media_type in each.media_types)])
    conditions = [
        {"name": name, "in": "header", "schema": TEXT} for name in ("If-None-Match", "If-Modified-Since")
    ]
    return [{"name": "Accept", "in": "header", "schema": {"enum": [*media_types]}}, *conditions]


def _path(parameters: list[Schema], *formats: type[Format]) -> Schema:
    operation = {"parameters": parameters, "responses": _answers(*formats)}
    return {"get": operation, "head": operation}


def openapi(*, headers: bool = True) -> Schema:
    """Return the document; without headers it says nothing of them, so that only parameters can be wrong."""
    areas = [each for each in FORMATS if each.write_areas]
    sent = _headers if headers else lambda *_: []
    paths = {
        "/api/areas": _path(sent(*areas), *areas),
        "/api/events": _path([*_query(), *sent(*FORMATS)], *FORMATS),
    }
    for each in FORMATS:
        paths[f"/api/events.{each.extension}"] = _path([*_query()[:-1], *sent(*FORMATS)], each)
    return {"openapi": "3.1.0", "info": {"title": "Festival programme", "version": "1"}, "paths": paths}
