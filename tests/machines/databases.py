"""A PostgreSQL primary and its streaming replica, each on its machine."""

import subprocess
from pathlib import Path

from tests.failures.cluster import OWNER, Cluster, as_owner
from tests.failures.wait import wait_until
from tests.machines.network import Machine

# All of the network may read and write; the loopback may already.
ACCESS = "host all all 10.0.0.0/24 trust\nhost replication all 10.0.0.0/24 trust\n"


class DatabaseServer(Cluster):
    """A server of PostgreSQL on a machine."""

    def __init__(self, directory: Path, binaries: Path, machine: Machine) -> None:
        super().__init__(directory, binaries)
        self.machine = machine
        self.address = machine.address

    def start(self) -> None:
        with self.machine.entered():
            super().start()

    def lose(self) -> None:
        """Lose the machine, as if its power failed."""
        self.machine.cut()
        self.kill()

    def return_(self) -> None:
        self.start()
        self.machine.mend()

    # --- The replica ----------------------------------------------------------------------

    def follow(self, primary: "DatabaseServer") -> None:
        """Copy the primary, and follow it from now on."""
        options = ["--write-recovery-conf", "--checkpoint=fast", "--no-sync", f"--username={OWNER}"]
        origin = [f"--host={primary.address}", f"--port={primary.port}"]
        command = [self.binaries / "pg_basebackup", *options, *origin, f"--pgdata={self.directory / 'data'}"]
        with self.machine.entered():
            subprocess.run(command, cwd=self.directory, check=True, **as_owner())
        self.start()
        self.wait_for(primary)

    def wait_for(self, primary: "DatabaseServer") -> None:
        """Wait until the replica has what the primary has now."""
        ((position,),) = primary.run("SELECT pg_current_wal_lsn()")
        wait_until(
            "the replica has caught up",
            lambda: self.run(f"SELECT pg_last_wal_replay_lsn() >= '{position}'") == [(True,)],
        )

    def promote(self) -> None:
        assert self.run("SELECT pg_promote()") == [(True,)]
