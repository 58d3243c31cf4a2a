"""Log formats: messages on stderr, requests on stdout; as text (Apache's combined format) or as JSON.

JSON has the field names of the Elastic Common Schema, and all its times are in UTC. Text has the festival's
time zone.
"""

import logging
import re
from datetime import UTC, datetime
from typing import Any

from pythonjsonlogger.json import JsonFormatter

from festival import __version__
from festival.configuration.redaction import redact

TEXT, JSON = "text", "json"
LOG_FORMATS = (TEXT, JSON)
DATE_FORMAT = "%Y-%m-%dT%H:%M:%S%z"
LINE_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
# The release of the schema that field names are taken from.
ECS_VERSION = "8.17.0"

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_UNSAFE = re.compile(r'["\\\x00-\x1f\x7f-\U0010ffff]')
NANOSECONDS = 1_000_000_000


def build_formatters(log_format: str) -> dict[str, Any]:
    """Return the formatters of a logging configuration: of messages ("line") and requests ("request")."""
    if log_format == JSON:
        return {name: {"()": "festival.configuration.logs.EcsFormatter"} for name in ("line", "request")}
    line = {"()": "festival.configuration.logs.LineFormatter", "format": LINE_FORMAT, "datefmt": DATE_FORMAT}
    return {"line": line, "request": {"()": "festival.configuration.logs.CombinedLogFormatter"}}


def build_logging(log_format: str) -> dict[str, Any]:
    """Return Django's logging configuration; its own logs no errors when DEBUG is off."""
    stderr = {"class": "logging.StreamHandler", "formatter": "line", "filters": ["request", "errors"]}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": build_formatters(log_format),
        "filters": {
            "request": {"()": "festival.http.request_id.RequestIdFilter"},
            "errors": {"()": "festival.configuration.logs.DjangoErrorFilter"},
        },
        "handlers": {
            "stderr": stderr,
            "stdout": {
                "class": "logging.StreamHandler",
                "formatter": "request",
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


class LineFormatter(logging.Formatter):
    """Format a message as a line that ends with the ID of its request."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        request_id = getattr(record, "request_id", "")
        return super().formatMessage(record) + (request_id and f" [request {request_id}]")


class DjangoErrorFilter(logging.Filter):
    """Write what a client has sent wrong in one line: a stack trace would say nothing more of it.

    Django hands over its request too, which is not the one of the access log, and names its path, which may
    have a secret.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        request = vars(record).pop("request", None)
        if isinstance(record.args, tuple):
            record.args = tuple(redact(each) if isinstance(each, str) else each for each in record.args)
        if record.name.startswith("django.security.") and request is not None:
            path = escape(redact(request.path))
            record.msg = f"{request.method} {path} was refused: {record.getMessage()}"
            record.args = ()
            record.exc_info = record.exc_text = None
        return True


class CombinedLogFormatter(logging.Formatter):
    """Format a request like Apache's `combined`, with its ID at the end, in one line whatever a client sends.

    The user is always `-`, because editors do not log in through HTTP authentication.
    """

    def format(self, record: logging.LogRecord) -> str:
        facts = record.access  # type: ignore[attr-defined]
        protocol = "HTTP/1.0" if facts.protocol == "HTTP/1" else facts.protocol
        time = datetime.fromtimestamp(record.created - facts.seconds, UTC).astimezone()
        size = "-" if facts.size is None else facts.size
        request = f"{facts.method} {escape(facts.target)} {protocol}"
        referrer, agent = escape(facts.referrer) or "-", escape(facts.agent) or "-"
        return (
            f'{facts.address or "-"} - - [{_apache_time(time)}] "{request}" {facts.status} {size}'
            f' "{referrer}" "{agent}" "{facts.request_id}"'
        )


class EcsFormatter(JsonFormatter):
    """Format a record as one line of JSON with the field names of the Elastic Common Schema."""

    def add_fields(
        self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]
    ) -> None:
        facts = getattr(record, "access", None)
        log_data |= {
            "@timestamp": _utc(record.created - (facts.seconds if facts else 0)),
            "log.level": record.levelname.lower(),
            "message": record.getMessage(),
            "ecs.version": ECS_VERSION,
            "log.logger": record.name,
            "process.pid": record.process,
            "service.name": "festival",
            "service.version": __version__,
        }
        if request_id := facts.request_id if facts else getattr(record, "request_id", ""):
            log_data["http.request.id"] = request_id
        if facts:
            log_data |= _request_fields(facts)
        if record.exc_info and record.exc_info[0]:
            log_data["error.type"] = record.exc_info[0].__name__
            log_data["error.message"] = str(record.exc_info[1])
            log_data["error.stack_trace"] = message_dict.get("exc_info")


def _request_fields(facts: Any) -> dict[str, Any]:
    fields = {
        "client.ip": facts.address,
        "http.request.method": facts.method,
        "url.path": facts.path,
        "url.query": facts.query,
        "http.version": facts.protocol.removeprefix("HTTP/"),
        "http.response.status_code": facts.status,
        "http.response.body.bytes": facts.size,
        "event.duration": round(facts.seconds * NANOSECONDS),
        "http.request.referrer": facts.referrer,
        "user_agent.original": facts.agent,
    }
    return {name: value for name, value in fields.items() if value not in ("", None)}


def escape(text: str) -> str:
    r"""Escape quotes, backslashes and control characters as Apache does: `\"`, `\\` and `\xhh`."""
    return _UNSAFE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return f"\\{character}" if character in '"\\' else f"\\x{ord(character):02x}"


def _apache_time(time: datetime) -> str:
    """Return `29/Jul/2026:14:03:12 +0200`, in English whatever the locale."""
    return f"{time.day:02}/{_MONTHS[time.month - 1]}/{time:%Y:%H:%M:%S %z}"


def _utc(timestamp: float) -> str:
    return datetime.fromtimestamp(timestamp, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
