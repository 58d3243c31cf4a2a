"""The documentation says what the code does: tables of formats, parameters and settings."""

import re
from pathlib import Path

import pytest

from feeds.formats import FORMATS
from programme.api.parameters import SelectionParameters

ROOT = Path(__file__).resolve().parent.parent


def section(name: str) -> list[str]:
    text = (ROOT / "README.md").read_text()
    return re.search(rf"<!-- {name}:.*?-->\n(.*?)<!-- /{name} -->", text, re.DOTALL)[1].splitlines()


def test_the_readme_lists_every_format():
    rows = [
        f"| {each.label.en} | `.{each.extension}` | {', '.join(f'`{name}`' for name in each.media_types)} |"
        for each in FORMATS
    ]
    missing = [row for row in rows if row not in section("formats")]
    assert missing == [], "Add these lines to the table of formats in README.md."
    assert section("formats") == ["| Format | Extension | Media types |", "|---|---|---|", *rows]


def test_the_readme_lists_every_parameter():
    rows = [
        f"| `{name}` | {each.field.help_text} |" for name, each in SelectionParameters.base_filters.items()
    ]
    assert section("parameters") == ["| Parameter | Meaning |", "|---|---|", *rows]


def test_the_settings_page_lists_every_variable():
    read = re.findall(r'env\.\w+\(\s*"(\w+)"', (ROOT / "festival" / "settings.py").read_text())
    rows = re.findall(r"^\| (`.*?`) \|", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE)
    documented = re.findall(r"`(\w+)`", " ".join(rows))
    assert sorted(documented) == sorted(read)


def test_no_variable_is_read_twice():
    read = re.findall(r'env\.\w+\(\s*"(\w+)"', (ROOT / "festival" / "settings.py").read_text())
    assert len(read) == len(set(read))


DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "benchmarks").rglob("*.md")),
]
PACKAGES = "benchmarks|feeds|festival|locale|pages|programme|templates|tests"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: str(each.relative_to(ROOT)))
def test_paths_in_the_documentation_exist(document: Path):
    named = re.findall(rf"`((?:{PACKAGES})/[\w./-]*)`", document.read_text())
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_names_in_the_architecture_exist():
    text = re.sub(r"\s+", " ", (ROOT / "docs" / "architecture.md").read_text())
    steps = re.findall(r"`([\w/]+\.py)` `([\w.]+)`", text)
    assert len(steps) > 10
    assert [(path, name) for path, name in steps if not _defines(ROOT / path, name)] == []


def _defines(path: Path, name: str) -> bool:
    source = path.read_text()
    return all(re.search(rf"(class|def) {part}\b", source) for part in name.split("."))
