"""What no log may keep of an address: secrets in paths and parameters. It needs no Django."""

import re
from urllib.parse import unquote_plus

REDACTED = "REDACTED"
# Parameters that no log may keep: of sign-in through an identity provider, of links sent by e-mail.
_SECRET_NAMES = re.compile(
    r"(access_?|id_?|refresh_?)?token|api_?key|key|code|state|nonce|secret|password\d?|passwd|sig(nature)?|session(id)?",
    re.IGNORECASE,
)
# The token of a one-time link or a reset: long, and with a digit; with what was copied along.
_SECRET_SEGMENT = re.compile(r"(?=[^/]*\d)[^/]*[\w:=.~-]{20,}[^/]*")
_BACK_OFFICE = "/admin/"
# The secret in the address of a visitor's calendar.
_CALENDAR = re.compile(r"(/my-list/)[^/]+")


def redact_path(path: str) -> str:
    """Return a path without the secrets of one-time links, and of the calendars of visitors."""
    if not path.startswith(_BACK_OFFICE):
        return _CALENDAR.sub(rf"\1{REDACTED}", path)
    return "/".join(REDACTED if _SECRET_SEGMENT.fullmatch(each) else each for each in path.split("/"))


def redact_query(query: str) -> str:
    """Return a query string without the values of parameters that are secrets."""
    return "&".join(map(_redact_parameter, query.split("&"))) if "=" in query else query


def _redact_parameter(parameter: str) -> str:
    name, _equals, value = parameter.partition("=")
    return f"{name}={REDACTED}" if value and _SECRET_NAMES.fullmatch(unquote_plus(name)) else parameter


def redact_address(url: str) -> str:
    """Return a referrer without secrets: it may be a one-time link of our own."""
    before, _mark, query = url.partition("?")
    found = re.match(r"([a-z]+://[^/]*)(/.*)", before)
    shown = found[1] + redact_path(found[2]) if found else before
    return f"{shown}?{redact_query(query)}" if query else shown
