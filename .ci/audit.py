"""Compare the locked dependencies with the published advisories; SECURITY.md says what fails.

Without an advisory source that can be reached, say so and succeed.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ("runtime", "dev")
ACCEPTED = ROOT / "requirements" / "accepted-advisories.txt"
NPM_FOLDERS = (ROOT, ROOT / "tests" / "consumers", ROOT / "benchmarks" / "lighthouse")
# Seconds: for an answer, and for all answers about a lock.
ANSWER_TIMEOUT, TIMEOUT = "5", 60

Report = dict[str, Any]


class Finding(NamedTuple):
    package: str
    advisory: str
    fixed_in: tuple[str, ...]
    accepted: bool

    @property
    def is_failure(self) -> bool:
        return bool(self.fixed_in) and not self.accepted

    def __str__(self) -> str:
        fix = f"fixed in {', '.join(self.fixed_in)}" if self.fixed_in else "no fix yet"
        return f"{self.package}: {self.advisory}, {fix}{', accepted' if self.accepted else ''}"


def read_accepted(text: str) -> set[str]:
    """Return the identifiers of accepted advisories. Raises ValueError for one without a reason."""
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line.strip() and line[0] != "#"]
    if unexplained := [line[0] for line in lines if len(line) == 1]:
        raise ValueError(f"{ACCEPTED.name} gives no reason for {', '.join(unexplained)}.")
    return {identifier for identifier, _reason in lines}


def find_advisories(report: Report, accepted: set[str]) -> Iterator[Finding]:
    """Yield what pip-audit's report has found."""
    for package in report["dependencies"]:
        for each in package.get("vulns", ()):
            names = {each["id"], *each["aliases"]}
            label = f"{package['name']} {package['version']}"
            yield Finding(label, each["id"], tuple(each["fix_versions"]), bool(names & accepted))


def was_audited(report: Report) -> bool:
    """Return whether the source knew any of the packages: one that knows none is no advisory source."""
    return any("skip_reason" not in package for package in report["dependencies"])


def run_pip_audit(lock: Path) -> Report | None:
    """Return pip-audit's report; None if no advisory source answers."""
    options = ("--require-hashes", "--disable-pip", "--progress-spinner=off", "--format=json")
    command = [sys.executable, "-m", "pip_audit", *options, f"--timeout={ANSWER_TIMEOUT}", "-r", str(lock)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        report: Report = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return None
    return report if was_audited(report) else None


def audit(lock: str, report: Report | None, accepted: set[str]) -> bool:
    """Print what a report says; return whether it fails."""
    if report is None:
        print(f"{lock}.lock is not audited: no advisory source can be reached.")
        return False
    found = list(find_advisories(report, accepted))
    print(f"{lock}.lock: {len(report['dependencies'])} packages, {len(found)} advisories.")
    for each in found:
        print(f"  {each}")
    return any(each.is_failure for each in found)


def report_npm(folder: Path) -> None:
    """Print how many advisories concern a folder's npm packages, which never run with the service."""
    command = ["npm", "audit", "--package-lock-only", "--json"]
    name = folder.relative_to(ROOT) / "package-lock.json"
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
        counts = json.loads(done.stdout)["metadata"]["vulnerabilities"]
    except (subprocess.TimeoutExpired, json.JSONDecodeError, KeyError):
        print(f"{name} is not audited: no advisory source can be reached.")
    else:
        print(f"{name}: {counts['total']} advisories, {counts['high'] + counts['critical']} of them serious.")


def main() -> int:
    accepted = read_accepted(ACCEPTED.read_text())
    failed = [audit(lock, run_pip_audit(ROOT / "requirements" / f"{lock}.lock"), accepted) for lock in LOCKS]
    if shutil.which("npm"):
        for folder in NPM_FOLDERS:
            report_npm(folder)
    return int(any(failed))


if __name__ == "__main__":
    sys.exit(main())
