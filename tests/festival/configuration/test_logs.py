"""Logs: Apache's combined format or JSON, and one line whatever a client sends."""

import json
import logging
from logging.config import DictConfigurator
from typing import Any

import pytest
from django.test import RequestFactory

from festival import __version__
from festival.configuration.logs import (
    CombinedLogFormatter,
    LineFormatter,
    RedactionFilter,
    build_formatters,
)

FACTS = {
    "http.request.id": "0123456789abcdef",
    "client.ip": "192.0.2.7",
    "http.request.method": "GET",
    "url.path": "/api/events.json",
    "url.query": "",
    "http.version": "1.1",
    "http.response.status_code": 304,
    "http.request.referrer": "",
    "user_agent.original": "Kalender/1.0",
}
# 14:03:12.25 in Stockholm.
FINISHED = 1785326592.25
FORMATS = DictConfigurator({"version": 1})


def record(name: str = "festival.access", **more: Any) -> logging.LogRecord:
    made = logging.LogRecord(name, logging.INFO, "", 0, "GET %s", ("/",), None)
    made.created, made.process = FINISHED, 7
    vars(made).update(more)
    return made


def line(**facts: object) -> str:
    return CombinedLogFormatter().format(
        record(**FACTS | {FIELDS[name]: value for name, value in facts.items()})
    )


FIELDS = {
    "query": "url.query",
    "protocol": "http.version",
    "referrer": "http.request.referrer",
    "agent": "user_agent.original",
    "size": "http.response.body.bytes",
}


def as_json(made: logging.LogRecord) -> str:
    return str(FORMATS.configure_formatter(dict(build_formatters("json")["line"])).format(made))


def test_a_request_is_one_line_of_the_combined_format_and_its_id():
    assert line() == (
        '192.0.2.7 - - [29/Jul/2026:14:03:12 +0200] "GET /api/events.json HTTP/1.1" 304 - "-" "Kalender/1.0"'
        ' "0123456789abcdef"'
    )


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (
            {"query": "date=now&area=G%C3%A5rd"},
            "GET /api/events.json?date=now&area=G%C3%A5rd HTTP/1.1",
        ),
        ({"query": 'a="b\\'}, r"GET /api/events.json?a=\"b\\ HTTP/1.1"),
        ({"query": "\xe5\x85"}, r"GET /api/events.json?\xe5\x85 HTTP/1.1"),
    ],
)
def test_the_request_is_written_as_it_was_sent(facts, expected):
    assert line(**facts).split('"GET', 1)[1].startswith(f'{expected[3:]}" 304 -')


def test_nothing_that_a_client_says_of_itself_ends_its_quotes():
    facts = {"referrer": 'https://a.example/"', "agent": 'x" 200 - "\t', "size": 12}
    assert line(**facts).endswith(r' 304 12 "https://a.example/\"" "x\" 200 - \"\x09" "0123456789abcdef"')


def test_a_request_in_json_has_the_names_of_the_schema():
    facts = FACTS | {"user_agent.original": '"\n', "http.response.body.bytes": 12}
    assert json.loads(as_json(record(**facts))) == {
        **facts,
        "@timestamp": "2026-07-29T12:03:12.250000+00:00",
        "log.level": "INFO",
        "message": "GET /",
        "ecs.version": "8.17.0",
        "log.logger": "festival.access",
        "process.pid": 7,
        "service.name": "festival",
        "service.version": __version__,
    }


def test_an_error_in_json_has_its_trace_and_its_request():
    error = ValueError("bad\nvalue")
    text = as_json(record("programme", exc_info=(ValueError, error, None), request_id="abc"))
    fields = json.loads(text)
    assert "\n" not in text
    assert fields["http.request.id"] == "abc"
    assert fields["error.stack_trace"].endswith("ValueError: bad\nvalue")


@pytest.mark.parametrize(("request_id", "end"), [("", ""), ("abc", " [request abc]")])
def test_a_message_ends_with_the_id_of_its_request(request_id: str, end: str):
    made = record("programme", request_id=request_id)
    assert LineFormatter("%(name)s: %(message)s").format(made) == f"programme: GET /{end}"


# --- Errors that Django logs ---------------------------------------------------------------------


def django_record(name: str, text: str, *args: str) -> logging.LogRecord:
    """Return the record of an exception, as Django makes it: with its own request, and with a stack trace."""
    try:
        raise ValueError(text)  # noqa: TRY301
    except ValueError as error:
        trace = (type(error), error, error.__traceback__)
    made = record(name, request=RequestFactory().post("/"))
    made.msg, made.args, made.exc_info = text, args, trace
    assert RedactionFilter().filter(made)
    return made


def test_what_a_client_has_sent_wrong_is_one_line_without_a_stack_trace():
    made = django_record("django.security.TooManyFieldsSent", "Too many fields.")
    assert LineFormatter("%(message)s").format(made) == "Too many fields."


def test_a_fault_of_ours_has_its_stack_trace_in_both_formats_and_no_secret():
    made = django_record("django.request", "division: %s", "/my-list/0123")
    text = LineFormatter("%(message)s").format(made)
    assert (text.splitlines()[0], text.splitlines()[-1]) == (
        "division: /my-list/REDACTED",
        "ValueError: division: %s",
    )
    written = json.loads(as_json(made))
    assert written["message"] == "division: /my-list/REDACTED"
    assert written["error.stack_trace"].startswith("Traceback")
