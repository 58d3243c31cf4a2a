"""The command line and the environment of granian, and the recommended number of workers."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings

# Each large response is assembled in newly allocated memory; huge pages make that a fifth faster (measured
# with 5,000 events). Whatever is larger than a megabyte goes back to the system when it is freed: kept for
# later use, it doubles a worker's memory under load, for a programme of 1,000 events from 480 to 900 MB.
# glibc reads this when a process starts.
ALLOCATOR_SETTINGS = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1048576"}

# A page with hundreds of rows creates so many objects that Python would run several full collections, which
# take a third of the page's time.
GARBAGE_THRESHOLDS = (20_000, 20, 20)

# At least two, so that one can respond while the other handles an edit or restarts. Each worker computes each
# response itself, so more than a few cost more than they gain.
MIN_WORKERS, MAX_WORKERS = 2, 8
# A worker's memory: the programme, ANSWERS_MB of responses, and some in progress (measured with 1,000 events
# under load: 345 to 403 MB), and that of the back office's process.
BYTES_PER_WORKER, BACK_OFFICE_BYTES = 400_000_000, 300_000_000
# Requests about visitors' lists that may wait at a time: for their bodies (pages/starred/requests.py), and
# for the database (pages/starred/store.py). They use up none of the threads that other requests need.
LIST_THREADS = 8

# Called in each worker.
APPLICATION = "festival.wsgi:start_worker"
# Seconds that pending requests have before their worker is killed: an import may take minutes.
KILL_TIMEOUT, IMPORT_KILL_TIMEOUT = 30, 600
# In a reload, seconds that a former worker answers beside its replacement, which loads the programme; the
# back office has only one.
RESPAWN_INTERVAL, ONLY_WORKER_INTERVAL = 10, 30
GRANIAN = (
    *("--interface=wsgi", "--factory", "--no-ws"),
    # `auto` would wait forever for a connection's first byte. Milliseconds to wait for a request's headers,
    # and to keep an idle connection open.
    *("--http=1", "--http1-header-read-timeout=20000"),
    # Connections that wait for a worker, and connections of each worker, including idle ones.
    *("--backlog=1024", "--backpressure=512"),
    # Seconds that an idle thread keeps its database connection.
    "--blocking-threads-idle-timeout=600",
    "--respawn-failed-workers",
)


@dataclass(frozen=True)
class ServerOptions:
    """The options that an operator can set."""

    host: str
    port: int
    workers: int
    threads: int
    kill_timeout: int = KILL_TIMEOUT
    respawn_interval: int = RESPAWN_INTERVAL
    access_log: bool = False

    def command(self, python: Path | str = sys.executable) -> list[str]:
        """Return granian's command line, whose main process does not load Django: each worker does."""
        options = {
            "host": self.host,
            "port": self.port,
            "workers": self.workers,
            "blocking-threads": self.threads + LIST_THREADS,
            "workers-kill-timeout": self.kill_timeout,
            "respawn-interval": self.respawn_interval,
            "log-config": Path(__file__).with_name("granian_log.json"),
        }
        values = [f"--{name}={value}" for name, value in options.items()]
        log = ["--access-log"] if self.access_log else []
        return [str(python), "-m", "granian", *GRANIAN, *log, *values, APPLICATION]


def switch_version(port: int) -> Path:
    """Set the link to the version of a server's new workers to this command's; return its Python.

    Only a start or a reload changes the version of workers, not the operator's own link. Raise OSError.
    """
    own, folder = Path(sys.executable), Path(sys.prefix).resolve()
    if sys.prefix == sys.base_prefix:
        return own
    link = Path(settings.DATA_DIR, f"version-{port}")
    if not link.is_symlink() or link.readlink() != folder:
        with TemporaryDirectory(prefix=".version-", dir=link.parent) as new:
            Path(new, link.name).symlink_to(folder)
            Path(new, link.name).replace(link)
    return link / "bin" / own.name


def recommend_workers() -> int:
    """Return one worker for each processor, within bounds and as far as the machine's memory allows."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    wanted = min(max(len(os.sched_getaffinity(0)), MIN_WORKERS), MAX_WORKERS)
    return max(1, min(wanted, (memory - BACK_OFFICE_BYTES) // BYTES_PER_WORKER))
