"""Each verdict of the check of the running service, on a service that is spoilt in one way."""

import json
import re
import socket
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.db import OperationalError
from django.utils.http import http_date
from django.utils.translation import override

from feeds.formats import FORMATS
from feeds.programme import Programme
from feeds.vocabulary import Revision
from festival.monitoring import health
from festival.monitoring.live import run, surroundings
from festival.monitoring.live.fetching import FetchError, Response
from festival.monitoring.live.findings import Finding, Level, Report
from programme.publishing import loading
from tests.conftest import NOW

# The database that the sample is made in; nothing is read from it afterwards.
pytestmark = pytest.mark.django_db

Spoil = dict[str, Callable[[Response], Response]]
Problems = Callable[[], list[tuple[str, str, str]]]


def edit(change: Callable[[bytes], bytes]) -> Callable[[Response], Response]:
    return lambda response: response._replace(body=change(response.body))


def header(**headers: str) -> Callable[[Response], Response]:
    changed = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda response: response._replace(headers=response.headers | changed)


def without(name: str) -> Callable[[Response], Response]:
    return lambda response: response._replace(
        headers={key: value for key, value in response.headers.items() if key != name}
    )


def test_a_service_that_works_is_green(spoil: Spoil) -> None:
    report = run.check_live()
    assert [each.text for each in report.findings if each.level is not Level.GREEN] == []
    assert (report.level, report.base_url, report.causes()) == (Level.GREEN, "https://program.example", {})
    assert {f"feed.{each.extension}" for each in FORMATS} | {
        *("programme", "database", "areas", "pages", "files", "schema", "conditional", "compression", "cors"),
        *("negotiation", "lists", "cache", "speed", "clock", "backup", "disk"),
    } == set(report.levels())


def shorten(body: bytes, begin: bytes, end: bytes) -> bytes:
    """Leave out the first item of a document."""
    start = body.index(begin)
    return body[:start] + body[body.index(end, start) + len(end) :]


@pytest.mark.parametrize(
    ("extension", "begin", "end"),
    [
        ("atom", b"<entry>", b"</entry>"),
        ("rss", b"<item>", b"</item>"),
        ("rss-wp", b"<item>", b"</item>"),
        ("ics?", b"BEGIN:VEVENT", b"END:VEVENT\r\n"),
        ("bbcode", b"[b]", b"[/url]"),
        ("qx1", b"<p", b"</p>"),
        ("frab-xml", b"<event ", b"</event>"),
        ("frab-json", b'{"id":800', b'"attachments":[]},'),
    ],
)
def test_an_occasion_that_one_format_lacks(
    spoil: Spoil, problems: Problems, extension: str, begin: bytes, end: bytes
) -> None:
    spoil[f"/api/events.{extension.replace('?', '?language')}"] = edit(lambda body: shorten(body, begin, end))
    if extension == "rss":
        spoil["/api/events.rss-"] = lambda response: response
    found = problems()
    name = extension.removesuffix("?")
    assert (f"feed.{name}", "red", "missing") in found
    others = {"feed.rss-wp"} if name == "rss" else {"feed.ics-text"} if name == "ics" else set()
    assert {check for check, _level, _code in found} <= {f"feed.{name}", *others}


@pytest.mark.parametrize(
    ("extension", "change", "code"),
    [
        ("atom", lambda body: body.replace(b"<feed", b"<reed", 1), "unreadable"),
        ("atom", lambda body: body[:-20], "unreadable"),
        ("rss-wp", lambda _body: b"", "unreadable"),
        ("qx1", lambda _body: b"\xff\xfe\x00", "unreadable"),
        ("bbcode", lambda _body: b"<html>Sorry</html>", "unreadable"),
        ("bbcode", lambda body: re.sub(rb"\[b\]\d\d:", b"[b]03:", body, count=1), "different"),
        ("qx1", lambda body: re.sub(rb"<strong>..", b"<strong>03", body, count=1), "different"),
        ("atom", lambda body: re.sub(rb"(<entry>.*?<title[^>]*>)", rb"\1x", body, count=1), "different"),
        ("bbcode", lambda body: b"\n".join(reversed(body.split(b"\n"))), "order"),
        ("qx1", lambda body: body.replace(b"<div class", b"<div id", 1), "unreadable"),
        ("frab-xml", lambda body: body.replace(b"<schedule>", b"<html>", 1), "unreadable"),
        ("frab-xml", lambda body: re.sub(rb"(<date>2026-07-..T)..", rb"\g<1>03", body, count=1), "different"),
        (
            "frab-xml",
            lambda body: body.replace("[INSTÄLLT] ".encode(), b"").replace(b"[CANCELLED] ", b""),
            "different",
        ),
        ("frab-json", lambda _body: b'{"schedule": {"conference": {"days": [{"rooms": []}]}}}', "unreadable"),
        ("frab-json", lambda body: re.sub(rb'"title":"J', b'"title":"j', body, count=1), "different"),
    ],
)
def test_a_format_that_says_something_else(
    spoil: Spoil, problems: Problems, extension: str, change: Callable[[bytes], bytes], code: str
) -> None:
    spoil[f"/api/events.{extension}"] = edit(change)
    assert set(problems()) == {(f"feed.{extension}", "red", code)}


@pytest.mark.parametrize(
    "body", [b"", b"[", b"{}x", b'{"a": 1}', b"[1]", b"null", b'[{"occation": {}}]', b"[" * 100_000, b"\xff"]
)
def test_json_that_is_none(spoil: Spoil, problems: Problems, body: bytes) -> None:
    spoil["/api/"] = edit(lambda _body: body)
    found = problems()
    assert ("feed.json", "red", "unreadable") in found
    assert {code for _check, _level, code in found} <= {"unreadable", "not_304", "schema_broken"}


def change_first(**values: Any) -> Callable[[Response], Response]:
    def change(body: bytes) -> bytes:
        events = json.loads(body)
        events[0].update(values)
        return json.dumps(events).encode()

    return edit(change)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(89, ("database", "yellow", "edited_just_now")), (90, ("database", "red", "not_the_database"))],
)
def test_readers_who_get_an_old_programme(  # noqa: PLR0917
    spoil: Spoil,
    problems: Problems,
    sample_programme: Programme,
    monkeypatch: pytest.MonkeyPatch,
    seconds: int,
    expected: tuple[str, str, str],
) -> None:
    spoil["/api/events.json"] = change_first(lastModified="2020-01-01T00:00:00.000000+01:00")
    run.check_live()
    edited = Revision(7, NOW - timedelta(seconds=seconds))
    now = msgspec.structs.replace(sample_programme, revision=edited)
    monkeypatch.setattr(loading, "load", lambda *_before: now)
    assert expected in problems()


def test_a_database_that_does_not_answer(
    spoil: Spoil, problems: Problems, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: Any) -> Any:
        raise OperationalError("connection refused")

    run.check_live()
    monkeypatch.setattr(loading, "load", fail)
    assert problems() == [("database", "red", "database_away")]


@pytest.mark.parametrize(
    ("extension", "name"), [("ics", b"UID:"), ("frab-xml", b' guid="'), ("frab-json", b'"guid":"')]
)
def test_identities_that_programs_do_not_know(
    spoil: Spoil, problems: Problems, extension: str, name: bytes
) -> None:
    spoil[f"/api/events.{extension}"] = edit(lambda body: re.sub(name + b".", name + b"x", body))
    assert (f"feed.{extension}", "red", "uid") in problems()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda document: document["occasions"].pop(), "missing"),
        (lambda document: document["occasions"].append({**document["occasions"][0], "url": {"sv": "x", "en": "x"}}), "extra"),
        (lambda document: document["occasions"].reverse(), "order"),
        (lambda document: document["occasions"][0].update(cancelled=True), "different"),
        (lambda document: document["occasions"][3].update(endsAt="2026-07-29T03:33:00+02:00"), "different"),
        (lambda document: document["events"].pop(0), "unreadable"),
        (lambda document: document.clear(), "unreadable"),
    ],
)  # fmt: skip
def test_a_programme_that_says_something_else(
    spoil: Spoil, problems: Problems, change: Callable[[Any], None], code: str
) -> None:
    def spoil_document(body: bytes) -> bytes:
        document = json.loads(body)
        change(document)
        return json.dumps(document).encode()

    spoil["/api/programme"] = edit(spoil_document)
    assert set(problems()) == {("programme", "red", code)}


def spoil_status(status: int) -> Callable[[Response], Response]:
    return lambda response: response._replace(status=status, body=b"Sorry")


@pytest.mark.parametrize(
    ("path", "change", "expected"),
    [
        ("/api/events.atom", spoil_status(500), [("service", "red", "status")] * 2),
        ("/api/events.atom", spoil_status(404), [("feed.atom", "red", "status")] * 2),
        ("/api/events.ics-text", edit(lambda body: body + b" "), [("feed.ics-text", "red", "calendar_text")] * 2),
        ("/api/events.rss-wp", header(content_type="text/html"), [("feed.rss-wp", "red", "media_type")] * 2),
        ("/api/areas", edit(lambda body: body.replace(b'occationCount":', b'occationCount":1')), None),
        ("/api/schema", edit(lambda _body: b"{}"), [("schema", "red", "schema_broken")]),
        ("/my-list/", spoil_status(503), [("lists", "yellow", "lists_away")]),
        ("/my-list/", spoil_status(200), [("lists", "red", "status")]),
        ("/my-list/", header(content_type="text/html"), [("lists", "red", "status")]),
        ("/my-list/", header(cache_control="public"), [("lists", "red", "list_cached")]),
        ("/en/subscribe", edit(lambda body: body[:500]), [("pages", "red", "page_broken")]),
        ("/en/subscribe", edit(lambda body: body.replace(b'lang="en"', b'lang="sv"')), [("pages", "red", "page_language")]),
        ("/static/", spoil_status(404), [("files", "red", "status")]),
        ("/api/events", header(access_control_allow_origin="https://a.example"), [("cors", "red", "cors")]),
        ("/api/events", without("access-control-allow-origin"), [("cors", "red", "cors")]),
        ("/api/events.json", without("etag"), [("conditional", "red", "no_etag")]),
        ("/api/events", header(age="500"), None),
        ("/api/events.qx1", header(x_cache="STALE"), [("cache", "yellow", "stale")] * 2),
        ("/api/events.qx1", lambda response: response._replace(seconds=3.0), [("speed", "yellow", "slow")]),
    ],
)  # fmt: skip
def test_a_part_that_is_wrong(
    spoil: Spoil,
    problems: Problems,
    path: str,
    change: Callable[[Response], Response],
    expected: list[tuple[str, str, str]] | None,
) -> None:
    spoil[path] = change
    found = problems()
    if expected is None:
        checks = {"/api/areas": ("areas", "red", "area_counts"), "/api/events": ("cache", "red", "too_old")}
        assert checks[path] in found
    else:
        assert found == expected


def test_a_redirect_is_not_followed(spoil: Spoil, problems: Problems) -> None:
    spoil["/api/events.atom"] = lambda response: response._replace(
        status=302, headers=response.headers | {"location": "https://elsewhere.example/"}
    )
    assert problems() == [("feed.atom", "red", "redirect")] * 2


def test_a_304_that_is_not_given(spoil: Spoil, problems: Problems) -> None:
    spoil["/api/events.json"] = lambda response: response._replace(status=200)
    assert problems() == [("conditional", "red", "not_304")]


def test_a_cache_that_ignores_vary(spoil: Spoil, problems: Problems) -> None:
    spoil["/api/events"] = lambda response: (
        header(content_type="text/calendar", vary="Accept-Encoding")(response)
        if response.path == "/api/events"
        else response
    )
    assert set(problems()) == {("negotiation", "red", "negotiation"), ("negotiation", "red", "vary")}


def test_compression_that_a_proxy_removes(spoil: Spoil, problems: Problems) -> None:
    spoil["/api/events.json"] = without("content-encoding")
    assert problems() == [("compression", "yellow", "not_compressed")] * 3


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (5, []),
        (30, [("clock", "yellow", "clock_date_header")]),
        (-3600, [("clock", "red", "clock_date_header")]),
    ],
)
def test_a_clock_that_is_off(
    spoil: Spoil, problems: Problems, seconds: int, expected: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil["/"] = header(date=http_date(NOW.timestamp() + seconds))
    assert problems() == expected


@pytest.mark.parametrize("date", ["", "yesterday", "Wed, 99 Jul 2026 12:00:00 GMT"])
def test_a_date_that_is_none(spoil: Spoil, problems: Problems, date: str) -> None:
    spoil["/"] = header(date=date)
    assert problems() == [("clock", "yellow", "no_date")]


def test_a_service_that_does_not_answer_is_one_cause(spoil: Spoil, problems: Problems) -> None:
    def fail(response: Response) -> Response:
        raise FetchError("no_answer", path=response.path, reason="connection refused")

    spoil["/"] = fail
    found = problems()
    assert {check for check, _level, _code in found} == {"service"}
    assert len(found) <= 5


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_nothing_that_answers_is_one_finding(settings: Any, tmp_path: Path, scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings.BASE_URL, settings.BACKUP_DIR = f"{scheme}://127.0.0.1:{port}", tmp_path
    findings = [each for each in run.check_live().findings if each.check in {"service", "certificate"}]
    with override("en"):
        found = [each.text for each in findings]
    assert found == [
        f"Nothing answers at {scheme}://127.0.0.1:{port}: [Errno 111] Connection refused."
        " See `systemctl status festival`."
    ]


@pytest.mark.parametrize(
    ("age", "expected"),
    [(timedelta(days=2), []), (timedelta(days=2, seconds=1), [("backup", "red", "backup_age")])],
)
def test_a_backup_has_an_age(
    spoil: Spoil, problems: Problems, age: timedelta, expected: list[Any], settings: Any
) -> None:
    for path in Path(settings.BACKUP_DIR).iterdir():
        path.rename(path.with_name(f"festival-{NOW - age:%Y%m%dT%H%M%S}Z.tar"))
    assert problems() == expected


def test_there_is_no_backup(spoil: Spoil, problems: Problems, settings: Any) -> None:
    for path in Path(settings.BACKUP_DIR).iterdir():
        path.unlink()
    assert problems() == [("backup", "red", "no_backup")]


def test_free_space_is_told_in_gigabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = iter([81_610_000_000, 900_000_000])
    monkeypatch.setattr(
        surroundings, "check_disk", lambda: health.Outcome("", {"free_bytes": next(outcomes)})
    )
    texts = [each.text for _number in range(2) for each in surroundings.check_storage()]
    assert texts == ["81 GB ledigt.", "DATA_DIR har 900 MB kvar."]


def test_the_disk_is_full(spoil: Spoil, problems: Problems, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "MIN_FREE_BYTES", 10**18)
    assert problems() == [("disk", "red", "disk")]


def test_a_check_that_fails_is_a_finding(
    spoil: Spoil, problems: Problems, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: Any) -> Any:
        raise ZeroDivisionError("x")

    monkeypatch.setattr(run.serving, "check_speed", fail)
    assert problems() == [("speed", "red", "crashed")]


def test_the_last_report_is_kept(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path
    assert run.read_last() is None
    report = Report(NOW, 1.5, "http://a.example", [Finding("disk", Level.RED, "disk", {"megabytes": 7})])
    run.save(report)
    assert run.read_last() == report
    run.get_path().write_bytes(b"{")
    assert run.read_last() is None


def test_a_report_of_another_version_has_texts_too() -> None:
    unknown = Finding("new", Level.RED, "brand_new", {})
    lacking = Finding("disk", Level.RED, "disk", {})
    assert (unknown.text, unknown.label, lacking.text) == ("brand_new", "new", "disk")
