"""`festival check --live` on a service that runs, and on one that has stopped."""

import subprocess
import sys

from tests.failures.processes import ROOT
from tests.failures.service import Service


def check(service: Service) -> tuple[int, list[str]]:
    """Return the exit code, and what is said of what is red."""
    process = subprocess.run(
        [sys.executable, "manage.py", "check", "--live"],
        cwd=ROOT,
        env=service.environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return process.returncode, [line for line in process.stdout.splitlines() if line.startswith("red    ")]


def test_only_the_backup_is_missing_and_then_the_service(service: Service) -> None:
    backup = f"red    Backup: There is no backup in {service.directory}/backups: run “festival backup”."
    code, (clock, *found) = check(service)
    # Its festival is in another year: this process's clock is set to it, and the server's headers are not.
    assert clock.startswith("red    Clock: ")
    assert (code, found) == (2, [backup])
    service.stop()
    code, (stopped, *found) = check(service)
    assert stopped.startswith("red    The service: Nothing answers at ")
    assert (code, found) == (2, [backup])
