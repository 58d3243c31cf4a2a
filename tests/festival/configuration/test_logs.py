"""Logs of messages: the ID of the request, and no secret."""

import logging
from typing import Any

import pytest
from django.test import RequestFactory

from festival.configuration.logs import RedactionFilter, redact


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
    text = logging.Formatter("%(message)s").format(made)
    assert (text.splitlines()[0], text.splitlines()[-1]) == (
        "division: /my-list/REDACTED",
        "ValueError: division: %s",
    )


def test_the_access_log_of_granian_has_no_secrets():
    made = logging.LogRecord("granian.access", logging.INFO, "", 0, "%(path)s %(status)d", None, None)
    made.args = {"path": "/my-list/0123456789abcdef.ics", "status": 200}
    assert RedactionFilter().filter(made)
    assert made.getMessage() == "/my-list/REDACTED 200"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Queries.
        ("", ""),
        ("date=now&area=Tomten", "date=now&area=Tomten"),
        ("token=abc&x=1", "token=REDACTED&x=1"),
        ("code=4%2F0&state=xyz&scope=openid", "code=REDACTED&state=REDACTED&scope=openid"),
        (
            "access_token=a&PASSWORD=b&password1=c",
            "access_token=REDACTED&PASSWORD=REDACTED&password1=REDACTED",
        ),
        ("api_key=d&key=e&sessionid=f", "api_key=REDACTED&key=REDACTED&sessionid=REDACTED"),
        ("token=", "token="),
        ("tokens=3&next=/admin/", "tokens=3&next=/admin/"),
        ("signinterpreted=1&token", "signinterpreted=1&token"),
        # Paths.
        ("/admin/programme/event/7001/change/", "/admin/programme/event/7001/change/"),
        ("/admin/reset/MQ/c8w4g5-7c1c0f0b1f6d1a1f2e3d/", "/admin/reset/MQ/REDACTED/"),
        ("/admin/authenticate/reauthenticate/", "/admin/authenticate/reauthenticate/"),
        ("/tillfalle/abcdefghijklmnopqrstuvwxyz1", "/tillfalle/abcdefghijklmnopqrstuvwxyz1"),
        (
            "/static/programme/occasion.0123456789abcdef.css",
            "/static/programme/occasion.0123456789abcdef.css",
        ),
        ("/my-list", "/my-list"),
        ("/my-list/0123456789abcdef0123456789abcdef.ics", "/my-list/REDACTED"),
        ("//my-list/a/b", "//my-list/REDACTED/b"),
        # Referrers.
        ("https://a.example/x?code=1&y=2", "https://a.example/x?code=REDACTED&y=2"),
        ("https://a.example", "https://a.example"),
        ("garbage", "garbage"),
    ],
)
def test_secrets_are_left_out(text: str, expected: str) -> None:
    assert redact(text) == expected
