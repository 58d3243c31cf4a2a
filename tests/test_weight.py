"""No room outgrows its figure: a line is a cost that everybody pays who comes later.

Figures are rounded up to the next hundred. They are only ever raised by an issue that says so. Lines are counted
by `git ls-files`, without migrations; words are those of the documentation.
"""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Lines of Python at most.
ROOMS = {
    "feeds/": 7_100,
    "programme/models/": 2_900,
    "programme/triggers/ programme/history/": 1_500,
    "programme/changes/": 1_700,
    "programme/publishing/": 2_000,
    "programme/api/": 1_600,
    "programme/exchange/": 11_900,
    "programme/backoffice/": 14_000,
    "programme/demo/ programme/management/ programme/templatetags/": 800,
    "pages/": 5_700,
    "festival/": 4_200,
    "benchmarks/": 2_800,
    "tests/": 60_900,
}
PRODUCT, PRODUCT_LINES = "feeds/ festival/ pages/ programme/", 52_900
SCRIPTS, STYLE_SHEETS, WORDS = 3_800, 6_400, 25_300


def read(*patterns: str) -> str:
    """Return the text of the files that git tracks and that match, one after the other."""
    command = ["git", "ls-files", "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("There is no git here.")
    names = (name for name in listed.stdout.splitlines() if "/migrations/" not in name)
    return "".join((ROOT / name).read_text() for name in names if (ROOT / name).exists())


def count_python(folders: str) -> int:
    return read(*(f"{folder}*.py" for folder in folders.split())).count("\n")


@pytest.mark.parametrize(("folders", "most"), [*ROOMS.items(), (PRODUCT, PRODUCT_LINES)])
def test_a_room_keeps_to_its_lines(folders: str, most: int) -> None:
    assert count_python(folders) <= most


def test_scripts_and_style_sheets_keep_to_their_lines() -> None:
    scripts = (f"{folder}/*.js" for folder in ("pages", "programme", "festival"))
    assert read(*scripts).count("\n") <= SCRIPTS
    assert read("*.css").count("\n") <= STYLE_SHEETS


def test_documentation_keeps_to_its_words() -> None:
    assert len(read("docs/*.md", "README.md", "CONTRIBUTING.md").split()) <= WORDS
