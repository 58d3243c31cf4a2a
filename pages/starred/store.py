"""Lists in the database, accessed with short timeouts: `ListsUnavailable` is raised instead of waiting."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from hashlib import sha256
from secrets import token_hex
from threading import BoundedSemaphore
from typing import NamedTuple

from django.core.cache.backends.locmem import LocMemCache
from django.db import InterfaceError, OperationalError, connection, transaction

from pages.starred.models import StarredList
from programme.api.fields import MAX_OCCASIONS
from programme.publishing.current import current
from programme.publishing.loading import consistent_read

# The occasions of recently read lists, by digest of the calendar's address, for outages of the database. With
# 500 occasions each, they take 20 MB.
memory = LocMemCache("starred", {"TIMEOUT": None, "OPTIONS": {"MAX_ENTRIES": 5_000}})
# Bytes of a secret: 128 bits.
SECRET_BYTES = 16
# Threads of a process that may wait for the database, and the seconds that others wait for a free one.
SLOTS, SLOT_TIMEOUT = 4, 0.25
# Milliseconds for a visitor's change, and for recording that a list was read, which may be postponed.
CHANGE_TIMEOUT, NOTE_TIMEOUT = 1_000, 100

_slots = BoundedSemaphore(SLOTS)


class ListsUnavailable(Exception):  # noqa: N818 - a state of affairs, answered with 503
    """The database does not answer, or not in time."""


class TooManyOccasionsError(Exception):
    """A list would hold more than MAX_OCCASIONS; it is left as it was."""


class Secrets(NamedTuple):
    """The secret with which a browser changes its list, and the one in the calendar's address."""

    secret: str
    address: str


def digest(secret: str) -> str:
    """Return the stored digest of a secret, which is random and needs no salt and no slow hash."""
    return sha256(secret.encode()).hexdigest()


def create(occasions: Collection[int], today: date) -> Secrets:
    secrets = Secrets(token_hex(SECRET_BYTES), token_hex(SECRET_BYTES))
    stored = _combine(occasions, (), ())
    with _brief_write(CHANGE_TIMEOUT):
        StarredList.objects.create(
            secret_digest=digest(secrets.secret),
            address_digest=digest(secrets.address),
            occasions=stored,
            last_read=today,
        )
    memory.set(digest(secrets.address), tuple(stored))
    return secrets


def change(secret: str, add: Collection[int], remove: Collection[int]) -> list[int] | None:
    """Add and remove occasions; return all of the list, or None if there is no such list."""
    lists = StarredList.objects.filter(secret_digest=digest(secret))
    if not add and not remove:
        with _brief_read():
            return lists.values_list("occasions", flat=True).first()
    with _brief_write(CHANGE_TIMEOUT):
        found = lists.select_for_update().first()
        if found is None:
            return None
        found.occasions = _combine(found.occasions, add, remove)
        found.save(update_fields=["occasions"])
    memory.set(found.address_digest, tuple(found.occasions))
    return list(found.occasions)


def delete(secret: str) -> bool:
    """Delete a list; return whether there was one."""
    with _brief_write(CHANGE_TIMEOUT):
        found = StarredList.objects.filter(secret_digest=digest(secret)).first()
        if found is None:
            return False
        found.delete()
    memory.delete(found.address_digest)
    return True


def read(address: str, today: date, *, may_ask: bool = True) -> tuple[int, ...] | None:
    """Return the occasions of the list with a calendar's address, None if there is none."""
    key = digest(address)
    if not may_ask:
        raise ListsUnavailable
    with _brief_read():
        found = StarredList.objects.filter(address_digest=key).first()
    if found is None:
        memory.delete(key)
        return None
    memory.set(key, tuple(found.occasions))
    if found.last_read < today:
        # If the database is busy, a later request does it.
        with suppress(ListsUnavailable), _brief_write(NOTE_TIMEOUT):
            StarredList.objects.filter(pk=found.pk, last_read__lt=today).update(last_read=today)
    return tuple(found.occasions)


def _combine(occasions: Collection[int], add: Collection[int], remove: Collection[int]) -> list[int]:
    combined = sorted({*occasions, *add} - {*remove})
    if len(combined) > MAX_OCCASIONS:
        raise TooManyOccasionsError
    return combined


# --- The database, briefly ---------------------------------------------------------------------


@contextmanager
def _brief_read() -> Iterator[None]:
    with _slot(), consistent_read(lock_timeout="400ms", statement_timeout="1s"):
        yield


@contextmanager
def _brief_write(timeout: int) -> Iterator[None]:
    with _slot(), _busy_timeout(timeout), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    f"SET LOCAL lock_timeout = '{timeout}ms'; SET LOCAL statement_timeout = '{timeout}ms'"
                )
        yield


@contextmanager
def _slot() -> Iterator[None]:
    if current.offline_since is not None or not _slots.acquire(timeout=SLOT_TIMEOUT):
        raise ListsUnavailable
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        if not connection.in_atomic_block:
            connection.close()
        raise ListsUnavailable from error
    finally:
        _slots.release()


@contextmanager
def _busy_timeout(milliseconds: int) -> Iterator[None]:
    """Limit the wait for other writers of an SQLite file."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        ((before,),) = cursor.execute("PRAGMA busy_timeout").fetchall()
        cursor.execute(f"PRAGMA busy_timeout = {milliseconds}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {before}")
