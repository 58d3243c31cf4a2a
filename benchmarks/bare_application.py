"""A bare WSGI application that returns recorded responses: the upper limit of a server's rate.

`python -m benchmarks.bare_application` serves it like `serve` serves the service.
"""

import os
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from festival.server.server_options import ServerOptions

# The key of a recorded request.
REQUEST_KEY = ("PATH_INFO", "QUERY_STRING", "HTTP_ACCEPT_ENCODING", "HTTP_IF_NONE_MATCH")


class RecordedResponse(NamedTuple):
    """A response, and what `ASKED` is in the environ of its request; None: not there."""

    key: tuple[str | None, str | None, str | None, str | None]
    status: str
    headers: list[tuple[str, str]]
    body: bytes


def write(recorded: list[RecordedResponse], file: Path) -> None:
    file.write_bytes(msgspec.msgpack.encode(recorded))


def _read(file: Path) -> dict[Any, Any]:
    recorded = msgspec.msgpack.decode(file.read_bytes(), type=list[RecordedResponse])
    return {each.key: (each.status, each.headers, [each.body] if each.body else []) for each in recorded}


# Set for the server's processes only.
RESPONSES = _read(Path(os.environ["BENCH_ANSWERS"])) if "BENCH_ANSWERS" in os.environ else {}


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    status, headers, body = RESPONSES[
        environ["PATH_INFO"],
        environ["QUERY_STRING"],
        environ.get("HTTP_ACCEPT_ENCODING"),
        environ.get("HTTP_IF_NONE_MATCH"),
    ]
    start_response(status, headers)
    answer: list[bytes] = body
    return answer


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("--host", required=True)
    for name in ("--port", "--workers", "--threads"):
        parser.add_argument(name, type=int, required=True)
    *command, _ours = ServerOptions(**vars(parser.parse_args())).command()
    command.remove("--factory")
    os.execv(command[0], [*command, "benchmarks.bare_application:application"])  # noqa: S606


if __name__ == "__main__":
    main()
