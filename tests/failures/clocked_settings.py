"""The service's settings with a clock that tests set: a file holds by how many seconds it is ahead.

It is a settings module because every process of the service imports it, however it was started.
"""

import os
from datetime import datetime, timedelta
from pathlib import Path

from festival import clock
from festival.settings import *  # noqa: F403 - all of them, as they are

_real = clock.now
_ahead = Path(os.environ["CLOCK_AHEAD"])


def _now() -> datetime:
    return _real() + timedelta(seconds=float(_ahead.read_text()))


clock.now = _now
MIDDLEWARE = ["tests.failures.process_header.ProcessHeaderMiddleware", *MIDDLEWARE]  # noqa: F405
