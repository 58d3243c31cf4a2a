"""The last programme on disk: what a process answers from that starts while the database is away.

A file holds one pickled programme, signed: what is damaged, was written by another version of the
service, for another database or under other settings, or by somebody else, is refused.
"""

import hashlib
import hmac
import logging
import os
import pickle
import sys
import time
from fcntl import LOCK_EX, flock
from pathlib import Path
from threading import Condition, Thread

from django.conf import settings
from django.db import Error, connection

from feeds import festival_time, vocabulary
from feeds import programme as programmes
from feeds.programme import Programme
from feeds.vocabulary import Revision
from programme.publishing import loading

logger = logging.getLogger(__name__)

SIGNATURE_BYTES = 32
# At most once in so many seconds: an importing editor's hundred saves are written once or twice.
PAUSE = 1.0

# Values are pickled by their fields in order, so the same sources read what they wrote.
_SOURCES = (festival_time, programmes, vocabulary)
_VERSION = hashlib.sha256(
    b"".join(Path(str(source.__file__)).read_bytes() for source in _SOURCES)
    + repr(sys.version_info[:2]).encode()
).hexdigest()


def _signature(pickled: bytes) -> bytes:
    database = connection.settings_dict
    names = (str(database[name]) for name in ("ENGINE", "HOST", "PORT", "NAME"))
    key = repr((settings.SECRET_KEY, _VERSION, loading.site(), settings.MEDIA_URL, *names))
    return hmac.digest(hashlib.sha256(key.encode()).digest(), pickled, "sha256")


def write(programme: Programme, path: Path) -> None:
    """Keep a programme in a file, unless that holds it already or one that the database is at.

    The file is replaced as a whole, and only when the new one is on the disk. Raises OSError.
    """
    with Path(f"{path}.lock").open("w") as lock:
        # The processes of one machine take turns, so one name serves for what is being written.
        flock(lock, LOCK_EX)
        there = read(path)
        if there is None or _replaces(programme.revision, there.revision):
            _replace(path, programme)


def _replaces(revision: Revision, there: Revision) -> bool:
    if there == revision or there.moved_at < revision.moved_at:
        return there != revision
    # Another process was quicker with a newer one, or a backup was restored: the database knows.
    try:
        return loading.revision() == revision
    except Error:
        return False
    finally:
        if not connection.in_atomic_block:
            connection.close()


def _replace(path: Path, programme: Programme) -> None:
    fields = [getattr(programme, name) for name in Programme.__struct_fields__]
    pickled = pickle.dumps(fields, protocol=5)
    written = Path(f"{path}.new")
    with written.open("wb") as file:
        file.write(_signature(pickled) + pickled)
        file.flush()
        os.fsync(file.fileno())
    written.replace(path)


def read(path: Path) -> Programme | None:
    """Return the programme in a file; None where there is none, or none that may be used."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        logger.warning("The kept programme cannot be read: %s", error)
        return None
    signature, pickled = content[:SIGNATURE_BYTES], content[SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _signature(pickled)):
        logger.warning("The kept programme in %s is damaged, or of another version or installation.", path)
        return None
    try:
        return Programme(*pickle.loads(pickled))  # noqa: S301 - signed with our own key
    except Exception:
        logger.exception("The kept programme in %s cannot be understood.", path)
        return None


def load() -> Programme | None:
    """Return the programme that was kept last, ready to be answered from; None if there is none."""
    path = settings.KEPT_PROGRAMME
    programme = read(Path(path)) if path else None
    return programme and loading.ready(programme)


class DiskCacheWriter:
    """Writes the latest programme that it is given, beside the readers and not before them."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._latest: tuple[Programme, Path] | None = None
        self._thread: Thread | None = None

    def keep(self, programme: Programme) -> None:
        """Write a programme to the file of the settings soon."""
        if not settings.KEPT_PROGRAMME:
            return
        with self._condition:
            self._latest = programme, Path(settings.KEPT_PROGRAMME)
            self._condition.notify()
            # Not at import: a server may fork after it, and threads do not come along.
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._write_on, name="keeper", daemon=True)
                self._thread.start()

    def _write_on(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._latest is not None)
                latest, self._latest = self._latest, None
            try:
                write(*latest)  # type: ignore[misc]
            except OSError:
                logger.exception("The programme cannot be kept on disk")
            del latest
            time.sleep(PAUSE)


writer = DiskCacheWriter()
