"""The programmes that readers of this process get, each from an instant on."""

from collections.abc import Callable
from datetime import datetime

from feeds.programme import Programme
from feeds.response_cache import LookUps
from programme.publishing.serving_snapshot import ALWAYS, ServingSnapshot


class ServedProgramme:
    """A programme, the instant from which on readers get it, and its latest snapshot.

    Until the instant is agreed upon, it is `begins`, and `find_begin` returns None.
    """

    def __init__(
        self,
        programme: Programme,
        begins: datetime = ALWAYS,
        find_begin: Callable[[], datetime | None] = lambda: None,
    ) -> None:
        self.programme = programme
        self.snapshot: ServingSnapshot | None = None
        self._begins = begins
        self._find_begin = find_begin
        self._is_agreed = begins == ALWAYS

    @property
    def begins(self) -> datetime:
        if not self._is_agreed and (agreed := self._find_begin()):
            self._begins, self._is_agreed = agreed, True
            if self.snapshot:
                self.snapshot.show_from(agreed)
        return self._begins

    @property
    def is_agreed(self) -> bool:
        return self.begins is not None and self._is_agreed

    def find(self, instant: datetime) -> ServingSnapshot | None:
        """Return the latest snapshot if it serves an instant."""
        snapshot = self.snapshot
        return snapshot if snapshot and snapshot.serves(instant) else None

    def renew(self, instant: datetime, look_ups: LookUps) -> ServingSnapshot:
        self.snapshot = ServingSnapshot(self.programme, instant, look_ups, self.begins)
        return self.snapshot


class ServedProgrammes(tuple[ServedProgramme, ...]):
    """In the order in which readers get them: mostly one."""

    __slots__ = ()

    @property
    def newest(self) -> ServedProgramme | None:
        return self[-1] if self else None

    def at(self, instant: datetime) -> ServedProgramme | None:
        """Return the one of an instant; the first one if none has begun."""
        if len(self) > 1:
            for each in reversed(self):
                if each.begins <= instant:
                    return each
        return self[0] if self else None

    def knows_begin_of(self, number: int) -> bool:
        """Return whether it is known when a revision begins, or a later one."""
        if not self or self[-1].programme.revision.number < number:
            return False
        # The only one has begun, though others may not have been heard of in time.
        return len(self) == 1 or self[-1].is_agreed

    def followed_by(self, served: ServedProgramme) -> "ServedProgrammes":
        """Return them with a newer one, which replaces those that no instant was agreed upon for."""
        if served.begins == ALWAYS:
            return ServedProgrammes((served,))
        first, *waiting = self
        return ServedProgrammes((first, *(each for each in waiting if each.is_agreed), served))

    def since(self, instant: datetime) -> "ServedProgrammes":
        """Return those that readers get at an instant and later."""
        served = self.at(instant)
        return ServedProgrammes(self[self.index(served) :]) if served else self
