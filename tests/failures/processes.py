"""Processes that end with the tests, and free ports."""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.failures.wait import wait_until

ROOT = Path(__file__).resolve().parents[2]

# TCP states in /proc/net/tcp.
ESTABLISHED, LISTENING = "01", "0A"


class Socket(NamedTuple):
    """One end of a TCP connection on this machine."""

    local: int
    peer: int
    state: str
    inode: str


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


def command_line(pid: int) -> list[str]:
    """Return a process's command and arguments; nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
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


def tcp_sockets() -> Iterator[Socket]:
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, peer, state, _, _, _, _, _, inode, *_ = line.split()
        yield Socket(_port(local), _port(peer), state, inode)


def _port(address: str) -> int:
    return int(address.rpartition(":")[2], 16)


def sockets_of(pid: int) -> set[str]:
    """Return the inodes of a process's open sockets."""
    try:
        links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    except OSError:
        return set()
    return {link.removeprefix("socket:[").removesuffix("]") for link in links if link.startswith("socket:")}
