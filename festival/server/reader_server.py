"""The production server: granian, changed so that a reload loses no request.

`manage.py serve` replaces itself by `python -m festival.server`. Only the workers load Django, so a reload
(SIGHUP) loads the new version.

Granian alone was measured to lose requests in a reload, and to keep connections waiting for a worker that was
killed. Five changes prevent that:

* The listening sockets belong to the main process. Granian's belong to the workers: a worker that ends would
  drop the connections that wait in its socket, unless the kernel moves them (`tcp_migrate_req`).
* The kernel hands over a connection when its request has arrived (`TCP_DEFER_ACCEPT`). A worker that ends
  closes connections that it has accepted and not read from.
* A worker that is about to end closes each connection with its next response, so that no client sends
  another request on it.
* It does not end before its replacement answers, which it does once it has the programme: granian waits for a
  fixed time, which is not enough on a busy machine.
* The socket of a worker that was killed stops listening until its replacement answers: connections go to
  the other workers, and those that wait in it are reset, so that clients try again at once. (One socket for
  all workers would need no reset, but one worker was measured to accept all of 32 connections.)

Granian has no public means for all but the second, so its version is pinned, and
tests/festival/test_server.py checks the private attributes that `Server` overrides or sets.
"""

import contextlib
import logging
import multiprocessing
import os
import signal
import socket
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from granian.constants import HTTPModes, Interfaces
from granian.errors import FatalError
from granian.http import HTTP1Settings
from granian.net import SocketHolder  # type: ignore[attr-defined]  # not in __all__
from granian.server.mp import MPServer, WorkerProcess

from festival.configuration.logs import LOG_FORMATS, TEXT, build_formatters
from festival.http.refused_senders import MOST_PAUSES
from festival.server import parent_process
from festival.server.back_office_process import BackOfficeProcess

logger = logging.getLogger(__name__)

APPLICATION = "festival.wsgi:application"

Application = Callable[..., Iterable[bytes]]

# Connections that wait for a worker, and connections of each worker, including idle ones.
BACKLOG, CONNECTIONS = 1024, 512
# Milliseconds to wait for a request's headers, and to keep an idle connection open.
HEADER_TIMEOUT_MS = 20_000
# Seconds that an old worker closes connections beside its replacement, and that it then waits for it to load;
# that pending requests have before their worker is killed; that an idle thread keeps its database connection.
RESPAWN_INTERVAL, LOADING_TIMEOUT, KILL_TIMEOUT, IDLE_THREAD_TIMEOUT = 5, 60, 30, 600
# Seconds between two looks whether the main process was asked to stop while a worker loads.
LOADING_LOOK = 0.1
# Requests about visitors' lists that may wait at a time: for their bodies (pages/starred/requests.py), and
# for the database (pages/starred/store.py).
LIST_THREADS = 8

DRAIN_SIGNAL = signal.SIGUSR1

# For the main process and for requests, and for workers until Django configures logging from
# festival/settings.py.
LOGGING: dict[str, Any] = {
    "filters": {"threads": {"()": "festival.server.reader_server.ThreadAdviceFilter"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "line"},
        "stdout": {"class": "logging.StreamHandler", "formatter": "request", "stream": "ext://sys.stdout"},
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "_granian": {"filters": ["threads"]},
        "festival.access": {"handlers": ["stdout"], "level": "INFO", "propagate": False},
    },
}


class ThreadAdviceFilter(logging.Filter):
    """Leave out granian's advice to have fewer threads: most of ours wait for the back office."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "Configuration allows spawning" not in record.getMessage()


class DrainingApplication:
    """A worker's application; after `drain`, each response closes its connection."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.is_draining = False

    def drain(self, *_signal: Any) -> None:
        self.is_draining = True

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if not self.is_draining:
            return self.application(environ, start_response)

        def start(status: str, headers: list[tuple[str, str]], *exception: Any) -> Any:
            return start_response(status, [*headers, ("Connection", "close")], *exception)

        return self.application(environ, start)


def load_application(target: str) -> DrainingApplication:
    """Load an application in a worker."""
    # Until it is loaded, the worker may be ended at once.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # The main thread of the main process starts workers.
    if (parent := multiprocessing.parent_process()) and parent.pid:
        parent_process.end_with(parent.pid)
    forget_modules()
    module, _, name = target.partition(":")
    application = DrainingApplication(getattr(import_module(module), name))
    signal.signal(DRAIN_SIGNAL, application.drain)
    return application


def forget_modules() -> None:
    """Let this worker import the project's modules again: the main process may be of an older version."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "festival"]:
        del sys.modules[name]


def load_festival(target: str) -> DrainingApplication:
    """Load the service and its programme in a worker, and watch for edits there."""
    application = load_application(target)
    # Imported late because it needs Django, which the main process does not load.
    import_module("festival.server.renewal").start(application.application.warm_up)  # type: ignore[attr-defined]
    import_module("festival.server.websub_watcher").start()
    import_module("festival.monitoring.gauges").start()
    return application


Loader = Callable[[str], DrainingApplication]


def load_and_say(load: Callable[[], DrainingApplication], is_loaded: Event) -> DrainingApplication:
    """Load an application in a worker, and tell the main process that it is loaded."""
    application = load()
    is_loaded.set()
    return application


def load_with_access_log(loader: Loader, target: str) -> DrainingApplication:
    """Load an application in a worker, and log its requests; granian's log knows no client behind a proxy."""
    application = loader(target)
    log = import_module("festival.monitoring.access_log").AccessLog
    application.application = log(application.application)
    return application


class Server(MPServer):
    """Granian's multi-process server, with listening sockets that outlive the workers."""

    def _init_shared_socket(self) -> None:
        self._ssp = self._shd = self._sso = None
        self._listening = [self._listener() for _ in range(self.workers)]
        # By the workers' numbers, whether the present one has loaded.
        self._loaded: dict[int, Event] = {}

    def _listener(self) -> socket.socket:
        """Return a socket for one worker; the kernel distributes connections over all of them."""
        return self._unix_listener(self.bind_uds) if self.bind_uds else self._tcp_listener()

    @staticmethod
    def _unix_listener(path: Path) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        path.unlink(missing_ok=True)
        # Only the service's user may connect.
        before = os.umask(0o177)
        try:
            listener.bind(str(path))
        finally:
            os.umask(before)
        # Requests wait for the one worker, also while it is replaced.
        listener.listen(BACKLOG)
        listener.set_inheritable(True)
        return listener

    def _tcp_listener(self) -> socket.socket:
        family = socket.AF_INET6 if ":" in self.bind_addr else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
            listener.setsockopt(socket.SOL_SOCKET, option, 1)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_DEFER_ACCEPT"):  # Linux
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, 1)
        listener.bind((self.bind_addr, self.bind_port))
        listener.set_inheritable(True)
        return listener

    def _drop_shared_socket(self) -> None:
        for listener in self._listening:
            listener.close()

    def _spawn_worker(  # type: ignore[override]  # as MPServer declares it
        self, idx: int, target: Any, callback_loader: Any
    ) -> WorkerProcess:
        listener = self._listening[idx]
        self._sso = listener
        self._shd = SocketHolder(listener.fileno(), bool(self.bind_uds), self.backlog)  # type: ignore[call-arg, assignment]  # wrong stubs
        self._loaded[idx] = multiprocessing.Event()
        loader = partial(load_and_say, callback_loader, self._loaded[idx])
        worker = super()._spawn_worker(idx, target, loader)
        watcher = partial(self._watch_worker, worker)
        worker._watcher = watcher  # type: ignore[method-assign]  # noqa: SLF001
        return worker

    def _watch_worker(self, worker: WorkerProcess) -> None:
        """Wait for a worker's end, in a thread; if it was killed, leave its connections to the others."""
        worker.inner.join()
        if not worker.interrupt_by_parent and any(
            each is not worker and each.inner.is_alive() for each in self.wrks
        ):
            # Every process that was forked meanwhile has the socket, so closing it here would not close it.
            # The replacement calls `listen` when it has loaded.
            with contextlib.suppress(OSError):
                self._listening[worker.idx].shutdown(socket.SHUT_RDWR)
        WorkerProcess._watcher(worker)  # type: ignore[no-untyped-call]  # noqa: SLF001

    def _respawn_workers(self, workers: list[int], target: Any, loader: Any, delay: float = 0) -> None:
        for idx in workers:
            # Asked to stop during a reload: the remaining workers need no replacement.
            if self.interrupt_signal:
                return
            old = self.wrks[idx]
            if old.inner.is_alive():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(old.inner.pid, DRAIN_SIGNAL)
                old.terminate = partial(self._terminate_replaced, old)  # type: ignore[method-assign]
            super()._respawn_workers([idx], target, loader, delay)

    def _terminate_replaced(self, old: WorkerProcess) -> None:
        """Terminate a worker once its replacement has loaded, ended or had enough time for it."""
        replacement, is_loaded = self.wrks[old.idx], self._loaded[old.idx]
        ends = time.monotonic() + LOADING_TIMEOUT
        while not is_loaded.wait(LOADING_LOOK):
            if self.interrupt_signal or not replacement.inner.is_alive():
                break
            if time.monotonic() >= ends:
                logger.warning("Worker-%s ends though its replacement has not loaded", old.idx + 1)
                break
        WorkerProcess.terminate(old)  # type: ignore[no-untyped-call]


def build_server(application: str, log_format: str, **options: Any) -> Server:
    """Return a server for a WSGI application, with the options that all of them have."""
    return Server(
        application,
        interface=Interfaces.WSGI,
        blocking_threads_idle_timeout=IDLE_THREAD_TIMEOUT,
        # `auto` would wait forever for a connection's first byte.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_TIMEOUT_MS),
        websockets=False,
        backlog=BACKLOG,
        backpressure=CONNECTIONS,
        log_dictconfig=LOGGING | {"formatters": build_formatters(log_format)},
        respawn_failed_workers=True,
        respawn_interval=RESPAWN_INTERVAL,
        **{"workers_kill_timeout": KILL_TIMEOUT, **options},
    )


def run(server: Server, loader: Loader) -> None:
    """Serve until a signal ends it."""
    # Workers inherit this; they handle the signal once they have loaded the application.
    signal.signal(DRAIN_SIGNAL, signal.SIG_IGN)
    try:
        server.serve(target_loader=loader)
    except FatalError:
        sys.exit(1)


def start_back_office(server: Server, process: BackOfficeProcess) -> None:
    """Let the back office start, reload and stop with a server, whose workers forward its requests."""
    os.environ |= process.workers_environment()
    server.on_startup(process.start)
    server.on_reload(process.reload)
    server.on_shutdown(process.stop)


def parse_arguments(arguments: list[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m festival.server", description="Use `manage.py serve`.")
    parser.add_argument("--host", required=True)
    for name in ("--port", "--workers", "--threads"):
        parser.add_argument(name, type=int, required=True)
    # Without a socket there is no back office, and workers answer all requests.
    parser.add_argument("--back-office-socket", type=Path)
    parser.add_argument("--back-office-threads", type=int, default=0)
    parser.add_argument("--pid-file", type=Path)
    parser.add_argument("--access-log", action="store_true")
    parser.add_argument("--log-format", choices=LOG_FORMATS, default=TEXT)
    return parser.parse_args(arguments)


def main(arguments: list[str], application: str = APPLICATION, loader: Loader = load_festival) -> None:
    chosen = parse_arguments(arguments)
    pauses = MOST_PAUSES if chosen.back_office_socket else 0
    server = build_server(
        application,
        chosen.log_format,
        address=chosen.host,
        port=chosen.port,
        workers=chosen.workers,
        # Requests that are forwarded, as many whose bodies are read, those that are refused after a pause,
        # and those about lists use up none of the threads that readers need.
        blocking_threads=chosen.threads + 2 * chosen.back_office_threads + pauses + LIST_THREADS,
        pid_file=chosen.pid_file,
    )
    if chosen.back_office_socket:
        options = (chosen.back_office_socket, chosen.back_office_threads, chosen.log_format)
        start_back_office(server, BackOfficeProcess(*options))
    run(server, partial(load_with_access_log, loader) if chosen.access_log else loader)
