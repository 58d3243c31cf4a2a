"""Logs of messages: the ID of the request, and no secret."""

import json
import logging
import logging.config
from pathlib import Path
from typing import Any

import pytest
from django.test import RequestFactory

import festival
from festival.configuration.logs import LOGGING, LineFormatter, RedactionFilter, redact
from tests.tables import read_table


def record(name: str, *arguments: Any, **more: Any) -> logging.LogRecord:
    made = logging.LogRecord(name, logging.INFO, "", 0, "GET %s", arguments, None)
    vars(made).update(more)
    return made


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
    assert logging.Formatter("%(message)s").format(made) == "Too many fields."


def test_a_fault_of_ours_has_its_stack_trace_and_no_secret():
    made = django_record("django.request", "division: %s", "/my-list/0123")
    text = LineFormatter("%(message)s").format(made)
    assert text.splitlines()[0] == "division: /my-list/REDACTED"
    assert text.splitlines()[-1] == "  ValueError: division: %s"
    assert "  Traceback" in text.splitlines()[1]


FORGED = "2026-07-28T12:00:00+0000 INFO festival: signed in"
ENDS = ["\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "\x1b[2K", "\x00"]


@pytest.mark.parametrize("end", ENDS)
def test_nothing_that_is_sent_begins_a_line_of_the_log(end):
    formatter = LineFormatter("%(name)s %(message)s")
    for made in (
        record("festival", f"/media/{end}{FORGED}"),
        record(f"festival{end}{FORGED}", "/"),
        django_record("django.request", "no file: %s", f"/media/{end}{FORGED}"),
        django_record("django.request", f"no file {end}{FORGED}"),
    ):
        text = formatter.format(made)
        assert all(line.startswith("  ") for line in text.splitlines()[1:])
        assert end not in text.replace("\n", "")


OF_GRANIAN = json.loads((Path(festival.__file__).parent / "server/granian_log.json").read_text())


@pytest.mark.parametrize("configuration", [LOGGING, OF_GRANIAN], ids=["service", "granian"])
def test_every_handler_writes_lines(configuration):
    made = logging.config.DictConfigurator(configuration)
    handlers = configuration["handlers"].values()
    assert {
        made.configure_formatter({**configuration["formatters"][each["formatter"]]}).__class__
        for each in handlers
    } == {LineFormatter}


def test_the_access_log_of_granian_has_no_secrets():
    made = logging.LogRecord("granian.access", logging.INFO, "", 0, "%(path)s %(status)d", None, None)
    made.args = {"path": "/my-list/0123456789abcdef.ics", "status": 200}
    assert RedactionFilter().filter(made)
    assert made.getMessage() == "/my-list/REDACTED 200"


@pytest.mark.parametrize(("text", "expected"), read_table(Path(__file__).with_name("redaction.md")))
def test_secrets_are_left_out(text: str, expected: str) -> None:
    assert redact(text) == expected
