"""The responses as OpenAPI describes them; headers, errors and problem details are in `components.json`."""

import json
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

from feeds.formats import Format
from programme.api.negotiation import Formats

Schema = dict[str, Any]

COMPONENTS: Schema = json.loads(Path(__file__).with_name("components.json").read_text())
VALIDATORS = ("ETag", "Last-Modified", "Cache-Control", "Vary")
# Of every endpoint.
ERRORS = ("304", "404", "405", "406", "412", "503")


def _ref(kind: str, name: str) -> Schema:
    return {"$ref": f"#/components/{kind}/{name}"}


class Result(NamedTuple):
    """What an endpoint returns: its JSON, and the errors and headers beside those of every endpoint."""

    description: str
    json: Schema
    errors: tuple[str, ...] = ("400",)
    headers: tuple[str, ...] = ()

    def describe(self, formats: Formats, *, by_extension: bool = False) -> Schema:
        """Return the responses in some formats, chosen by the path's extension or by `Accept`."""
        success: Schema = {
            "description": self.description,
            "headers": {name: _ref("headers", name) for name in (*VALIDATORS, *self.headers)},
            "content": dict(self._contents(formats, by_extension=by_extension)),
        }
        every = ((each, HTTPStatus(int(each)).phrase) for each in sorted({*ERRORS, *self.errors}))
        return {"200": success} | {each: _ref("responses", name.replace(" ", "")) for each, name in every}

    def _contents(self, formats: Formats, *, by_extension: bool) -> Iterator[tuple[str, Schema]]:
        for each in formats:
            is_named = by_extension or not each.media_types
            for media_type in (each.sent_as,) if is_named else each.media_types:
                yield media_type, {"schema": self._describe_body(each, media_type, by_extension=by_extension)}

    def _describe_body(self, written_by: type[Format], media_type: str, *, by_extension: bool) -> Schema:
        """Return the schema of one format; of a type that `?format=` alone chooses, that of either."""
        described = {"description": written_by.label.en}
        if not media_type.endswith("/json"):
            return {"type": "string", **described}
        if written_by.media_types:
            return self.json
        other = {"type": "object", **described}
        return other if by_extension else {"anyOf": [self.json, other]}
