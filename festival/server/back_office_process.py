"""The back office's own process, as the main process of the server starts, reloads, restarts and stops it."""

import logging
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

# The setting by which a server's workers know where the process listens.
_SOCKET_VARIABLE = "BACK_OFFICE_SOCKET"

logger = logging.getLogger(__name__)

# Bytes that the path of a Unix socket may have (Linux: 108 with its end; others less).
_LONGEST_PATH = 103
# Seconds before a process that has ended is started again, and that it has to end once readers are gone.
_RESTART_INTERVAL, _STOP_TIMEOUT = 1.0, 5.0


class BackOfficeProcess:
    """The process that answers all requests below /admin/, started again whenever it ends."""

    def __init__(self, socket: Path, threads: int, log_format: str) -> None:
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self.socket = self._prepare_folder(socket)
        self.threads = threads
        self.log_format = log_format
        self._stopping = Event()
        self._process: subprocess.Popen[bytes] | None = None

    def workers_environment(self) -> dict[str, str]:
        """Return the settings of processes that forward requests to this one."""
        return {_SOCKET_VARIABLE: str(self.socket), "BACK_OFFICE_THREADS": str(self.threads)}

    def start(self) -> None:
        """Start the process, and a thread that waits for its end and lives as long as the next one."""
        self._start()
        Thread(target=self._watch, name="back-office", daemon=True).start()

    def _start(self) -> None:
        # In a session of its own, so that Ctrl+C reaches the main process alone.
        command = [sys.executable, "-m", "festival.server.back_office_server"]
        options = [f"--socket={self.socket}", f"--threads={self.threads}", f"--log-format={self.log_format}"]
        options.append(f"--parent={os.getpid()}")
        environment = {name: value for name, value in os.environ.items() if name != _SOCKET_VARIABLE}
        self._process = subprocess.Popen(  # noqa: S603 - our own arguments
            [*command, *options], start_new_session=True, env=environment
        )

    def _watch(self) -> None:
        while not self._stopping.is_set():
            if self._process is not None:
                status = self._process.wait()
                if self._stopping.wait(_RESTART_INTERVAL):
                    return
                logger.error(
                    "The back office has ended unexpectedly (status %s) and is started again", status
                )
            self._start()

    def reload(self) -> None:
        """Let the process replace its worker by one that loads the application again."""
        self._signal(signal.SIGHUP)

    def stop(self) -> None:
        """Stop the process; whoever waits for it has been answered, or given up."""
        self._stopping.set()
        self._signal(signal.SIGTERM)
        if self._process is not None:
            try:
                self._process.wait(_STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                # With its worker, which is in the same session.
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
        self.socket.unlink(missing_ok=True)
        if self._temporary:
            self._temporary.cleanup()

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    def _prepare_folder(self, socket: Path) -> Path:
        """Make the folder, for its owner only; return a shorter path if the socket's is too long."""
        if len(os.fsencode(socket)) > _LONGEST_PATH:
            self._temporary = tempfile.TemporaryDirectory(prefix="festival-")
            return Path(self._temporary.name, socket.name)
        socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        socket.parent.chmod(0o700)
        return socket
