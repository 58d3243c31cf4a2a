"""The access log keeps what is needed to understand a request, and no secret."""

import logging
from collections.abc import Iterable
from typing import Any

import pytest

from festival.configuration.logs import RedactionFilter, redact
from festival.monitoring.access_log import AccessLog

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


def read_facts(caplog: pytest.LogCaptureFixture) -> dict[str, Any]:
    (record,) = caplog.records
    RedactionFilter().filter(record)
    return {name: value for name, value in vars(record).items() if "." in name and name != "event.duration"}


EXPECTED = {
    "http.request.id": "0123456789abcdef",
    "client.ip": "192.0.2.7",
    "http.request.method": "GET",
    "url.path": "/%0A%22%C3%A5%1F",
    "url.query": "date=now&token=REDACTED",
    "http.version": "1.1",
    "http.request.referrer": "",
    "user_agent.original": "Kalender/1.0",
    "http.response.status_code": 200,
    "http.response.body.bytes": 5,
}


def test_a_request_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def application(environ: Any, start_response: Any) -> Iterable[bytes]:
        environ.clear()
        start_response("200 OK", [("Content-Length", "5")])
        return [b"hello"]

    caplog.set_level(logging.INFO, "festival.access")
    assert list(AccessLog(application)(dict(ENVIRON), lambda *_: None)) == [b"hello"]
    assert read_facts(caplog) == EXPECTED


def test_a_request_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def application(environ: Any, start_response: Any) -> Iterable[bytes]:
        raise ValueError

    caplog.set_level(logging.INFO, "festival.access")
    with pytest.raises(ValueError):
        AccessLog(application)(dict(ENVIRON), lambda *_: None)
    assert read_facts(caplog) == {
        **EXPECTED,
        "http.response.status_code": 500,
        "http.response.body.bytes": None,
    }


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
