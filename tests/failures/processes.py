"""Processes that the tests start, which end with them, and ports that are free."""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.failures.wait import until

ROOT = Path(__file__).resolve().parents[2]

# The kernel's numbers of a TCP connection's states.
ESTABLISHED, LISTENING = "01", "0A"


class Socket(NamedTuple):
    """An end of a TCP connection on this machine: its own port, the other end's, and what it is known by."""

    local: int
    peer: int
    state: str
    inode: str


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start(command: Sequence[str], *, ended_by: str = "TERM", **options: Any) -> subprocess.Popen[Any]:
    """Start a process that gets the signal `ended_by` should the tests themselves be killed."""
    guard = ["setpriv", "--pdeathsig", ended_by] if shutil.which("setpriv") else []
    return subprocess.Popen([*guard, *command], **options)


def children(pid: int) -> list[int]:
    """Return the children of a process, in the order in which they were started."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def is_running(pid: int) -> bool:
    """Return whether a process is there and is not only waiting to be buried."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def kill(*pids: int) -> None:
    """Kill processes with SIGKILL, which none of them can handle, and wait until they are gone."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    until(f"{pids} are gone", lambda: not any(map(is_running, pids)))


def tcp_sockets() -> Iterator[Socket]:
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, peer, state, _, _, _, _, _, inode, *_ = line.split()
        yield Socket(_port(local), _port(peer), state, inode)


def _port(address: str) -> int:
    return int(address.rpartition(":")[2], 16)


def sockets_of(pid: int) -> set[str]:
    """Return the inodes of the sockets that a process has open."""
    try:
        links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    except OSError:
        return set()
    return {link.removeprefix("socket:[").removesuffix("]") for link in links if link.startswith("socket:")}
