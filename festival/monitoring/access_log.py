"""The access log: each request like in Apache's `combined`, with its ID at the end.

It is one line whatever a client sends. The user is always `-`, because editors do not log in through HTTP
authentication.
"""

import logging
import re
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote

from festival import clock
from festival.http.client_address import get_client_address
from festival.http.request_id import ensure_request_id

Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]

logger = logging.getLogger("festival.access")

# Characters that need no escape in a path (RFC 3986, section 3.3).
_PATH_CHARACTERS = "/:@!$&'()*+,;="
_UNSAFE = re.compile(r'["\\\x00-\x1f\x7f-\U0010ffff]')
LINE = '%s - - [%s] "%s %s %s" %s %s "%s" "%s" "%s"'


class AccessLog:
    """WSGI middleware that logs each request."""

    def __init__(self, application: Application) -> None:
        self.application = application

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        # Before the application, which may change them.
        path = quote(environ.get("PATH_INFO", ""), safe=_PATH_CHARACTERS, encoding="latin-1")
        query = environ.get("QUERY_STRING", "")
        address = get_client_address(environ)
        request = (
            environ["REQUEST_METHOD"],
            f"{path}?{query}" if query else path,
            environ.get("SERVER_PROTOCOL", ""),
        )
        sender = (
            environ.get("HTTP_REFERER", ""),
            environ.get("HTTP_USER_AGENT", ""),
            ensure_request_id(environ),
        )
        answer = ("500", "")

        def start(status: str, headers: list[tuple[str, str]], *exception: Any) -> Any:
            nonlocal answer
            length = next((value for name, value in headers if name.lower() == "content-length"), "")
            answer = status[:3], length
            return start_response(status, headers, *exception)

        try:
            return self.application(environ, start)
        finally:
            answered_at = f"{clock.now().astimezone():%d/%b/%Y:%H:%M:%S %z}"
            values = (address, answered_at, *request, *answer, *sender)
            logger.info(LINE, *(escape(each) or "-" for each in values))


def escape(text: str) -> str:
    r"""Escape quotes, backslashes and control characters as Apache does: `\"`, `\\` and `\xhh`."""
    return _UNSAFE.sub(
        lambda found: f"\\{found[0]}" if found[0] in '"\\' else f"\\x{ord(found[0]):02x}", text
    )
