"""The access log: a record of each request, with its ID, duration and client's address behind proxies."""

import logging
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any
from urllib.parse import quote

from festival.http.client_address import get_client_address
from festival.http.request_id import ensure_request_id

Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]

logger = logging.getLogger("festival.access")

# Characters that need no escape in a path (RFC 3986, section 3.3).
_PATH_CHARACTERS = "/:@!$&'()*+,;="
NANOSECONDS = 1_000_000_000


class AccessLog:
    """WSGI middleware that logs each request."""

    def __init__(self, application: Application) -> None:
        self.application = application

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        began = perf_counter()
        # By the names of the Elastic Common Schema.
        fields = {
            "http.request.id": ensure_request_id(environ),
            "client.ip": get_client_address(environ),
            "http.request.method": environ["REQUEST_METHOD"],
            "url.path": quote(environ.get("PATH_INFO", ""), safe=_PATH_CHARACTERS, encoding="latin-1"),
            "url.query": environ.get("QUERY_STRING", ""),
            "http.version": environ.get("SERVER_PROTOCOL", "").removeprefix("HTTP/"),
            "http.request.referrer": environ.get("HTTP_REFERER", ""),
            "user_agent.original": environ.get("HTTP_USER_AGENT", ""),
            "http.response.status_code": 500,
            "http.response.body.bytes": None,
        }

        def start(status: str, headers: list[tuple[str, str]], *exception: Any) -> Any:
            length = next((value for name, value in headers if name.lower() == "content-length"), None)
            fields["http.response.status_code"] = int(status[:3])
            fields["http.response.body.bytes"] = None if length is None else int(length)
            return start_response(status, headers, *exception)

        try:
            return self.application(environ, start)
        finally:
            fields["event.duration"] = round((perf_counter() - began) * NANOSECONDS)
            logger.info("%s %s", fields["http.request.method"], fields["url.path"], extra=fields)
