"""A fresh Debian in a folder, with processes, mounts and a network of its own. Needs root, debootstrap and slirp4netns."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

RELEASE = "bookworm"
ENVIRONMENT = {
    "HOME": "/root",
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}
# slirp4netns answers for DNS at this address.
NAME_SERVER = "nameserver 10.0.2.3\n"
MOUNT = """
mount --bind /dev {root}/dev
mount -t tmpfs tmpfs {root}/dev/shm
mount -t tmpfs tmpfs {root}/run
mount -t proc proc {root}/proc
ip link set lo up
echo ready
exec sleep infinity
"""


class CommandError(Exception):
    """A command in the root failed; the message has its output."""


def find_mirror() -> str:
    """Return the mirror that this machine's apt uses."""
    targets = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages"]
    for line in subprocess.check_output(targets, text=True).splitlines():
        address, release = line.split()
        if release == RELEASE:
            return address
    raise CommandError(f"apt has no source for Debian {RELEASE}.")


def make(root: Path) -> None:
    """Install Debian's smallest system, with this machine's sources of packages."""
    # Every Debian but the smallest has procps.
    options = ["--variant=minbase", "--include=procps"]
    debootstrap = ["debootstrap", *options, RELEASE, root, find_mirror()]
    subprocess.run(debootstrap, check=True, stdout=subprocess.DEVNULL)


def configure(root: Path, names: list[str]) -> None:
    """Let the root use this machine's sources and certificate authorities, and know names as its own."""
    for name in ("sources.list", "sources.list.d"):
        source = Path("/etc/apt", name)
        if source.is_dir():
            shutil.copytree(source, root / "etc/apt" / name, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy(source, root / "etc/apt" / name)
    acquire = subprocess.check_output(["apt-config", "dump", "Acquire"], text=True)
    (root / "etc/apt/apt.conf.d/90acquire").write_text(acquire)
    (root / "etc/resolv.conf").write_text(NAME_SERVER)
    (root / "etc/hosts").write_text(f"127.0.0.1 localhost {' '.join(names)}\n::1 localhost\n")
    (root / "usr/sbin/policy-rc.d").unlink(missing_ok=True)


class RunningRoot:
    """The root, in namespaces that last as long as the process `holder`."""

    def __init__(self, root: Path, holder: int) -> None:
        self.root, self.holder = root, holder

    def run(self, commands: str) -> str:
        """Run commands in a shell of their own, in /root; return what they print."""
        enter = ["nsenter", "--target", str(self.holder), "--net", "--mount", "--pid"]
        shell = [*enter, "chroot", self.root, "bash", "-euo", "pipefail", "-c", f"cd /root\n{commands}"]
        done = subprocess.run(
            shell, env=self._environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise CommandError(f"{commands}\n{done.stdout}")
        return done.stdout

    @property
    def _environment(self) -> dict[str, str]:
        # Where this machine's own package index is reached through an authority of its own.
        authorities = os.environ.get("PIP_CERT", "")
        if authorities:
            shutil.copy(authorities, self.root / "etc/pip-authorities.pem")
        return ENVIRONMENT | ({"PIP_CERT": "/etc/pip-authorities.pem"} if authorities else {})


@contextmanager
def running(root: Path) -> Iterator[RunningRoot]:
    """Give the root its namespaces; everything that was started in it ends afterwards."""
    unshare = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "bash", "-ec"]
    with ExitStack() as stack:
        holder = stack.enter_context(
            subprocess.Popen([*unshare, MOUNT.format(root=root)], stdout=subprocess.PIPE, text=True)
        )
        stack.callback(holder.kill)
        assert holder.stdout is not None
        if holder.stdout.readline() != "ready\n":
            raise CommandError("No namespaces: this needs root on Linux.")
        children = Path(f"/proc/{holder.pid}/task/{holder.pid}/children").read_text()
        pid = int(children.split()[0])
        network = subprocess.Popen(
            ["slirp4netns", "--configure", "--mtu=65520", str(pid), "tap0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        stack.enter_context(network)
        stack.callback(network.terminate)
        entered = RunningRoot(root, pid)
        _wait_for_route(pid)
        yield entered


def _wait_for_route(pid: int) -> None:
    for _attempt in range(100):
        if re.search(r"^tap0\t00000000", Path(f"/proc/{pid}/net/route").read_text(), re.MULTILINE):
            return
        time.sleep(0.1)
    raise CommandError("slirp4netns has not set up the network.")
