"""The access log keeps what is needed to understand a request, and no secret."""

import logging
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Any

import pytest

from festival.configuration.logs import RedactionFilter, redact
from festival.monitoring.access_log import AccessLog
from tests.conftest import SetClock

ENVIRON = {
    "REQUEST_METHOD": "GET",
    # Decoded by the server, byte for byte: `/%0A"å%1F` as it was sent.
    "PATH_INFO": '/\n"\xc3\xa5\x1f',
    "QUERY_STRING": "date=now&token=abc",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "REMOTE_ADDR": "127.0.0.1",
    "HTTP_X_FORWARDED_FOR": "192.0.2.7",
    "HTTP_X_REQUEST_ID": "0123456789abcdef",
    "HTTP_USER_AGENT": "Kalender/1.0",
    "HTTP_COOKIE": "sessionid=secret",
    "HTTP_AUTHORIZATION": "Bearer secret",
}


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture, at: SetClock) -> Callable[..., str]:
    """Return a function that returns the line of a request that is answered, or fails."""

    def log_request(content: bytes = b"", **more: str) -> str:
        def application(environ: Any, start_response: Any) -> Iterable[bytes]:
            environ.clear()
            if not content:
                raise ValueError
            start_response("200 OK", [("Content-Length", str(len(content)))])
            return [content]

        caplog.clear()
        caplog.set_level(logging.INFO, "festival.access")
        with nullcontext() if content else pytest.raises(ValueError):
            assert list(AccessLog(application)(ENVIRON | more, lambda *_: None)) == [content]
        (made,) = caplog.records
        assert RedactionFilter().filter(made)
        return made.getMessage()

    at(datetime(2026, 7, 29, 12, 3, 12, 250_000, UTC))
    return log_request


def test_a_request_is_a_line_of_the_combined_format_and_its_id(log: Callable[..., str]) -> None:
    assert log(b"hello") == (
        '192.0.2.7 - - [29/Jul/2026:14:03:12 +0200] "GET /%0A%22%C3%A5%1F?date=now&token=REDACTED HTTP/1.1" 200 5'
        ' "-" "Kalender/1.0" "0123456789abcdef"'
    )


def test_a_request_that_fails_is_logged(log: Callable[..., str]) -> None:
    assert log(QUERY_STRING="").endswith(
        '"GET /%0A%22%C3%A5%1F HTTP/1.1" 500 - "-" "Kalender/1.0" "0123456789abcdef"'
    )


def test_nothing_that_a_client_says_of_itself_ends_its_quotes(log: Callable[..., str]) -> None:
    said = {
        "QUERY_STRING": 'a="b\\\xe5',
        "HTTP_REFERER": 'https://a.example/"',
        "HTTP_USER_AGENT": 'x" 200 - "\t',
    }
    line = log(b"hello", PATH_INFO="/", **said)
    assert r'"GET /?a=\"b\\\xe5 HTTP/1.1" 200 5 "https://a.example/\"" "x\" 200 - \"\x09" "' in line


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
