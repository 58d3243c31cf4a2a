"""Fetches the programme of another service by its address, which only an administrator may give."""

import re
import socket
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request

from django.conf import settings
from django.utils.translation import gettext as _

from programme.exchange.readers.interface.documents import pack
from programme.exchange.time_limit import check_time
from programme.exchange.values import UnreadableFileError
from programme.publishing.outgoing import PrivateAddressError, open_request

JSON, CALENDAR = "application/json, text/json;q=0.9", "text/calendar"
# Seconds for each wait; the time of the import limits all together.
_WAIT = 20
_BLOCK = 65_536
# What follows the address of an API, if somebody gives that of a document.
_DOCUMENT = re.compile(r"/(?:events|areas)(?:\.[a-z0-9-]+)?$")


# The documents of a service, of which only the first is required.
_SOURCES = (
    ("events.json", "/events?language=sv", JSON),
    ("events-en.json", "/events?language=en", JSON),
    ("areas.json", "/areas", JSON),
    ("events.ics", "/events?language=sv", CALENDAR),
)


def is_address(text: str) -> bool:
    return re.match(r"https?://", text.strip(), re.IGNORECASE) is not None


def fetch_bundle(address: str) -> bytes:
    """Return all documents of a service as one file. Raises `UnreadableFileError`."""
    base = find_api(address)
    files: dict[str, bytes] = {}
    for name, path, accept in _SOURCES:
        left = settings.IMPORT_UNPACKED_MB * 1_000_000 - sum(map(len, files.values()))
        content = fetch(base + path, accept, left, required=not files)
        if content is not None:
            files[name] = content
    return pack(files)


def find_api(address: str) -> str:
    """Return the address of the API: the one that is given, or /api of a host alone."""
    try:
        parts = urlsplit(address.strip())
        host, scheme, _port = parts.hostname, parts.scheme.lower(), parts.port
    except ValueError:
        host, scheme, parts = None, "", urlsplit("")
    if scheme not in ("http", "https") or not host or parts.username or parts.password:
        raise UnreadableFileError(_("it is no web address like https://program.example/api"))
    path = _DOCUMENT.sub("", parts.path.rstrip("/")).rstrip("/")
    return f"{scheme}://{parts.netloc}{path or '/api'}"


def fetch(url: str, accept: str, most: int, *, required: bool = False) -> bytes | None:
    """Return a document, None if the service does not have it."""
    request = Request(url, headers={"Accept": accept})  # noqa: S310 - the scheme is checked
    try:
        with open_request(request, _WAIT, follow=True) as response:
            return b"".join(_read_blocks(response, most))
    except HTTPError as error:
        with error:
            if required or error.code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise UnreadableFileError(
                    _describe(url, _("it answers %(code)s") % {"code": error.code})
                ) from None
            return None
    except (OSError, HTTPException, ValueError) as error:
        raise UnreadableFileError(_describe(url, _find_reason(error))) from None


def _read_blocks(response: HTTPResponse, most: int) -> Iterator[bytes]:
    read = 0
    while block := response.read1(_BLOCK):
        check_time()
        read += len(block)
        if read > most:
            message = _("it is larger than %(most)s MB together with the others")
            raise UnreadableFileError(message % {"most": settings.IMPORT_UNPACKED_MB})
        yield block


def _find_reason(error: Exception) -> str:
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, PrivateAddressError):
        return _(
            "it leads into a private network, and the setting ALLOWED_PRIVATE_HOSTS does not name its host"
        )
    if isinstance(cause, TimeoutError):
        return _("it does not answer")
    if isinstance(cause, socket.gaierror):
        return _("no server with this name is found")
    return str(cause) or type(cause).__name__


def _describe(url: str, reason: str) -> str:
    return _("%(url)s: %(reason)s") % {"url": url, "reason": reason}
