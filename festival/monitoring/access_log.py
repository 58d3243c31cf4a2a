"""The access log: a record of each request, with its ID, duration and client's address behind proxies."""

import logging
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import quote

from festival.configuration.redaction import redact
from festival.http.client_address import get_client_address
from festival.http.request_id import ensure_request_id

Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]

logger = logging.getLogger("festival.access")

# Characters that need no escape in a path (RFC 3986, section 3.3).
_PATH_CHARACTERS = "/:@!$&'()*+,;="


class RequestFacts(NamedTuple):
    """What is logged of a request. `size` is the body's in bytes, None if it is not known in advance."""

    request_id: str
    address: str
    method: str
    path: str
    query: str
    protocol: str
    referrer: str
    agent: str
    status: int = 500
    size: int | None = None
    seconds: float = 0.0

    @property
    def target(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path


class AccessLog:
    """WSGI middleware that logs each request."""

    def __init__(self, application: Application) -> None:
        self.application = application

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        began = perf_counter()
        facts = RequestFacts(
            ensure_request_id(environ),
            get_client_address(environ),
            environ["REQUEST_METHOD"],
            redact(quote(environ.get("PATH_INFO", ""), safe=_PATH_CHARACTERS, encoding="latin-1")),
            redact(environ.get("QUERY_STRING", "")),
            environ.get("SERVER_PROTOCOL", ""),
            redact(environ.get("HTTP_REFERER", "")),
            environ.get("HTTP_USER_AGENT", ""),
        )

        def start(status: str, headers: list[tuple[str, str]], *exception: Any) -> Any:
            nonlocal facts
            length = next((value for name, value in headers if name.lower() == "content-length"), None)
            facts = facts._replace(status=int(status[:3]), size=None if length is None else int(length))
            return start_response(status, headers, *exception)

        try:
            return self.application(environ, start)
        finally:
            facts = facts._replace(seconds=perf_counter() - began)
            logger.info("%s %s %s", facts.method, facts.target, facts.status, extra={"access": facts})
