"""Requests that are handed to the application, and sent back, as WSGI servers do."""

import os
from io import BytesIO, StringIO
from typing import Any
from wsgiref.util import setup_testing_defaults

from festival.wsgi import application
from tests.fuzz.hostile import HostileRequest
from tests.fuzz.verdicts import Answer

# How many requests the fuzzer sends: `make fuzz` asks for many more.
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "300"))


def ask(request: HostileRequest) -> Answer:
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": request.path,
        "QUERY_STRING": request.query,
        "CONTENT_LENGTH": str(len(request.body)) if request.body else "",
        "wsgi.input": BytesIO(request.body),
        "wsgi.errors": StringIO(),
    }
    for name, value in request.headers:
        key = name.upper().replace("-", "_")
        environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
    setup_testing_defaults(environ)
    started: list[Any] = []
    response = application(environ, lambda *head: started.extend(head))
    body = b"" if request.method == "HEAD" else b"".join(response)
    getattr(response, "close", lambda: None)()
    # Errors have one: an ID for each request.
    headers = {name.lower(): value for name, value in started[1] if name != "X-Request-ID"}
    return Answer(int(started[0][:3]), headers, body)
