"""Values computed from the whole programme, cached until the next edit."""

from collections.abc import Callable
from typing import Generic, TypeVar

from django.db import connection

from feeds.festival_time import FestivalTime
from feeds.vocabulary import Revision
from programme.models.festival_time import festival_time
from programme.publishing import loading

Made = TypeVar("Made")


class RevisionCache(Generic[Made]):
    def __init__(self, make: Callable[[], Made]) -> None:
        self._make = make
        self.clear()

    def clear(self) -> None:
        self._latest: tuple[FestivalTime, Revision, Made] | None = None

    def get(self) -> Made:
        """Return the value at the current revision; one query if it is cached."""
        festival, kept = festival_time(), self._latest
        if kept and kept[0] == festival and kept[1] == loading.fetch_revision():
            return kept[2]
        with loading.consistent_read():
            revision, made = loading.fetch_revision(), self._make()
        # A transaction may be rolled back, so its values are not cached.
        if not connection.in_atomic_block:
            self._latest = festival, revision, made
        return made
