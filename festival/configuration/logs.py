"""Log formats: messages on stderr, requests on stdout; as text (Apache's combined format) or as JSON.

JSON has the field names of the Elastic Common Schema, and its times are in UTC. Text has the
festival's time zone.
"""

import logging
import re
from typing import Any

from festival import __version__

TEXT, JSON = "text", "json"
LOG_FORMATS = (TEXT, JSON)
REDACTED = "REDACTED"
APACHE_TIME = "%d/%b/%Y:%H:%M:%S %z"
# Of visitors' calendars; one-time links (long, with a digit); identity providers and links sent by e-mail.
_SECRET = re.compile(
    r"(/my-list/)[^/?]+"
    r"|(/admin/(?:[^/?]+/)*?)(?=[^/?]*\d)[^/?]*[\w:=.~-]{20,}[^/?]*"
    r"|((?:^|[?&])(?:(?:access_?|id_?|refresh_?)?token|api_?key|key|code|state|nonce|secret|password\d?|passwd"
    r"|sig(?:nature)?|session(?:id)?)=)[^&]+",
    re.IGNORECASE,
)
_UNSAFE = re.compile(r'["\\\x00-\x1f\x7f-\U0010ffff]')
RENAMED = {"levelname": "log.level", "name": "log.logger", "process": "process.pid"}
RENAMED |= {"exc_info": "error.stack_trace", "request_id": "http.request.id"}
_JSON = {
    "()": "pythonjsonlogger.json.JsonFormatter",
    "fmt": "%(levelname)s %(message)s %(name)s %(process)d",
    "rename_fields": RENAMED,
    "static_fields": {"ecs.version": "8.17.0", "service.name": "festival", "service.version": __version__},
    "timestamp": "@timestamp",
}


def build_formatters(log_format: str) -> dict[str, Any]:
    """Return the formatters of a logging configuration: of messages ("line") and requests ("request")."""
    if log_format == JSON:
        return {"line": _JSON, "request": _JSON}
    line = {
        "()": "festival.configuration.logs.LineFormatter",
        "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
        "datefmt": "%Y-%m-%dT%H:%M:%S%z",
    }
    return {"line": line, "request": {"()": "festival.configuration.logs.CombinedLogFormatter"}}


def build_logging(log_format: str) -> dict[str, Any]:
    """Return Django's logging configuration; its own logs no errors when DEBUG is off."""
    stream = {"class": "logging.StreamHandler", "filters": ["request", "redact"]}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": build_formatters(log_format),
        "filters": {
            "request": {"()": "festival.http.request_id.RequestIdFilter"},
            "redact": {"()": "festival.configuration.logs.RedactionFilter"},
        },
        "handlers": {
            "stderr": stream | {"formatter": "line"},
            "stdout": stream | {"formatter": "request", "filters": ["redact"], "stream": "ext://sys.stdout"},
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
        for name in ("url.path", "url.query", "http.request.referrer"):
            if value := vars(record).get(name):
                vars(record)[name] = redact(value)
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


class CombinedLogFormatter(logging.Formatter):
    """Format a request like Apache's `combined`, with its ID at the end, in one line whatever a client sends.

    The user is always `-`, because editors do not log in through HTTP authentication.
    """

    def format(self, record: logging.LogRecord) -> str:
        one = {name: escape(str(each)) if each else "-" for name, each in vars(record).items()}
        target = one["url.path"] + (f"?{one['url.query']}" if one["url.query"] != "-" else "")
        return (
            f"{one['client.ip']} - - [{self.formatTime(record, APACHE_TIME)}]"
            f' "{one["http.request.method"]} {target} HTTP/{one["http.version"]}"'
            f" {one['http.response.status_code']} {one.get('http.response.body.bytes', '-')}"
            f' "{one["http.request.referrer"]}" "{one["user_agent.original"]}" "{one["http.request.id"]}"'
        )


def escape(text: str) -> str:
    r"""Escape quotes, backslashes and control characters as Apache does: `\"`, `\\` and `\xhh`."""
    return _UNSAFE.sub(
        lambda found: f"\\{found[0]}" if found[0] in '"\\' else f"\\x{ord(found[0]):02x}", text
    )
