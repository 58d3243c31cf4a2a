"""Password hashers that work one at a time, so that signing in never takes more than one processor."""

from threading import RLock
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher

# Some hashers verify by encoding.
_turn = RLock()


class _InTurn:
    """Hash in turn. A hash takes some 50 ms, and a process has few threads: nobody waits for long."""

    def encode(self, *args: Any, **kwargs: Any) -> str:
        with _turn:
            encoded: str = super().encode(*args, **kwargs)  # type: ignore[misc]
            return encoded

    def verify(self, *args: Any, **kwargs: Any) -> bool:
        with _turn:
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
