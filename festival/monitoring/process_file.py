"""What each process has counted, in a file of its own, so that one process can report on all of them.

A process holds a lock on its file's companion (`*.lock`) for as long as it lives. Whoever reads the files
adds the counters of ended processes to `ended.json` and removes their files, so that a counter of all
processes never decreases, whichever of them are replaced or killed. What is counted in the last second before
a process is killed is lost.
"""

import atexit
import logging
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from multiprocessing.util import Finalize
from pathlib import Path
from threading import Event, Lock, Thread
from typing import IO

import msgspec
from django.conf import settings

from festival.counters import Key, counters
from festival.monitoring.gauges import Gauges, read_counters, read_gauges

logger = logging.getLogger(__name__)

# In seconds: how often the file is written if something was counted, and how often if not.
WRITE_INTERVAL, IDLE_INTERVAL = 1.0, 10.0
# Neither a format nor a status contains it.
SEPARATOR = "|"


class State(msgspec.Struct):
    """What one process has counted, and how it is now."""

    counters: dict[str, float] = {}
    gauges: Gauges | None = None
    # In `ended.json`: processes that are counted there and whose files may not be removed yet.
    ended: list[str] = []


class Totals(msgspec.Struct):
    """The counters of all processes, ended ones too, and how each living process is."""

    counters: dict[Key, float]
    gauges: list[Gauges]


class ProcessFile:
    """The file of this process."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.kind = kind
        self.pid = os.getpid()
        self.path = folder / f"{self.pid}-{secrets.token_hex(4)}.json"
        self._writing = Lock()
        self._lock: int | None = None

    def write(self) -> None:
        """Write the present state; after a failure, into the same file. Raises OSError."""
        with self._writing:
            if not self._is_locked():
                self._take_lock()
            values = counters.read() | read_counters()
            texts = {SEPARATOR.join(key): value for key, value in values.items()}
            _replace(self.path, State(texts, read_gauges(self.kind)))

    def _is_locked(self) -> bool:
        """Return whether this process has the lock; somebody may have removed the folder."""
        return self._lock is not None and self.path.with_suffix(".lock").exists()

    def _take_lock(self) -> None:
        # Nobody looks for ended processes between the two steps.
        with _lock_folder(self.path.parent):
            self.close()
            lock = os.open(self.path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR, 0o600)
            try:
                flock(lock, LOCK_EX | LOCK_NB)
            except OSError:
                os.close(lock)
                raise
            self._lock = lock

    def close(self) -> None:
        """Let go of the file; its counters are added to those of ended processes."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class Writer:
    """Writes this process's file, every second or when asked."""

    def __init__(self) -> None:
        self._file: ProcessFile | None = None
        self._lock = Lock()
        self._is_failing = False
        self._is_running = False

    def flush_at_exit(self) -> None:
        """Write the file when the process ends, unless it is written all the time: for commands."""
        if not self._is_running:
            self._is_running = True
            atexit.register(self.flush)

    def flush(self, kind: str = "other") -> None:
        """Write the file now. Failures are logged once, until it works again."""
        try:
            self._get_file(kind).write()
        except OSError as error:
            if not self._is_failing:
                logger.warning("The metrics of this process cannot be written: %s", error)
            self._is_failing = True
        else:
            self._is_failing = False

    def run(self, kind: str, stop: Event) -> None:
        """Write the file until `stop` is set."""
        self._is_running = True
        while True:
            self.flush(kind)
            before, idle_since = counters.read(), time.monotonic()
            while counters.read() == before and time.monotonic() - idle_since < IDLE_INTERVAL:
                if stop.wait(WRITE_INTERVAL):
                    return

    def _get_file(self, kind: str) -> ProcessFile:
        folder = get_folder()
        with self._lock:
            file = self._file
            is_usable = file and file.path.parent == folder and file.pid == os.getpid()
            if file is None or not is_usable:
                if file:
                    file.close()
                file = self._file = ProcessFile(folder, kind)
            return file


writer = Writer()


def start(kind: str) -> None:
    """Start the thread that writes this process's file; `kind` is "reader" or "back office"."""
    Thread(target=writer.run, args=(kind, Event()), name="metrics", daemon=True).start()
    # Workers are processes of `multiprocessing`, which do not run what `atexit` has registered.
    Finalize(None, writer.flush, exitpriority=0)


def get_folder() -> Path:
    return Path(settings.DATA_DIR) / "metrics"


def read_all(folder: Path) -> Totals:
    """Return the counters of all processes that have written a file, and the gauges of those that live.

    Raises OSError.
    """
    with _lock_folder(folder):
        living = _fold_ended(folder)
        ended = _read(folder / "ended.json")
    totals: dict[Key, float] = {}
    for state in (ended, *living):
        for text, value in state.counters.items():
            key = tuple(text.split(SEPARATOR))
            totals[key] = totals.get(key, 0) + value
    return Totals(totals, [each.gauges for each in living if each.gauges])


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "in-use").open("w") as lock:
        flock(lock, LOCK_EX)
        yield


def _fold_ended(folder: Path) -> list[State]:
    """Add up the files of ended processes and remove them; return the states of the others."""
    path = folder / "ended.json"
    ended = _read(path)
    living, gone = [], []
    for lock_path in sorted(folder.glob("*.lock")):
        with _open_if_ended(lock_path) as lock:
            if lock is None:
                living.append(_read(lock_path.with_suffix(".json")))
            else:
                gone.append(lock_path)
    if gone:
        _add(ended, [each for each in gone if each.stem not in ended.ended])
        ended.ended = [each.stem for each in gone]
        _replace(path, ended)
        for lock_path in gone:
            lock_path.with_suffix(".json").unlink(missing_ok=True)
            lock_path.unlink(missing_ok=True)
    for new in folder.glob("*.new"):
        if not new.with_suffix(".lock").exists():
            new.unlink(missing_ok=True)
    return living


def _add(ended: State, gone: list[Path]) -> None:
    for lock_path in gone:
        for key, value in _read(lock_path.with_suffix(".json")).counters.items():
            ended.counters[key] = ended.counters.get(key, 0) + value


@contextmanager
def _open_if_ended(lock_path: Path) -> Iterator[IO[str] | None]:
    """Yield the file if its process has ended, else None."""
    with lock_path.open("r") as lock:
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except OSError:
            yield None
        else:
            yield lock


def _read(path: Path) -> State:
    """Return the state in a file; an empty one if there is none, or none that this version can read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=State)
    except (OSError, msgspec.MsgspecError):
        return State()


def _replace(path: Path, state: State) -> None:
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(state))
    new.replace(path)
