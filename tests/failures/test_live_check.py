"""`festival check --live` on a service that runs, and on one that has stopped."""

import json
import subprocess
import sys

from tests.failures.processes import ROOT
from tests.failures.service import Service


def check(service: Service) -> tuple[int, list[tuple[str, str]]]:
    """Return the exit code, and check and sentence of what is red; a busy machine makes yellow of what is slow."""
    process = subprocess.run(
        [sys.executable, "manage.py", "check", "--live", "--json"],
        cwd=ROOT,
        env=service.environment,
        stdout=subprocess.PIPE,
        check=False,
    )
    findings = json.loads(process.stdout)["findings"]
    return process.returncode, [(each["check"], each["text"]) for each in findings if each["level"] == "red"]


def test_only_the_backup_is_missing_and_then_the_service(service: Service) -> None:
    code, found = check(service)
    # Its festival is in another year: this process's clock is set to it, and the server's headers are not.
    assert (code, [check for check, _text in found]) == (2, ["clock", "backup"])
    assert found[1][1] == f"There is no backup in {service.directory}/backups: run “festival backup”."
    service.stop()
    code, found = check(service)
    assert (code, {check for check, _text in found}) == (2, {"service", "backup"})
