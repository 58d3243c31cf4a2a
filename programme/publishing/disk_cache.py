"""The latest programme on disk, for processes that start while the database is unavailable.

The file holds a pickled programme and its signature. A file is refused if it is damaged, or if it belongs to
another version, another database or other settings.
"""

import hashlib
import hmac
import logging
import os
import pickle
import sys
import time
from fcntl import LOCK_EX, flock
from io import BytesIO
from itertools import chain
from pathlib import Path
from threading import Condition, Thread
from types import SimpleNamespace
from typing import BinaryIO, cast

from django.conf import settings
from django.db import connection

from feeds import editions, festival_time, news, vocabulary
from feeds import programme as programmes
from feeds.programme import Programme
from feeds.vocabulary import Revision
from programme.publishing import loading

logger = logging.getLogger(__name__)

SIGNATURE_BYTES = 32
# The fields with many values.
_MANY = ("occasions", "news")
# The pause after writing, in seconds and as a multiple of the processor time that writing took: a second for
# a large programme, which must remain a small share of the process's time.
WRITE_INTERVAL, PAUSE = 5.0, 20

# Values are pickled as their fields in order, so only the same sources can read them.
_MODULES = (editions, festival_time, news, programmes, vocabulary)
_SOURCES = (__file__, *(each.__file__ for each in _MODULES))
_VERSION = hashlib.sha256(
    b"".join(Path(str(source)).read_bytes() for source in _SOURCES) + repr(sys.version_info[:2]).encode()
).hexdigest()

# Values pickled at a time, which blocks readers for a millisecond, and the pause in seconds between.
CHUNK, CHUNK_PAUSE = 50, 0.004


def _sign(pickled: bytes = b"") -> hmac.HMAC:
    database = connection.settings_dict
    names = (str(database[name]) for name in ("ENGINE", "HOST", "PORT", "NAME"))
    key = repr((settings.SECRET_KEY, _VERSION, loading.build_site(), settings.MEDIA_URL, *names))
    return hmac.new(hashlib.sha256(key.encode()).digest(), pickled, "sha256")


def write(programme: Programme, path: Path) -> None:
    """Write a programme to a file, unless the file has its revision. Raise OSError.

    The file is replaced as a whole, once the new one is on the disk.
    """
    with Path(f"{path}.lock").open("w") as lock:
        # One process at a time, so the new file may have a fixed name.
        flock(lock, LOCK_EX)
        if _read_revision(path) != programme.revision:
            _replace(path, programme)


def _replace(path: Path, programme: Programme) -> None:
    fields = {name: getattr(programme, name) for name in Programme.__struct_fields__}
    many = {name: fields.pop(name) for name in _MANY}
    new, signature = Path(f"{path}.new"), _sign()
    with new.open("wb") as file:

        def put(pickled: bytes) -> None:
            signature.update(pickled)
            file.write(pickled)

        file.seek(SIGNATURE_BYTES)
        pickler = pickle.Pickler(cast("BinaryIO", SimpleNamespace(write=put)), protocol=5)
        # First, so that `_read_revision` need not load everything.
        pickler.dump(fields.pop("revision"))
        pickler.dump(fields)
        for values in many.values():
            chunks = range(0, len(values), CHUNK)
            pickler.dump(len(chunks))
            for first in chunks:
                pickler.dump(values[first : first + CHUNK])
                time.sleep(CHUNK_PAUSE)
        file.seek(0)
        file.write(signature.digest())
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _read_revision(path: Path) -> Revision | None:
    file = _open(path)
    return cast("Revision", pickle.load(file)) if file else None  # noqa: S301


def _open(path: Path) -> BytesIO | None:
    """Return the pickled content of a file if its signature is valid."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        logger.warning("The programme on disk cannot be read: %s", error)
        return None
    signature, pickled = content[:SIGNATURE_BYTES], content[SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _sign(pickled).digest()):
        logger.warning("The programme in %s is damaged, or of another version or installation.", path)
        return None
    return BytesIO(pickled)


def is_there() -> bool:
    """Return whether there is a valid programme on disk, without loading it."""
    path = settings.KEPT_PROGRAMME
    return bool(path) and _read_revision(Path(path)) is not None


def load() -> Programme | None:
    """Return the programme on disk, precomputed, or None if there is no valid one."""
    path = settings.KEPT_PROGRAMME
    file = _open(Path(path)) if path else None
    if file is None:
        return None
    unpickle = pickle.Unpickler(file).load  # noqa: S301 - signed
    revision, fields = unpickle(), unpickle()
    for name in _MANY:
        fields[name] = tuple(chain.from_iterable(unpickle() for _ in range(unpickle())))
    return loading.make_ready(Programme(revision, **fields))


class DiskCacheWriter:
    """Writes the latest programme in a thread of its own, so that no reader waits for the disk."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._next: tuple[Programme, Path] | None = None
        self._thread: Thread | None = None

    def write_soon(self, programme: Programme) -> None:
        """Write a programme to the file of the settings, unless a later one replaces it before."""
        if not settings.KEPT_PROGRAMME:
            return
        with self._condition:
            self._next = programme, Path(settings.KEPT_PROGRAMME)
            self._condition.notify()
            # Not at import: a server may fork after it, and threads do not survive a fork.
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="disk-cache", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._next)
                programme, path = cast("tuple[Programme, Path]", self._next)
                self._next = None
            began = time.thread_time()
            try:
                write(programme, path)
            except OSError as error:
                logger.error("The programme cannot be written to disk: %s", error)  # noqa: TRY400 - no fault of ours
            # Do not hold a programme in memory while waiting for the next one.
            del programme
            time.sleep(max(WRITE_INTERVAL, PAUSE * (time.thread_time() - began)))


writer = DiskCacheWriter()
