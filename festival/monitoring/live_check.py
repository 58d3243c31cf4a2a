"""Fetches each format under BASE_URL as readers do, and looks at the certificate and the backups."""

import json
import re
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

from defusedxml import ElementTree
from django.conf import settings
from django.utils.translation import gettext_noop as _
from icalendar import Calendar

from feeds.formats import BY_EXTENSION
from festival import clock
from festival.backup.storage import find_latest
from festival.monitoring.live_report import GREEN, RED, YELLOW, Finding, Report, Values

# Seconds for each step of a response.
TIMEOUT = 10.0
CERTIFICATE_YELLOW, CERTIFICATE_RED = timedelta(days=14), timedelta(days=3)
BACKUP_RED = timedelta(days=2)


def _count_in_schedule(body: bytes) -> int:
    days = json.loads(body)["schedule"]["conference"]["days"]
    return sum(len(events) for day in days for events in day["rooms"].values())


_parse = ElementTree.fromstring
# By extension: counts the occasions with a parser that the service does not write with.
COUNTS: dict[str, Callable[[bytes], int]] = {
    "json": lambda body: len(json.loads(body)),
    "atom": lambda body: len(_parse(body).findall("{http://www.w3.org/2005/Atom}entry")),
    **dict.fromkeys(("rss", "rss-wp"), lambda body: len(_parse(body).findall("channel/item"))),
    **dict.fromkeys(("ics", "ics-text"), lambda body: len(Calendar.from_ical(body).walk("VEVENT"))),
    "bbcode": lambda body: len(re.findall(rb"^\[b\]\S+\[/b\] \[url=", body, re.MULTILINE)),
    "qx1": lambda body: len(re.findall(rb"^<p[ >]", body, re.MULTILINE)),
    "frab-xml": lambda body: len(_parse(body).findall("day/room/event")),
    "frab-json": _count_in_schedule,
    "csv": lambda body: body.count(b"\r\n") - 1,
}


def check_live() -> Report:
    """Check the service under BASE_URL; whatever it sends, the other checks go on."""
    findings = [*_run("service", check_service()), *_run("backup", check_backup(clock.now()))]
    return Report(clock.now(), findings)


def _run(name: str, check: Iterable[Finding]) -> Iterator[Finding]:
    try:
        yield from check
    except Exception as error:  # noqa: BLE001 - there must be a report all the same
        yield Finding(name, RED, _("The check itself failed: %(reason)s."), {"reason": _describe(error)})


def fetch(path: str) -> tuple[int, bytes]:
    """Return status and body of the response to a path under BASE_URL; raises OSError, HTTPException."""
    try:
        answer = build_opener(ProxyHandler({})).open(settings.BASE_URL + path, timeout=TIMEOUT)
    except HTTPError as error:
        answer = error
    with answer:
        return answer.status, answer.read()


def check_service() -> Iterator[Finding]:
    """Check each format against the JSON, again if an edit came between; and the certificate."""
    try:
        for _attempt in range(3):
            answer = fetch("/api/events.json")
            found = {"json": _judge("json", *answer, None)}
            count = found["json"].values.get("count")
            for extension in BY_EXTENSION.keys() - found if count is not None else ():
                found[extension] = _judge(extension, *fetch(f"/api/events.{extension}"), count)
            if fetch("/api/events.json") == answer:
                break
    except (OSError, HTTPException) as error:
        values = {"url": settings.BASE_URL, "reason": _describe(error)}
        sentence = _("Nothing answers at %(url)s: %(reason)s. See `systemctl status festival`.")
        yield Finding("service", RED, sentence, values)
        return
    yield Finding("service", GREEN, _("The service answers at %(url)s."), {"url": settings.BASE_URL})
    yield from (found[extension] for extension in BY_EXTENSION if extension in found)
    yield from _run("certificate", check_certificate(settings.BASE_URL, clock.now()))


def _judge(extension: str, status: int, body: bytes, expected: int | str | None) -> Finding:
    check = f".{extension}"
    values: Values = {"path": f"/api/events.{extension}", "status": status}
    if status != HTTPStatus.OK:
        return Finding(check, RED, _("%(path)s answers %(status)s."), values)
    try:
        values |= {"count": COUNTS[extension](body), "kilobytes": len(body) // 1000}
    except Exception as error:  # noqa: BLE001 - parsers raise whatever garbage leads to
        values["reason"] = _describe(error)
        return Finding(check, RED, _("%(path)s cannot be read: %(reason)s."), values)
    if expected not in (None, values["count"]):
        values["expected"] = expected or 0
        return Finding(check, RED, _("%(path)s has %(count)s occasions, the JSON %(expected)s."), values)
    return Finding(check, GREEN, _("%(path)s: %(count)s occasions, %(kilobytes)s kB."), values)


def check_certificate(base_url: str, now: datetime) -> Iterator[Finding]:
    """Say how long the certificate is valid, which fetching has verified; nothing for an http BASE_URL."""
    url = urlsplit(base_url)
    if url.scheme != "https":
        return
    with (
        socket.create_connection((url.hostname, url.port or 443), TIMEOUT) as plain,
        ssl.create_default_context().wrap_socket(plain, server_hostname=url.hostname) as encrypted,
    ):
        certificate = encrypted.getpeercert() or {}
    ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate["notAfter"])), UTC)
    level = RED if ends - now < CERTIFICATE_RED else YELLOW if ends - now < CERTIFICATE_YELLOW else GREEN
    values: Values = {"date": f"{ends:%Y-%m-%d}", "days": max(0, (ends - now).days)}
    sentence = _("The certificate is valid until %(date)s, %(days)s days.")
    yield Finding("certificate", level, sentence, values)


def check_backup(now: datetime) -> Iterator[Finding]:
    latest = find_latest()
    if latest is None:
        sentence = _("There is no backup in %(folder)s: run “festival backup”.")
        yield Finding("backup", RED, sentence, {"folder": str(settings.BACKUP_DIR)})
        return
    age = now - latest[1]
    values: Values = {"hours": int(age / timedelta(hours=1)), "name": latest[0].name}
    level = RED if age > BACKUP_RED else GREEN
    yield Finding("backup", level, _("The newest backup is %(hours)s h old (%(name)s)."), values)


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"[:200]
