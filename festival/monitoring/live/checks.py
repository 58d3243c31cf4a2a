"""Fetches each format under BASE_URL as readers do, and looks at certificate, clocks and backups."""

import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from email.message import Message
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, ProxyHandler, build_opener

from django.conf import settings
from django.utils.translation import gettext_noop as _

from feeds.formats import BY_EXTENSION
from festival import clock
from festival.backup.storage import find_latest
from festival.monitoring.live.formats import COUNTS
from festival.monitoring.live.report import Finding, Level, Report, Values

GREEN, YELLOW, RED = Level
# Seconds for each step of a response.
TIMEOUT = 10.0
CERTIFICATE_YELLOW, CERTIFICATE_RED = timedelta(days=14), timedelta(days=3)
BACKUP_RED = timedelta(days=2)
# Seconds by which two clocks differ.
CLOCK_YELLOW, CLOCK_RED = 5, 60


class Response(NamedTuple):
    status: int
    headers: "Message[str, str]"
    body: bytes


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_arguments: Any) -> None:
        """Requests go to BASE_URL only."""


def check_live(timeout: float = TIMEOUT) -> Report:
    """Check the service under BASE_URL; whatever it sends, the other checks go on."""
    began = time.monotonic()
    now = clock.now()
    checks: dict[str, Callable[[], Iterable[Finding]]] = {
        "certificate": lambda: check_certificate(settings.BASE_URL, now, timeout),
        "service": lambda: check_formats(timeout),
        "backup": lambda: check_backup(now),
    }
    findings = [finding for name, check in checks.items() for finding in _run(name, check)]
    return Report(clock.now(), time.monotonic() - began, settings.BASE_URL, findings)


def _run(name: str, check: Callable[[], Iterable[Finding]]) -> list[Finding]:
    try:
        return list(check())
    except Exception as error:  # noqa: BLE001
        # Parsers raise whatever garbage leads to; there must be a report all the same.
        return [Finding(name, RED, _("The check itself failed: %(reason)s."), {"reason": _describe(error)})]


def fetch(path: str, timeout: float) -> Response:
    """Return the response to a path under BASE_URL, whatever its status; raises OSError, HTTPException."""
    context = ssl.create_default_context()
    # A bad certificate is one finding and hides no other.
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    opener = build_opener(_NoRedirects, ProxyHandler({}), HTTPSHandler(context=context))
    try:
        with opener.open(settings.BASE_URL + path, timeout=timeout) as found:
            return Response(found.status, found.headers, found.read())
    except HTTPError as error:
        with error:
            return Response(error.code, error.headers, b"")


def check_formats(timeout: float) -> Iterator[Finding]:
    """Check each format against the JSON, again if an edit came between."""
    try:
        for _attempt in range(3):
            json = fetch("/api/events.json", timeout)
            found = {"json": _judge("json", json, None)}
            count = found["json"].values.get("count")
            for extension in BY_EXTENSION.keys() - found if count is not None else ():
                found[extension] = _judge(extension, fetch(f"/api/events.{extension}", timeout), count)
            if fetch("/api/events.json", timeout).body == json.body:
                break
    except (OSError, HTTPException) as error:
        values = {"url": settings.BASE_URL, "reason": _describe(error)}
        sentence = _("Nothing answers at %(url)s: %(reason)s. See `systemctl status festival`.")
        yield Finding("service", RED, sentence, values)
        return
    yield Finding("service", GREEN, _("The service answers at %(url)s."), {"url": settings.BASE_URL})
    yield from (found[extension] for extension in BY_EXTENSION if extension in found)
    yield from check_date(json.headers, clock.now())


def _judge(extension: str, response: Response, expected: int | str | None) -> Finding:
    check, media_type = f".{extension}", BY_EXTENSION[extension].sent_as
    values: Values = {"path": f"/api/events.{extension}", "status": response.status}
    if response.status != HTTPStatus.OK:
        return Finding(check, RED, _("%(path)s answers %(status)s."), values)
    values |= {"found": response.headers.get_content_type(), "expected": media_type}
    if values["found"] != media_type:
        return Finding(check, RED, _("%(path)s is sent as %(found)s instead of %(expected)s."), values)
    try:
        values |= {"count": COUNTS[extension](response.body), "kilobytes": len(response.body) // 1000}
    except Exception as error:  # noqa: BLE001
        # Parsers raise whatever garbage leads to.
        values["reason"] = _describe(error)
        return Finding(check, RED, _("%(path)s cannot be read: %(reason)s."), values)
    if expected not in (None, values["count"]):
        values["expected"] = expected or 0
        return Finding(check, RED, _("%(path)s has %(count)s occasions, the JSON %(expected)s."), values)
    return Finding(check, GREEN, _("%(path)s: %(count)s occasions, %(kilobytes)s kB."), values)


def check_certificate(base_url: str, now: datetime, timeout: float) -> Iterator[Finding]:
    """Verify chain, name and remaining time of the certificate; nothing for an http BASE_URL."""
    url = urlsplit(base_url)
    if url.scheme != "https" or not url.hostname:
        return
    try:
        with (
            socket.create_connection((url.hostname, url.port or 443), timeout) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=url.hostname) as encrypted,
        ):
            certificate = encrypted.getpeercert() or {}
    except ssl.SSLCertVerificationError as error:
        sentence = _("Browsers refuse the certificate: %(reason)s.")
        yield Finding("certificate", RED, sentence, {"reason": error.verify_message})
    except OSError:
        # That nothing answers is said once.
        return
    else:
        ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate["notAfter"])), UTC)
        level = RED if ends - now < CERTIFICATE_RED else YELLOW if ends - now < CERTIFICATE_YELLOW else GREEN
        values: Values = {"date": f"{ends:%Y-%m-%d}", "days": max(0, (ends - now).days)}
        yield Finding(
            "certificate", level, _("The certificate is valid until %(date)s, %(days)s days."), values
        )


def check_date(headers: "Message[str, str]", now: datetime) -> Iterator[Finding]:
    """Compare the service's clock with this machine's, by a response that a cache may have kept."""
    try:
        sent = parsedate_to_datetime(headers["date"]) + timedelta(seconds=int(headers.get("age", "0")))
        # A date has whole seconds.
        skew = abs((now - sent).total_seconds()) - 1
    except (ValueError, TypeError):
        yield Finding("clock", YELLOW, _("Responses have no date."))
        return
    level = RED if skew > CLOCK_RED else YELLOW if skew > CLOCK_YELLOW else GREEN
    sentence = _("The service’s clock and this machine’s differ by %(seconds)s seconds.")
    yield Finding("clock", level, sentence, {"seconds": max(0, round(skew))})


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
