"""The registry of formats: a format is one file, its golden files and a line of the README."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from feeds.formats import FORMATS

ROOT = Path(__file__).parents[2]
CASES = "tests/feeds/added_format/cases.py"


def run_pytest(folder: Path, *arguments: str) -> str:
    """Return what pytest prints when it runs with an added format, on a database of its own."""
    environment = os.environ | {
        "DATA_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'data.sqlite3'}",
    }
    environment.pop("PYTEST_XDIST_WORKER", None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.feeds.added_format.plugin"]
    command += ["-p", "no:cacheprovider", "-p", "no:randomly"]
    done = subprocess.run(
        [*command, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


@pytest.mark.thorough
def test_an_added_format_is_found_everywhere_and_asks_for_its_golden_files_and_the_readme(
    tmp_path: Path,
) -> None:
    printed = run_pytest(tmp_path, CASES, "tests/feeds/test_golden.py", "tests/test_docs.py")
    failed = re.findall(r"^FAILED \S+::(\S+)", printed, re.MULTILINE)
    assert sorted(failed) == [
        "test_an_answer_is_its_golden_file[events.en.toy]",
        "test_an_answer_is_its_golden_file[events.toy]",
        "test_an_answer_is_its_golden_file[occations.toy]",
        "test_the_readme_lists_every_format",
        "test_there_is_a_golden_file_for_each_format_and_no_other",
    ], printed


def test_no_two_formats_have_one_extension_or_rank() -> None:
    assert len({each.extension for each in FORMATS}) == len({each.rank for each in FORMATS}) == len(FORMATS)
