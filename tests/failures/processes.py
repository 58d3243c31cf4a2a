"""Processes that end with the tests, and free ports."""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.failures.wait import wait_until

ROOT = Path(__file__).resolve().parents[2]

# Of a TCP socket in /proc/net/tcp.
LISTENING = "0A"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start(command: Sequence[str], *, ended_by: str = "TERM", **options: Any) -> subprocess.Popen[Any]:
    """Start a process that receives the signal `ended_by` if the tests are killed."""
    guard = ["setpriv", "--pdeathsig", ended_by] if shutil.which("setpriv") else []
    return subprocess.Popen([*guard, *command], **options)


def children(pid: int) -> list[int]:
    """Return the children of a process's threads, each thread's in the order of their start."""
    try:
        lists = [path.read_text() for path in sorted(Path(f"/proc/{pid}/task").glob("*/children"))]
        return [int(child) for child in " ".join(lists).split()]
    except OSError:
        return []


def is_running(pid: int) -> bool:
    """Return whether a process runs and is not a zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def kill(*pids: int) -> None:
    """Kill processes with SIGKILL, and wait until they are gone."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    wait_until(f"{pids} are gone", lambda: not any(map(is_running, pids)))


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    """Freeze a process: it keeps its sockets and does nothing."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def listening_ports() -> list[int]:
    """Return the ports of this machine on which something listens, each as often as processes do."""
    lines = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return [int(local.rpartition(":")[2], 16) for _, local, _, state, *_ in lines if state == LISTENING]
