"""The processes of a machine agree from which instant on readers get a programme: once all of them have it.

Each writes into a file, which all map into memory, which revisions it has. The last one that gets a revision
writes the instant, which is yet to come: whoever answers a request of that instant or a later one finds it
there. So a reader who comes to one process after the other never sees a former state again, however busy the
machine is.
"""

import mmap
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from fcntl import LOCK_EX, LOCK_UN, flock
from hashlib import blake2b
from pathlib import Path
from struct import Struct
from typing import NamedTuple

from feeds.vocabulary import Revision
from programme.publishing.serving_snapshot import SWITCH_DELAY

EPOCH = datetime.fromtimestamp(0, UTC)
MICROSECOND = timedelta(microseconds=1)

# A process: its ID, when it was last heard of (monotonic seconds), and the latest revisions that it has.
PROCESS = Struct("=qd4Q")
PROCESSES, REVISIONS_OF_PROCESS = 64, 4
# An instant: the revision that begins, and the microsecond since 1970.
INSTANT = Struct("=Qq")
INSTANTS = 64
FIRST_INSTANT = PROCESSES * PROCESS.size
# The moment (monotonic seconds) at which all load again that have missed each other.
RETRY = Struct("=d")
RETRY_PLACE = FIRST_INSTANT + INSTANTS * INSTANT.size
SIZE = RETRY_PLACE + RETRY.size
# Seconds after which a process that has not been heard of is not waited for, and after which all load again
# once the last one has missed the others.
SILENCE, RETRY_DELAY = 3.0, 0.02


class Process(NamedTuple):
    """A process, when it was last heard of, and the keys of the revisions that it has, oldest first."""

    pid: int
    heard: float
    keys: list[int]

    @property
    def lives(self) -> bool:
        # Of another machine, if the folder is shared, the clock is another one.
        if not self.pid or abs(time.monotonic() - self.heard) > SILENCE:
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        return True


class Agreement:
    """One process's part in it. Raises OSError if the file cannot be made."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        if os.fstat(self._file).st_size < SIZE:
            # With its place on the disk: to write into memory that finds none ends the process.
            os.posix_fallocate(self._file, 0, SIZE)
        self._memory = mmap.mmap(self._file, SIZE)

    def publish(self, revisions: Sequence[Revision], now: Callable[[], datetime]) -> None:
        """Say which revisions this process has, oldest first; the newest that all have begins soon."""
        by_key = {_key(each): each for each in revisions[-REVISIONS_OF_PROCESS:]}
        with self._locked():
            others = self._read_others()
            self._write_own(list(by_key))
            self._arrange_retry(others, list(by_key))
            for key, revision in reversed(by_key.items()):
                if all(key in each.keys for each in others):
                    if self.find(revision) is None:
                        self._write(revision, _choose(revision, now()))
                    return

    def find_retry(self, revisions: Sequence[Revision]) -> float | None:
        """Return when (monotonic seconds) to load again, because another process has missed what is here.

        That is the case if edits come one after the other, and an edit was between what the two have read.
        All load again at one moment, so that they read the same, and nobody twice while another one loads.
        """
        own = [_key(each) for each in revisions]
        with self._locked():
            retry_at, living = self._read_retry(), [each for each in self._read() if each.lives]
        has_retried = any(each.pid == os.getpid() and each.heard >= retry_at for each in living)
        return None if has_retried or not _have_missed(living, own) else retry_at

    def _arrange_retry(self, others: list[Process], own: list[int]) -> None:
        """Let all load again soon if they have missed each other, unless the last time is not yet over."""
        retry_at = self._read_retry()
        if _have_missed(others, own) and all(each.heard >= retry_at for each in others):
            RETRY.pack_into(self._memory, RETRY_PLACE, time.monotonic() + RETRY_DELAY)

    def _read_retry(self) -> float:
        (retry_at,) = RETRY.unpack_from(self._memory, RETRY_PLACE)
        # Not that of before the machine was started.
        return retry_at if retry_at <= time.monotonic() + RETRY_DELAY else 0.0

    def find(self, revision: Revision) -> datetime | None:
        """Return the instant from which on readers get a revision; None: it is not agreed upon."""
        key, microseconds = INSTANT.unpack_from(self._memory, _find_place(revision))
        return EPOCH + microseconds * MICROSECOND if key == _key(revision) else None

    def _write(self, revision: Revision, instant: datetime) -> None:
        place, microseconds = _find_place(revision), (instant - EPOCH) // MICROSECOND
        # The key last, by which others find it without a lock.
        INSTANT.pack_into(self._memory, place, 0, microseconds)
        INSTANT.pack_into(self._memory, place, _key(revision), microseconds)

    def _read_others(self) -> list[Process]:
        return [each for each in self._read() if each.pid != os.getpid() and each.lives]

    def _write_own(self, keys: list[int]) -> None:
        own, pids = os.getpid(), [each.pid if each.lives else 0 for each in self._read()]
        # Without a place it is not waited for.
        if (place := next((pids.index(each) for each in (own, 0) if each in pids), None)) is not None:
            padded = [*keys, *[0] * (REVISIONS_OF_PROCESS - len(keys))]
            PROCESS.pack_into(self._memory, place * PROCESS.size, own, time.monotonic(), *padded)

    def _read(self) -> list[Process]:
        rows = PROCESS.iter_unpack(self._memory[:FIRST_INSTANT])
        return [Process(pid, heard, list(filter(None, keys))) for pid, heard, *keys in rows]

    @contextmanager
    def _locked(self) -> Iterator[None]:
        flock(self._file, LOCK_EX)
        try:
            yield
        finally:
            flock(self._file, LOCK_UN)


def _have_missed(others: list[Process], own: list[int]) -> bool:
    """Return whether a process has read what was not read here."""
    return any(each.keys[-1] not in own for each in others if each.keys)


def _key(revision: Revision) -> int:
    """Return what stands for a revision: a number may be that of another state after a restore."""
    return int.from_bytes(blake2b(repr(revision).encode(), digest_size=8).digest()) | 1


def _find_place(revision: Revision) -> int:
    return FIRST_INSTANT + revision.number % INSTANTS * INSTANT.size


def _choose(revision: Revision, now: datetime) -> datetime:
    """Return when a revision begins: at the same instant on each machine that is in time.

    The database's clock may be ahead of ours.
    """
    return max(now + MICROSECOND, min(revision.moved_at, now) + SWITCH_DELAY)
