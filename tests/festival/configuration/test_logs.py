"""Logs of messages: the ID of the request, and no secret."""

import logging
from typing import Any

import pytest
from django.test import RequestFactory

from festival.configuration.logs import LineFormatter, RedactionFilter


def record(name: str, **more: Any) -> logging.LogRecord:
    made = logging.LogRecord(name, logging.INFO, "", 0, "GET %s", ("/",), None)
    vars(made).update(more)
    return made


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


def test_a_fault_of_ours_has_its_stack_trace_and_no_secret():
    made = django_record("django.request", "division: %s", "/my-list/0123")
    text = LineFormatter("%(message)s").format(made)
    assert (text.splitlines()[0], text.splitlines()[-1]) == (
        "division: /my-list/REDACTED",
        "ValueError: division: %s",
    )
