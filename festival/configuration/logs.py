"""Logging: one line for each message on stderr, with the ID of its request and without secrets."""

import logging
import re
from contextvars import ContextVar
from typing import Any

# The ID of this thread's current request.
current_request_id: ContextVar[str] = ContextVar("request_id", default="")

REDACTED = "REDACTED"
# Line ends and control characters.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# Secrets of visitors' calendars, one-time links (long, with a digit), identity providers, e-mail and stars.
_SECRET = re.compile(
    r"(/my-list/)[^/?]+"
    r"|(/admin/(?:[^/?]+/)*?)(?=[^/?]*\d)[^/?]*[\w:=.~-]{20,}[^/?]*"
    r"|((?:^|[?&])(?:(?:access_?|id_?|refresh_?)?token|api_?key|key|code|state|nonce|secret|password\d?|passwd"
    r"|sig(?:nature)?|session(?:id)?|occation)=)[^&]+",
    re.IGNORECASE,
)
# Django's logging configuration; its own logs no errors when DEBUG is off.
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "class": "festival.configuration.logs.LineFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s%(end)s",
            "datefmt": "%Y-%m-%dT%H:%M:%S%z",
        }
    },
    "filters": {"redact": {"()": "festival.configuration.logs.RedactionFilter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "filters": ["redact"], "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        # The access log has requests with 404, 405 or another host name.
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}


class LineFormatter(logging.Formatter):
    """Writes a message as one line with escaped line ends; lines of a trace are indented."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the base class's
        return _escape(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the same
        return "\n".join(f"  {_escape(line)}" for line in super().formatException(ei).split("\n"))


def _escape(text: str) -> str:
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class RedactionFilter(logging.Filter):
    """Removes secrets in addresses, Django's request, and traces of clients' errors.

    Granian's access log, whose records have a dictionary, is filtered too (server/granian_log.json).
    """

    def filter(self, record: logging.LogRecord) -> bool:
        vars(record).pop("request", None)
        request_id = current_request_id.get()
        record.end = f" [request {request_id}]" if request_id else ""
        if isinstance(record.args, tuple):
            record.args = tuple(map(_redact_argument, record.args))
        elif record.args:
            record.args = {name: _redact_argument(each) for name, each in record.args.items()}
        if record.name.startswith("django.security."):
            record.exc_info = record.exc_text = None
        return True


def _redact_argument(argument: object) -> object:
    return redact(argument) if isinstance(argument, str) else argument


def redact(text: str) -> str:
    """Return an address, a path or a query string without its secrets."""
    return _SECRET.sub(lambda found: "".join(filter(None, found.groups())) + REDACTED, text)
