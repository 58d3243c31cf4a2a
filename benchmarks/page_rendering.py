"""The time to render pages in this process."""

from functools import partial

from django.conf import settings
from django.test import Client

from benchmarks.figures import Figures
from benchmarks.timing import medians, milliseconds
from festival import clock
from programme.publishing.current import current

PATHS = (
    *("/", "/?view=grid", "/?days=all", "/?q=torget", "/?area=Torget+1&highlighted=true"),
    *("/prenumerera", "/mitt-program?occation=1.2.3", "/tillfalle/1"),
)


def pages(*paths: str) -> Figures:
    """Each page: rendered first in a process, and again in the next snapshot (ms), and its bytes.

    Other pages and databases can be measured too: `python -m benchmarks.steps pages "/?date=…"`.
    """
    current.renew()
    return {path: _measure(path) for path in paths or PATHS}


def _measure(path: str) -> Figures:
    client = Client(headers={"host": "127.0.0.1:8000"})

    def first() -> float:
        for occasion in current.at(clock.now()).programme.occasions:
            vars(occasion).clear()
        return after()

    def after() -> float:
        current.at(clock.now()).responses.__init__(settings.ANSWERS_MB * 1_000_000)  # type: ignore[misc]
        return milliseconds(partial(client.get, path))

    taken = medians({"first": first, "next": after}, rounds=3)
    plain, coded = client.get(path), client.get(path, headers={"accept-encoding": "br"})
    return {**taken, "bytes": len(plain.content), "br": len(coded.content)}
