"""What a request is answered with, as OpenAPI describes it: representations, headers, errors."""

from collections.abc import Iterator
from typing import Any

from feeds.formats import Format

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
        "Strong validator of this representation, in this content coding. Send it back as If-None-Match.",
        '"b2f5ff47436671b6e533d8dc3614845d"',
        required=True,
        pattern='^"[^"]+"$',
    ),
    "Last-Modified": _header(
        "When the answer last changed, by an edit or by the clock. Not sent in the second in which it did.",
        "Wed, 29 Jul 2026 12:00:00 GMT",
    ),
    "Cache-Control": _header(
        "For how long the answer is true: never past the instant at which the clock changes it.",
        "public, max-age=60, stale-if-error=0",
        required=True,
    ),
    "Vary": _header(
        "What decided: Accept, unless path or query named the format, and Accept-Encoding.",
        "Accept, Accept-Encoding",
        required=True,
    ),
    "Content-Disposition": _header(
        "Calendars: a file name, made of the title.", 'inline; filename="jazz-i-parken-8001.ics"'
    ),
    "Link": _header(
        "With limit: the pages first, prev, next and last (RFC 8288).",
        '<https://program.example/api/events.json?limit=50>; rel="first"',
    ),
    "X-Total-Count": _header("With limit: how many elements the selection has.", "464", pattern="^[0-9]+$"),
    "Modified-Until": _header(
        "With modified_since: what to send as modified_since next time.",
        "2026-07-29T12:00:00.123456Z",
        format="date-time",
    ),
    "Allow": _header("The methods that are allowed.", "GET, HEAD, OPTIONS", required=True),
    "Retry-After": _header("Seconds after which to ask again.", "5", required=True),
}
VALIDATORS = ("ETag", "Last-Modified", "Cache-Control", "Vary")

_STATED: Schema = {
    "type": TEXT | {"const": "about:blank"},
    "title": TEXT,
    "status": {"type": "integer", "minimum": 400, "maximum": 599},
    "detail": TEXT,
}
_ERRORS: Schema = {
    "type": "object",
    "description": "What is wrong, by parameter.",
    "additionalProperties": {"type": "array", "minItems": 1, "items": TEXT},
    "examples": [{"language": ["'fi' is not available. Use sv or en."]}],
}
_AVAILABLE: Schema = {
    "type": "array",
    "description": "The formats that there are.",
    "items": {
        "type": "object",
        "required": ["extension", "media_types"],
        "properties": {"extension": TEXT, "media_types": {"type": "array", "items": TEXT}},
    },
}


def _problem(description: str, **more: Schema) -> Schema:
    properties = {**_STATED, **more}
    required = [*_STATED, *(name for name in more if name != "available")]
    return {"description": description, "type": "object", "required": required, "properties": properties}


PROBLEMS = {
    "Problem": _problem("An error (RFC 9457)."),
    "BadRequest": _problem("Parameters that cannot be understood.", errors=_ERRORS),
    "NotAcceptable": _problem("Nothing that Accept or Accept-Encoding allows.", available=_AVAILABLE),
}


def _error(description: str, schema: str = "Problem", *headers: str) -> Schema:
    said: Schema = {"description": description, "content": {PROBLEM: {"schema": _ref("schemas", schema)}}}
    if headers:
        said["headers"] = {name: _ref("headers", name) for name in headers}
    return said


ERRORS: dict[str, Schema] = {
    "400": _error("A parameter cannot be understood.", "BadRequest"),
    "404": _error("There is no such format, or nothing at this address."),
    "405": _error("To any method but GET, HEAD and OPTIONS.", "Problem", "Allow"),
    "406": _error("There is no representation that Accept allows.", "NotAcceptable"),
    "410": _error("The occasion was published once and is gone: deleted, or its event withdrawn."),
    "412": _error("If-Match or If-Unmodified-Since names another version."),
    "503": _error("There is no programme to answer from: the database is away.", "Problem", "Retry-After"),
}
NAMES = {
    "304": "NotModified",
    "400": "BadRequest",
    "404": "NotFound",
    "405": "MethodNotAllowed",
    "406": "NotAcceptable",
    "410": "Gone",
    "412": "PreconditionFailed",
    "503": "Away",
}
COMPONENTS: dict[str, Schema] = {
    "NotModified": {
        "description": "What If-None-Match or If-Modified-Since names is still true.",
        "headers": {name: _ref("headers", name) for name in VALIDATORS},
    },
    **{NAMES[status]: said for status, said in ERRORS.items()},
}


def describe_responses(
    description: str,
    json: Schema,
    formats: tuple[type[Format], ...],
    *errors: str,
    headers: tuple[str, ...] = (),
) -> Schema:
    """Return the responses of an operation: in each format, JSON as described, and errors by status."""
    said: Schema = {
        "description": description,
        "headers": {name: _ref("headers", name) for name in (*VALIDATORS, *headers)},
        "content": dict(_contents(json, formats)),
    }
    every = sorted({"304", "404", "405", "406", "412", "503", *errors})
    return {"200": said, **{status: _ref("responses", NAMES[status]) for status in every}}


def _contents(json: Schema, formats: tuple[type[Format], ...]) -> Iterator[tuple[str, Schema]]:
    for each in formats:
        for media_type in each.media_types:
            is_json = media_type.endswith("/json")
            yield (
                media_type,
                {"schema": json if is_json else {"type": "string", "description": each.label.en}},
            )
