"""The programmes that readers of this process get, each from an instant on."""

from datetime import datetime

from feeds.programme import Programme
from programme.publishing.serving_snapshot import ALWAYS, ServingSnapshot


class ServedProgramme:
    """A programme, the instant from which on readers get it, and its latest snapshot."""

    def __init__(self, programme: Programme, begins: datetime = ALWAYS) -> None:
        self.programme = programme
        self.begins = begins
        self.snapshot: ServingSnapshot | None = None

    def find(self, instant: datetime) -> ServingSnapshot | None:
        """Return the latest snapshot if it serves an instant."""
        snapshot = self.snapshot
        return snapshot if snapshot and snapshot.serves(instant) else None

    def renew(self, instant: datetime) -> ServingSnapshot:
        self.snapshot = ServingSnapshot(self.programme, instant, self.begins)
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

    def have(self, number: int) -> bool:
        """Return whether a revision is among them, or a later one."""
        return bool(self) and self[-1].programme.revision.number >= number

    def followed_by(self, served: ServedProgramme) -> "ServedProgrammes":
        """Return them with a newer one; one that begins at once replaces them."""
        return ServedProgrammes((served,) if served.begins == ALWAYS else (*self, served))

    def since(self, instant: datetime) -> "ServedProgrammes":
        """Return those that readers get at an instant and later."""
        served = self.at(instant)
        return ServedProgrammes(self[self.index(served) :]) if served else self
