"""Password hashers that work one at a time, so that signing in never takes more than one processor."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock, local
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher


class HashingBusyError(Exception):
    """Too many passwords are waiting to be hashed; try again in some seconds."""


class Turns:
    """Let one thread through at a time, and at most `waiting` more wait, for at most `seconds`.

    Threads that wait for a hash cannot serve an editor, so all but a few are refused at once.
    """

    def __init__(self, waiting: int, seconds: float) -> None:
        self._seconds = seconds
        self._places = BoundedSemaphore(1 + waiting)
        self._lock = Lock()
        self._thread = local()

    @contextmanager
    def take(self) -> Iterator[None]:
        """Raise HashingBusyError unless it is this thread's turn in time; turns can be nested."""
        if getattr(self._thread, "has_turn", False):
            yield
            return
        if not self._places.acquire(blocking=False):
            raise HashingBusyError
        try:
            if not self._lock.acquire(timeout=self._seconds):
                raise HashingBusyError
            self._thread.has_turn = True
            try:
                yield
            finally:
                self._thread.has_turn = False
                self._lock.release()
        finally:
            self._places.release()


turns = Turns(waiting=2, seconds=2)


class _InTurn:
    """Hash in turn."""

    def encode(self, *args: Any, **kwargs: Any) -> str:
        with turns.take():
            encoded: str = super().encode(*args, **kwargs)  # type: ignore[misc]
            return encoded

    def verify(self, *args: Any, **kwargs: Any) -> bool:
        with turns.take():
            verified: bool = super().verify(*args, **kwargs)  # type: ignore[misc]
            return verified


class Argon2Hasher(_InTurn, Argon2PasswordHasher):
    """Argon2id with OWASP's first recommendation: 19 MiB, two passes, one thread; 45 ms on two 2020s cores.

    Django's default takes 100 MiB and eight threads, all processors of the machine that readers share.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1


class OldPBKDF2Hasher(_InTurn, PBKDF2PasswordHasher):
    """For hashes from before version 1.0; Django replaces them by Argon2 at the next sign-in."""
