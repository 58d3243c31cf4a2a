"""The OpenAPI document: the endpoints of `endpoints.json`, with their parameters and responses.

`document.json` holds its fixed part: texts, headers, errors and problem details.
"""

import json
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec

from feeds import interface
from feeds.formats import FORMATS, Format
from feeds.news_formats import NEWS_FORMATS
from feeds.vocabulary import Festival
from programme.api import filters
from programme.api.negotiation import JSON_ONLY, Formats
from programme.api.openapi.parameters import PARAMETERS, describe_formats, describe_query
from programme.api.openapi.schemas import build_schemas

Schema = dict[str, Any]

FOLDER = Path(__file__).parent
DOCUMENT: Schema = json.loads((FOLDER / "document.json").read_text())
# The tables that endpoints return; the tables that these refer to follow.
TABLES = (interface.Event, interface.Area, interface.Tombstone, interface.Programme, interface.NewsEntry)
# Client generators group operations by their tags.
TYPED, NEGOTIATED = (each["name"] for each in DOCUMENT["tags"])
OFFERED = {"json": JSON_ONLY, "every": FORMATS, "news": NEWS_FORMATS}
# The headers of every response, and the errors of every endpoint.
VALIDATORS = ("ETag", "Last-Modified", "Cache-Control", "Vary")
ERRORS = ("304", "404", "405", "406", "412", "503")


def build_document(festival: Festival, base_url: str, editions: Sequence[str] = ()) -> Schema:
    """Return the document; without `editions` (slugs) it has no parameter `edition`."""
    terms, components = festival.terms, DOCUMENT["components"]
    info = {
        **DOCUMENT["info"],
        "summary": festival.name.within("en"),
        "termsOfService": terms.terms_url,
        "contact": _known({"name": terms.contact_name, "email": terms.contact_email}),
        # A licence must have a name.
        "license": _known({"name": terms.license_name or terms.license_url, "url": terms.license_url}),
    }
    return {
        **DOCUMENT,
        "info": _known(info),
        "servers": [{"url": base_url}],
        "paths": {
            path: _offer_editions(item, editions) for each in ENDPOINTS for path, item in each.describe()
        },
        "components": {**components, "schemas": {**build_schemas(*TABLES), **components["schemas"]}},
    }


def _known(members: Schema) -> Schema:
    return {name: value for name, value in members.items() if value}


def _offer_editions(item: Schema, editions: Sequence[str]) -> Schema:
    known = {
        "schema": {"type": "string", "enum": [*editions]},
        "examples": {slug: {"value": slug} for slug in editions},
    }
    shown = [
        each | known if each["name"] == "edition" else each
        for each in item["parameters"]
        if editions or each["name"] != "edition"
    ]
    return item | {"parameters": shown}


def _refer(kind: str, name: str) -> Schema:
    return {"$ref": f"#/components/{kind}/{name}"}


class Endpoint(msgspec.Struct, forbid_unknown_fields=True):
    """An endpoint: its summary, its parameters, and its result, whose JSON has the schema.

    `name` is the `operationId` where the format is chosen, `typed` the one with `.json`; one without a name
    is described with `.json` alone.
    """

    path: str
    summary: str
    result: str
    schema: Schema
    name: str = ""
    typed: str = ""
    formats: str = "json"
    filters: str = "SelectionFilterSet"
    omitted: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    errors: tuple[str, ...] = ("400",)
    headers: tuple[str, ...] = ()

    def describe(self) -> Iterator[tuple[str, Schema]]:
        """Yield the path items: without an extension, with `.json`, and with other extensions."""
        formats = OFFERED[self.formats]
        if self.name:
            by_query = describe_formats("format", formats)
            yield self.path, self._describe(self.name, formats, by_query, by_extension=False)
        if self.typed:
            yield f"{self.path}.json", self._describe(self.typed, JSON_ONLY)
        others = tuple(each for each in formats if self.name and each.extension != "json")
        if self.path.endswith("}"):
            # `{id}.{extension}` would be ambiguous beside `{id}`, so each extension has a path.
            for each in others:
                name = f"{self.name}In{each.extension.title().replace('-', '')}"
                yield f"{self.path}.{each.extension}", self._describe(name, (each,))
        elif others:
            in_path = describe_formats("extension", others)
            yield f"{self.path}.{{extension}}", self._describe(f"{self.name}InFormat", others, in_path)

    def _describe(self, name: str, formats: Formats, *chosen: Schema, by_extension: bool = True) -> Schema:
        """Return the item of a path in some formats, chosen by its extension or by `Accept`."""
        responses = self._describe_responses(formats, by_extension=by_extension)
        tag = TYPED if name == self.typed else NEGOTIATED
        summary = f"{self.summary} Headers alone."
        head = {"operationId": f"{name}Head", "tags": [NEGOTIATED], "summary": summary}
        return {
            "parameters": [*self._list_parameters(formats), *chosen],
            "get": {"operationId": name, "tags": [tag], "summary": self.summary, "responses": responses},
            "head": {**head, "responses": responses},
        }

    def _list_parameters(self, formats: Formats) -> Iterator[Schema]:
        """Yield the parameters that at least one of some formats reads."""
        yield from (each for name, each in PARAMETERS.items() if f"{{{name}}}" in self.path)
        reads_cancelled = any(each.takes_cancelled for each in formats)
        for each in describe_query(getattr(filters, self.filters)):
            if each["name"] not in self.omitted and (reads_cancelled or each["name"] != "cancelled"):
                yield each | {"required": each["name"] in self.required}

    def _describe_responses(self, formats: Formats, *, by_extension: bool) -> Schema:
        success: Schema = {
            "description": self.result,
            "headers": {name: _refer("headers", name) for name in (*VALIDATORS, *self.headers)},
            "content": {
                media_type: {"schema": self._describe_body(each, media_type, by_extension=by_extension)}
                for each in formats
                for media_type in (each.media_types if not by_extension else ()) or (each.sent_as,)
            },
        }
        every = ((each, HTTPStatus(int(each)).phrase) for each in sorted({*ERRORS, *self.errors}))
        return {"200": success} | {each: _refer("responses", name.replace(" ", "")) for each, name in every}

    def _describe_body(self, written_by: type[Format], media_type: str, *, by_extension: bool) -> Schema:
        """Return the schema of a format; of one that only `?format=` chooses, alternatives."""
        described = {"description": written_by.label.en}
        if not media_type.endswith("/json"):
            return {"type": "string", **described}
        if written_by.media_types:
            return self.schema
        other = {"type": "object", **described}
        return other if by_extension else {"anyOf": [self.schema, other]}


ENDPOINTS = msgspec.json.decode((FOLDER / "endpoints.json").read_bytes(), type=list[Endpoint])
