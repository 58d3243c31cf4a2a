"""`festival check --live` on a service that runs, and on one that has stopped."""

import subprocess
import sys

from tests.failures.processes import ROOT
from tests.failures.service import Service


def check(service: Service) -> tuple[int, list[str]]:
    """Return the exit code, and what is said of what is red."""
    command = [sys.executable, "manage.py", "check", "--live"]
    done = subprocess.run(
        command, cwd=ROOT, env=service.environment, capture_output=True, text=True, check=False
    )
    return done.returncode, [line for line in done.stdout.splitlines() if line.startswith("red    ")]


def test_only_the_backup_is_missing_and_then_the_service(service: Service) -> None:
    backup = f"red    Backup: There is no backup in {service.directory}/backups: run “festival backup”."
    assert check(service) == (2, [backup])
    service.stop()
    code, (stopped, *found) = check(service)
    assert stopped.startswith("red    The service: Nothing answers at ")
    assert (code, found) == (2, [backup])
