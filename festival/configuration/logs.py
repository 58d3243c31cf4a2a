"""Logs: messages on stderr, requests on stdout (festival/monitoring/access_log.py), without secrets."""

import logging
import re
from typing import Any

REDACTED = "REDACTED"
# Of visitors' calendars; one-time links (long, with a digit); identity providers and links sent by e-mail.
_SECRET = re.compile(
    r"(/my-list/)[^/?]+"
    r"|(/admin/(?:[^/?]+/)*?)(?=[^/?]*\d)[^/?]*[\w:=.~-]{20,}[^/?]*"
    r"|((?:^|[?&])(?:(?:access_?|id_?|refresh_?)?token|api_?key|key|code|state|nonce|secret|password\d?|passwd"
    r"|sig(?:nature)?|session(?:id)?)=)[^&]+",
    re.IGNORECASE,
)
# Django's logging configuration; its own logs no errors when DEBUG is off.
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "festival.configuration.logs.LineFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
            "datefmt": "%Y-%m-%dT%H:%M:%S%z",
        },
    },
    "filters": {
        "request": {"()": "festival.http.request_id.RequestIdFilter"},
        "redact": {"()": "festival.configuration.logs.RedactionFilter"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "filters": ["request", "redact"],
            "formatter": "line",
        },
        "stdout": {
            "class": "logging.StreamHandler",
            "filters": ["redact"],
            "stream": "ext://sys.stdout",
        },
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "festival.access": {"handlers": ["stdout"], "level": "INFO", "propagate": False},
        # The access log has requests with 404, 405 or another host name.
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}


class RedactionFilter(logging.Filter):
    """Leave out secrets in addresses, Django's request, and traces of what a client has sent wrong."""

    def filter(self, record: logging.LogRecord) -> bool:
        vars(record).pop("request", None)
        if isinstance(record.args, tuple):
            record.args = tuple(redact(each) if isinstance(each, str) else each for each in record.args)
        if record.name.startswith("django.security."):
            record.exc_info = record.exc_text = None
        return True


def redact(text: str) -> str:
    """Return an address, a path or a query string without its secrets."""
    return _SECRET.sub(lambda found: "".join(filter(None, found.groups())) + REDACTED, text)


class LineFormatter(logging.Formatter):
    """Format a message as a line that ends with the ID of its request."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        request_id = getattr(record, "request_id", "")
        return super().formatMessage(record) + (request_id and f" [request {request_id}]")
