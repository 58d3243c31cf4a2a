"""How the production server is run: what a machine has room for, its environment, its command line."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

# Large answers are joined in memory that is asked for anew each time; in large pages that is a fifth
# quicker (measured at 5,000 events). Read by glibc when a process starts.
ALLOCATOR = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}

# Two, so that one answers while another is busy with an edit or is started again. Every worker
# prepares every answer for itself, so that more than a few cost more than they give.
FEWEST, MOST = 2, 8
# What a worker may come to: the programme, ANSWERS_MB of answers, and some that are being made (measured
# at 1,000 events under load: 345 to 403 MB).
BYTES_EACH = 400_000_000


class Machine(NamedTuple):
    """What there is for this process: whole processors, and bytes of memory."""

    processors: int
    memory: int


@dataclass(frozen=True)
class Service:
    """What an operator may choose of the server."""

    host: str
    port: int
    workers: int
    threads: int
    access_log: bool
    pid_file: str

    def command(self) -> list[str]:
        """Return the command line of festival/server.py."""
        options = {"--host": self.host, "--port": self.port, "--workers": self.workers}
        options |= {"--threads": self.threads, "--pid-file": self.pid_file}
        stated = [f"{name}={value}" for name, value in options.items() if value]
        logged = ["--access-log"] if self.access_log else []
        return [sys.executable, "-m", "festival.server", *stated, *logged]


def environment(started_with: Mapping[str, str], source: Path) -> dict[str, str]:
    """Return the server's environment; `source` is the folder that has the packages.

    It is to be without what a file `.env` says, which each new worker reads for itself.
    """
    paths = filter(None, (str(source), started_with.get("PYTHONPATH")))
    return {
        **ALLOCATOR,
        **started_with,
        "STATIC_COLLECTED": "true",
        "PYTHONPATH": os.pathsep.join(paths),
    }


def workers_for(machine: Machine) -> int:
    """Return how many workers a machine has room for: one for each processor, within bounds."""
    wanted = min(max(machine.processors, FEWEST), MOST)
    return max(1, min(wanted, machine.memory // BYTES_EACH))


def this_machine() -> Machine:
    """Return what this process may use: of the machine, and of the control group that it runs in."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    match _limit("cpu.max"):
        case [quota, period] if quota != "max":
            processors = min(processors, max(1, round(int(quota) / int(period))))
    match _limit("memory.max"):
        case [most] if most != "max":
            memory = min(memory, int(most))
    return Machine(processors, memory)


def _limit(name: str) -> list[str]:
    """Return the words of a limit; none where there is no such limit."""
    try:
        return (_GROUP / name).read_text().split()
    except OSError:
        return []


def _control_group() -> Path:
    """Return the folder of the control group (version 2) that this process is in."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        lines = []
    name = next((line.removeprefix("0::/") for line in lines if line.startswith("0::/")), "")
    return Path("/sys/fs/cgroup", name)


_GROUP = _control_group()
