"""The responses as OpenAPI describes them: representations, headers, errors."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, NamedTuple

from feeds.formats import Format
from programme.api.negotiation import Formats

Schema = dict[str, Any]

PROBLEM = "application/problem+json"
TEXT: Schema = {"type": "string"}


def _ref(kind: str, name: str) -> Schema:
    return {"$ref": f"#/components/{kind}/{name}"}


def _header(description: str, example: str, *, required: bool = False, **schema: Any) -> Schema:
    return {
        "description": description,
        "required": required,
        "schema": {"type": "string", **schema},
        "example": example,
    }


HEADERS: dict[str, Schema] = {
    "ETag": _header(
        "Strong validator of the representation in its content coding. Send it back as If-None-Match.",
        '"b2f5ff47436671b6e533d8dc3614845d"',
        required=True,
        pattern='^"[^"]+"$',
    ),
    "Last-Modified": _header(
        "The last change of the response, by an edit or by time. Not sent within the same second.",
        "Wed, 29 Jul 2026 12:00:00 GMT",
    ),
    "Cache-Control": _header(
        "How long the response may be cached: never past the instant at which time changes it.",
        "public, max-age=60, stale-if-error=0",
        required=True,
    ),
    "Vary": _header(
        "The request headers that determined the response: Accept, unless path or query name the format, and"
        " Accept-Encoding.",
        "Accept, Accept-Encoding",
        required=True,
    ),
    "Content-Disposition": _header(
        "Calendars: a file name with the title.", 'inline; filename="jazz-i-parken-8001.ics"'
    ),
    "Link": _header(
        "With limit: the first, previous, next and last pages (RFC 8288).",
        '<https://program.example/api/events.json?limit=50>; rel="first"',
    ),
    "X-Total-Count": _header(
        "With limit: the number of elements in the selection.", "464", pattern="^[0-9]+$"
    ),
    "Modified-Until": _header(
        "With modified_since: the value of modified_since for the next request.",
        "2026-07-29T12:00:00.123456Z",
        format="date-time",
    ),
    "Allow": _header("The allowed methods.", "GET, HEAD, OPTIONS", required=True),
    "Retry-After": _header("Seconds until the next request should be made.", "5", required=True),
}
VALIDATORS = ("ETag", "Last-Modified", "Cache-Control", "Vary")

_MEMBERS: Schema = {
    "type": TEXT | {"const": "about:blank"},
    "title": TEXT,
    "status": {"type": "integer", "minimum": 400, "maximum": 599},
    "detail": TEXT,
}
_ERRORS: Schema = {
    "type": "object",
    "description": "Errors by parameter.",
    "additionalProperties": {"type": "array", "minItems": 1, "items": TEXT},
    "examples": [{"language": ["'fi' is not available. Use sv or en."]}],
}
_AVAILABLE: Schema = {
    "type": "array",
    "description": "The available formats.",
    "items": {
        "type": "object",
        "required": ["extension", "media_types"],
        "properties": {"extension": TEXT, "media_types": {"type": "array", "items": TEXT}},
    },
}


def _problem(description: str, **more: Schema) -> Schema:
    properties = {**_MEMBERS, **more}
    required = [*_MEMBERS, *(name for name in more if name != "available")]
    return {"description": description, "type": "object", "required": required, "properties": properties}


PROBLEMS = {
    "Problem": _problem("An error (RFC 9457)."),
    "BadRequest": _problem("Invalid query parameters (RFC 9457).", errors=_ERRORS),
    "NotAcceptable": _problem(
        "No representation matches Accept or Accept-Encoding (RFC 9457).", available=_AVAILABLE
    ),
}


def _error(description: str, schema: str = "Problem", *headers: str) -> Schema:
    response: Schema = {"description": description, "content": {PROBLEM: {"schema": _ref("schemas", schema)}}}
    if headers:
        response["headers"] = {name: _ref("headers", name) for name in headers}
    return response


ERRORS: dict[str, Schema] = {
    "400": _error("Invalid query parameters.", "BadRequest"),
    "404": _error("Unknown format, or no resource at this URL."),
    "405": _error("Methods other than GET, HEAD and OPTIONS are not allowed.", "Problem", "Allow"),
    "406": _error("No available format matches the Accept header.", "NotAcceptable"),
    "410": _error("The occasion has been removed from the programme: deleted, or its event withdrawn."),
    "412": _error("The current version is not the one that If-Match or If-Unmodified-Since names."),
    "503": _error(
        "The programme is not available: the database cannot be reached.", "Problem", "Retry-After"
    ),
}
NAMES = {status: HTTPStatus(int(status)).phrase.replace(" ", "") for status in ("304", *ERRORS)}
COMPONENTS: dict[str, Schema] = {
    "NotModified": {
        "description": "The version that If-None-Match or If-Modified-Since names is current.",
        "headers": {name: _ref("headers", name) for name in VALIDATORS},
    },
    **{NAMES[status]: response for status, response in ERRORS.items()},
}


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
        every = sorted({"304", "404", "405", "406", "412", "503", *self.errors})
        return {"200": success, **{status: _ref("responses", NAMES[status]) for status in every}}

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
