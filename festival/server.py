"""The production server: granian, made so that no reader notices a reload.

`manage.py serve` becomes `python -m festival.server`. Django is loaded by its workers only, so that
a reload (SIGHUP) loads it anew.

Three things are ours, each against requests that granian alone was measured to lose in a reload:

* The listening sockets outlive the workers. A worker's own would be closed with it, and so would be
  the connections that wait in it, unless the kernel is told to move them (`tcp_migrate_req`).
* A connection counts as one when its request is there. One that a worker has taken and not yet read
  from is closed when the worker ends.
* A worker that is to end says so: its answers close their connections, so that clients do not send
  the next request into one that is being closed.
"""

import contextlib
import os
import signal
import socket
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from granian._internal import load_target
from granian.constants import HTTPModes, Interfaces
from granian.errors import FatalError
from granian.http import HTTP1Settings
from granian.net import SocketHolder
from granian.server.mp import MPServer, WorkerProcess

from festival.logs import FACTS, LINE, MOMENT

APPLICATION = "festival.wsgi:application"

# Connections that wait for a worker, and those that one worker holds, idle ones among them.
BACKLOG, CONNECTIONS = 1024, 512
# Milliseconds for a request's headers, and until an idle connection is closed.
HEADERS_MS = 20_000
# Seconds that an old worker goes on beside its new one, which loads Django meanwhile; that requests
# under way have before their worker is killed; that an idle thread keeps its database connection.
OVERLAP, LAST_REQUESTS, IDLE_THREAD = 3, 30, 600

FAREWELL = signal.SIGUSR1

# Of the main process, and of workers until Django sets up what festival/settings.py says.
LOGGING = {
    "formatters": {
        "line": {"format": LINE, "datefmt": MOMENT},
        "request": {"()": "festival.logs.CombinedLogFormatter"},
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "line"},
        "stdout": {"class": "logging.StreamHandler", "formatter": "request", "stream": "ext://sys.stdout"},
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "_granian": {},
        "granian.access": {"handlers": ["stdout"], "level": "INFO", "propagate": False},
    },
}


class DrainingApplication:
    """Wraps a worker's application; once told to, it closes each connection with its next answer."""

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self.application = application
        self.is_leaving = False

    def leave(self, *_signal: Any) -> None:
        self.is_leaving = True

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if not self.is_leaving:
            return self.application(environ, start_response)

        def start(status: str, headers: list[tuple[str, str]], *exception: Any) -> Any:
            return start_response(status, [*headers, ("Connection", "close")], *exception)

        return self.application(environ, start)


def load(target: str) -> DrainingApplication:
    """Load the application, in a worker; until it is there, the worker can be ended at once."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    leaving = DrainingApplication(load_target(target))
    # Django is there since the line above, in workers only.
    import_module("festival.websub_watcher").start()
    signal.signal(FAREWELL, leaving.leave)
    return leaving


class Server(MPServer):
    """granian's server of several processes; its workers get the sockets of those before them."""

    def serve(self) -> None:  # type: ignore[override]
        # For workers that have not come to `load` yet.
        signal.signal(FAREWELL, signal.SIG_IGN)
        super().serve(target_loader=load)

    def _init_shared_socket(self) -> None:
        self._ssp = self._shd = self._sso = None
        self._listening = [self._listener() for _ in range(self.workers)]

    def _listener(self) -> socket.socket:
        """Return a socket for one worker; the kernel spreads connections evenly over them."""
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

    def _spawn_worker(self, idx: int, target: Any, callback_loader: Any) -> WorkerProcess:
        self._sso = self._listening[idx]
        self._shd = SocketHolder(self._sso.fileno(), False, self.backlog)
        return super()._spawn_worker(idx, target, callback_loader)

    def _respawn_workers(self, workers: list[int], target: Any, loader: Any, delay: float = 0) -> None:
        for idx in workers:
            # Told to end during a reload: the workers that are there are good enough for that.
            if self.interrupt_signal:
                return
            old = self.wrks[idx]
            if old.is_alive():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(old.inner.pid, FAREWELL)
            super()._respawn_workers([idx], target, loader, delay)


def options(arguments: list[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m festival.server", description="Use `manage.py serve`.")
    parser.add_argument("--host", required=True)
    for name in ("--port", "--workers", "--threads"):
        parser.add_argument(name, type=int, required=True)
    parser.add_argument("--pid-file", type=Path)
    parser.add_argument("--access-log", action="store_true")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> None:
    chosen = options(arguments)
    server = Server(
        APPLICATION,
        address=chosen.host,
        port=chosen.port,
        interface=Interfaces.WSGI,
        workers=chosen.workers,
        blocking_threads=chosen.threads,
        blocking_threads_idle_timeout=IDLE_THREAD,
        # Of the other modes, one waits for ever for a connection's first byte.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=HEADERS_MS),
        websockets=False,
        backlog=BACKLOG,
        backpressure=CONNECTIONS,
        log_dictconfig=LOGGING,
        log_access=chosen.access_log,
        log_access_format=FACTS,
        respawn_failed_workers=True,
        respawn_interval=OVERLAP,
        workers_kill_timeout=LAST_REQUESTS,
        pid_file=chosen.pid_file,
    )
    try:
        server.serve()
    except FatalError:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
