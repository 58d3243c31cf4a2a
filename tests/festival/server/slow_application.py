"""A server whose workers load while a file exists, and answer with their process IDs."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from festival.server import reader_server


def application(_environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    start_response("200 OK", [])
    return [str(os.getpid()).encode()]


def load_when_allowed(target: str) -> reader_server.DrainingApplication:
    while not Path(os.environ["MAY_LOAD"]).exists():
        time.sleep(0.01)
    return reader_server.load_application(target)


if __name__ == "__main__":
    # The wait that follows it is what is tested.
    reader_server.RESPAWN_INTERVAL = 0
    reader_server.main(sys.argv[1:], "tests.festival.server.slow_application:application", load_when_allowed)
