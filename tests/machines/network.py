"""Machines of a small network: network namespaces where they can be made, else addresses of the loopback."""

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
    """An address at which servers listen; what is started inside `entered` runs on the machine."""

    def __init__(self, address: str) -> None:
        self.address = address

    @contextmanager
    def entered(self) -> Iterator[None]:
        yield

    def cut(self) -> None:
        """Pull the cable, if there is one: then nobody learns that the machine is away."""

    def mend(self) -> None:
        """Plug the cable in again."""


class Namespace(Machine):
    """A network namespace, kept by a process, with a cable to the switch."""

    def __init__(self, address: str, holder: "subprocess.Popen[bytes]") -> None:
        super().__init__(address)
        self._holder = holder
        self._cable = f"to{holder.pid}"

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Move this thread, and what it starts, to the machine."""
        with Path("/proc/thread-self/ns/net").open("rb") as former:
            _enter(f"/proc/{self._holder.pid}/ns/net")
            try:
                yield
            finally:
                _set(former.fileno())

    def plug(self) -> None:
        """Connect the machine to the switch, in whose namespace this thread is."""
        _ip(f"link add {self._cable} type veth peer name eth0 netns {self._holder.pid}")
        _ip(f"link set {self._cable} master switch up")
        with self.entered():
            _ip("link set lo up")
            _ip(f"address add {self.address}/24 dev eth0")
            _ip("link set eth0 up")

    def cut(self) -> None:
        _ip(f"link set {self._cable} down")

    def mend(self) -> None:
        _ip(f"link set {self._cable} up")


class Network:
    """Makes machines; the thread that made it is at the switch, as nginx and readers are."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._last = 10
        self.has_namespaces = self._make_switch()

    @property
    def description(self) -> str:
        if self.has_namespaces:
            return "machines are network namespaces; a lost one is cut off and answers nothing at all"
        return "no network namespaces here (root?): machines are loopback addresses, and a lost one is killed"

    def machine(self) -> Machine:
        self._last += 1
        if not self.has_namespaces:
            return Machine(f"127.0.0.{self._last}")
        found = Namespace(f"10.0.0.{self._last}", self._hold())
        found.plug()
        return found

    def _make_switch(self) -> bool:
        if _IP is None:
            return False
        try:
            switch = Namespace("10.0.0.1", self._hold())
            self._stack.enter_context(switch.entered())
        except (OSError, AssertionError):
            return False
        _ip("link set lo up")
        _ip("link add switch type bridge")
        _ip(f"address add {switch.address}/24 dev switch")
        _ip("link set switch up")
        return True

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


def _enter(namespace: str) -> None:
    with Path(namespace).open("rb") as file:
        _set(file.fileno())


def _set(namespace: int) -> None:
    # os.setns is of Python 3.12.
    if _libc.setns(namespace, NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "setns")


def _ip(command: str) -> None:
    subprocess.run([_IP, *command.split()], check=True)


@contextmanager
def open_network() -> Iterator[Network]:
    with ExitStack() as stack:
        yield Network(stack)
