"""The time to render pages in this process."""

from functools import partial

from django.conf import settings

from benchmarks.browser_visits import PATHS
from benchmarks.figures import Figures, clear_memoized
from benchmarks.in_process import get
from benchmarks.timing import medians, milliseconds
from festival import clock
from programme.publishing.current import current


def pages(*paths: str) -> Figures:
    """Each page: rendered first in a process, and again in the next snapshot (ms), and its bytes.

    Other pages and databases can be measured too: `python -m benchmarks.steps pages "/?date=…"`.
    """
    current.renew()
    return {path: _measure(path) for path in paths or PATHS}


def _measure(path: str) -> Figures:
    def first() -> float:
        clear_memoized()
        return after()

    def after() -> float:
        current.at(clock.now()).responses.__init__(settings.ANSWERS_MB * 1_000_000)  # type: ignore[misc]
        return milliseconds(partial(get, path))

    taken = medians({"first": first, "next": after}, rounds=3)
    plain, coded = get(path), get(path, HTTP_ACCEPT_ENCODING="br")
    return {**taken, "status": plain.status, "bytes": len(plain.body), "br": len(coded.body)}
