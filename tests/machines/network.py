"""Machines of a small network: network namespaces, which only root can make."""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.failures.processes import start
from tests.failures.wait import wait_until

NEW_NETWORK = 0x40000000
# It is outside the PATH of ordinary users.
_IP = shutil.which("ip", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
_libc = ctypes.CDLL(None, use_errno=True)


class Machine:
    """A network namespace, kept by a process, with a cable to the switch and an address at which servers listen."""

    def __init__(self, address: str, holder: "subprocess.Popen[bytes]") -> None:
        self.address = address
        self._holder = holder
        self._cable = f"to{holder.pid}"

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Move this thread, and what it starts, to the machine."""
        with Path("/proc/thread-self/ns/net").open("rb") as former:
            with Path(f"/proc/{self._holder.pid}/ns/net").open("rb") as own:
                _enter(own.fileno())
            try:
                yield
            finally:
                _enter(former.fileno())

    def plug(self) -> None:
        """Connect the machine to the switch, in whose namespace this thread is."""
        _ip(f"link add {self._cable} type veth peer name eth0 netns {self._holder.pid}")
        _ip(f"link set {self._cable} master switch up")
        with self.entered():
            _ip("link set lo up")
            _ip(f"address add {self.address}/24 dev eth0")
            _ip("link set eth0 up")

    def cut(self) -> None:
        """Pull the cable: nobody learns that the machine is away."""
        _ip(f"link set {self._cable} down")

    def mend(self) -> None:
        _ip(f"link set {self._cable} up")


class Network:
    """Makes machines; the thread that made it is at the switch, as nginx and readers are."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._last = 10
        switch = Machine("10.0.0.1", self._hold())
        self._stack.enter_context(switch.entered())
        for command in (
            *("link set lo up", "link add switch type bridge"),
            *(f"address add {switch.address}/24 dev switch", "link set switch up"),
        ):
            _ip(command)

    def machine(self) -> Machine:
        self._last += 1
        found = Machine(f"10.0.0.{self._last}", self._hold())
        found.plug()
        return found

    def _hold(self) -> "subprocess.Popen[bytes]":
        """Return a process in a namespace of its own, which lasts as long as the process."""
        ours = Path("/proc/thread-self/ns/net").readlink()
        holder = start(["unshare", "--net", "sleep", "infinity"], stderr=subprocess.DEVNULL)
        self._stack.callback(holder.wait)
        self._stack.callback(holder.kill)

        def is_apart() -> bool:
            assert holder.poll() is None, "no network namespace can be made"
            return Path(f"/proc/{holder.pid}/ns/net").readlink() != ours

        wait_until("the namespace is there", is_apart)
        return holder


def _enter(namespace: int) -> None:
    # os.setns is of Python 3.12.
    if _libc.setns(namespace, NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "setns")


def _ip(command: str) -> None:
    subprocess.run([_IP, *command.split()], check=True)


@contextmanager
def open_network() -> Iterator[Network]:
    with ExitStack() as stack:
        yield Network(stack)
