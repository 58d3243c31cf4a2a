"""Stops work in the midst that takes too long, or whose result nobody waits for any more."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.utils.translation import gettext as _

from programme.exchange.values import UnreadableFileError


class TimeLimit:
    """The moment at which work ends whether it is done or not."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ends = time.monotonic() + seconds

    def stop(self) -> None:
        """Let the work end at once, from another thread."""
        self._ends = 0

    def check(self) -> None:
        if time.monotonic() > self._ends:
            what = _("it takes longer than %(most)s seconds: divide it into several files")
            raise UnreadableFileError(what, most=self.seconds)


_limit: ContextVar[TimeLimit | None] = ContextVar("limit", default=None)


@contextmanager
def limit_time(limit: TimeLimit) -> Iterator[None]:
    """Let `check_time` raise an error inside, once the limit is reached."""
    token = _limit.set(limit)
    try:
        yield
    finally:
        _limit.reset(token)


def check_time() -> None:
    """Raise `UnreadableFileError` if the time is over; loops over what a file holds call it in each round."""
    if limit := _limit.get():
        limit.check()
