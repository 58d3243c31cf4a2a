"""The audit of dependencies: what fails, what is only reported, and what happens without an advisory source."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", ROOT / ".ci" / "audit.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def report(*vulnerabilities: dict[str, Any]) -> dict[str, Any]:
    return {
        "dependencies": [
            {"name": "pillow", "version": "1.0", "vulns": list(vulnerabilities)},
            {"name": "unknown", "version": "1.0", "skip_reason": "not found"},
        ]
    }


def advisory(*fixes: str) -> dict[str, Any]:
    return {"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": list(fixes), "description": "…"}


@pytest.mark.parametrize(
    ("found", "accepted", "fails", "said"),
    [
        (report(), set(), False, ["runtime.lock: 2 packages, 0 advisories."]),
        (report(advisory("1.1")), set(), True, ["  pillow 1.0: PYSEC-1, fixed in 1.1"]),
        (report(advisory("1.1")), {"CVE-1"}, False, ["  pillow 1.0: PYSEC-1, fixed in 1.1, accepted"]),
        (report(advisory()), set(), False, ["  pillow 1.0: PYSEC-1, no fix yet"]),
        (None, set(), False, ["runtime.lock is not audited: no advisory source can be reached."]),
    ],
)
def test_only_an_advisory_with_a_fix_fails(script, capsys, found, accepted, *, fails, said):
    assert script.audit("runtime", found, accepted) == fails
    assert capsys.readouterr().out.splitlines()[-1:] == said


def test_a_source_that_knows_no_package_is_none(script):
    assert script.was_audited(report())
    assert not script.was_audited({"dependencies": report()["dependencies"][1:]})


def test_an_accepted_advisory_has_a_reason(script):
    assert script.read_accepted("# why\n\nCVE-1 only on Windows\n") == {"CVE-1"}
    with pytest.raises(ValueError, match=r"no reason for CVE-2\."):
        script.read_accepted("CVE-1 only on Windows\nCVE-2\n")
    script.read_accepted(script.ACCEPTED.read_text())
