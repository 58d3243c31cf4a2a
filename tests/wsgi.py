"""Send requests to a WSGI application, without Django's test client."""

from io import BytesIO
from typing import Any, NamedTuple
from wsgiref.util import setup_testing_defaults


class Response(NamedTuple):
    status: str
    headers: list[tuple[str, str]]
    body: bytes


def send_request(
    application: Any, address: str, method: str = "GET", body: bytes = b"", **headers: str | None
) -> Response:
    path, _, query = address.partition("?")
    environ: dict[str, Any] = {"REQUEST_METHOD": method, "SCRIPT_NAME": "", "PATH_INFO": path}
    environ["QUERY_STRING"] = query
    environ |= {f"HTTP_{name.upper()}": value for name, value in headers.items() if value is not None}
    environ["HTTP_HOST"] = headers.get("host") or "localhost"
    if body:
        environ |= {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        environ["CONTENT_TYPE"] = "application/json"
    setup_testing_defaults(environ)
    started: list[Any] = []

    def start_response(status: str, response: list[tuple[str, str]], exc_info: Any = None) -> Any:
        started[:] = status, response

    response = application(environ, start_response)
    content = b"".join(response)
    getattr(response, "close", lambda: None)()
    return Response(started[0], started[1], content)
