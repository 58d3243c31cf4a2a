"""The processes of a server: what they use, as Linux counts it, and which of them answers a connection."""

import os
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path

from benchmarks.timing import private_kilobytes

TICKS = os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def descendants(pid: int) -> Iterator[int]:
    for child in children(pid):
        yield child
        yield from descendants(child)


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has used, in hundredths of a second."""
    # The name, in parentheses, may have spaces.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def processor_seconds_of_all(server: int) -> float:
    """Return the processor time of a server's processes that run now."""
    return sum(map(processor_seconds, (server, *descendants(server))))


def megabytes_of_all(server: int) -> float:
    """Return the private memory of a server's processes that run now."""
    return sum(private_kilobytes(pid) for pid in (server, *descendants(server))) / 1024


def find_process(connection: HTTPConnection, server: int) -> int:
    """Return which of a server's processes has accepted a connection that has had an answer."""
    socket = f"socket:[{_inode(connection)}]"
    for pid in descendants(server):
        for file in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                if file.readlink() == Path(socket):
                    return pid
    raise SystemExit(f"No process of {server} has {socket}")


def _inode(connection: HTTPConnection) -> str:
    """Return the number of the socket at the server's end."""
    wanted = connection.port, connection.sock.getsockname()[1]
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        local, remote = (int(address.partition(":")[2], 16) for address in fields[1:3])
        if (local, remote) == wanted:
            return fields[9]
    raise SystemExit("The connection is closed")
