"""The access log is Apache's combined format, and one line whatever a client sends."""

import logging

import pytest

from festival.logs import ACCESS_FIELDS, CombinedLogFormatter

REQUEST = {
    "addr": "192.0.2.7",
    "time": "2026-07-29 14:03:12 +0200",
    "method": "GET",
    "path": "/api/events.json",
    "query_string": "",
    "protocol": "HTTP/1.1",
    "status": 304,
    "header{referer}": "-",
    "header{user-agent}": "Kalender/1.0",
}


def line(**facts: object) -> str:
    record = logging.LogRecord(
        "granian.access", logging.INFO, "", 0, ACCESS_FIELDS, ({**REQUEST, **facts},), None
    )
    return CombinedLogFormatter().format(record)


def test_a_request_is_one_line_of_the_combined_format():
    assert line() == (
        '192.0.2.7 - - [29/Jul/2026:14:03:12 +0200] "GET /api/events.json HTTP/1.1" 304 - "-" "Kalender/1.0"'
    )


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (
            {"query_string": "date=now&area=G%C3%A5rd"},
            "GET /api/events.json?date=now&area=G%C3%A5rd HTTP/1.1",
        ),
        ({"query_string": 'a="b\\'}, r"GET /api/events.json?a=\"b\\ HTTP/1.1"),
        ({"query_string": "\xe5\x85"}, r"GET /api/events.json?\xe5\x85 HTTP/1.1"),
        # Decoded by the server, byte for byte: `/%0A"å%1F` as it was sent.
        ({"path": '/\n"\xc3\xa5\x1f'}, "GET /%0A%22%C3%A5%1F HTTP/1.1"),
        ({"path": "/en/occasion/7;v=1,2@(x)"}, "GET /en/occasion/7;v=1,2@(x) HTTP/1.1"),
        ({"protocol": "HTTP/1"}, "GET /api/events.json HTTP/1.0"),
    ],
)
def test_the_request_is_written_as_it_was_sent(facts, expected):
    assert line(**facts).split('"GET', 1)[1].startswith(f'{expected[3:]}" 304 -')


def test_nothing_that_a_client_says_of_itself_ends_its_quotes():
    facts = {"header{referer}": 'https://a.example/"', "header{user-agent}": 'x" 200 - "\t'}
    assert line(**facts).endswith(r' 304 - "https://a.example/\"" "x\" 200 - \"\x09"')
