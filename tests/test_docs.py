"""The documentation says what the code does: tables of formats, parameters and settings."""

import re
import shlex
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from feeds.formats import FORMATS
from programme.api.filters import PageFilterSet

ROOT = Path(__file__).resolve().parent.parent


def section(document: str, name: str) -> list[str]:
    text = (ROOT / document).read_text()
    return re.search(rf"<!-- {name}:.*?-->\n(.*?)<!-- /{name} -->", text, re.DOTALL)[1].splitlines()


def test_the_readme_lists_every_format():
    rows = [
        f"| {each.label.en} | `.{each.extension}` |"
        f" {', '.join(f'`{name}`' for name in each.media_types or (each.sent_as,))} |"
        for each in FORMATS
    ]
    missing = [row for row in rows if row not in section("README.md", "formats")]
    assert missing == [], "Add these lines to the table of formats in README.md."
    assert section("README.md", "formats") == ["| Format | Extension | Media types |", "|---|---|---|", *rows]


def test_the_api_guide_lists_every_parameter():
    rows = [
        f"| `{name}` | {each.help_text} |"
        for name, each in PageFilterSet.get_form_class().base_fields.items()
    ]
    assert section("docs/api.md", "parameters") == ["| Parameter | Meaning |", "|---|---|", *rows]


def test_the_settings_page_lists_every_variable():
    read = re.findall(r'env\.\w+\(\s*"(\w+)"', (ROOT / "festival" / "settings.py").read_text())
    rows = re.findall(r"^\| (`.*?`) \|", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE)
    documented = re.findall(r"`(\w+)`", " ".join(rows))
    assert sorted(documented) == sorted(read)


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


def find_commands(text: str) -> list[tuple[str, str]]:
    """Return the service's commands in code, each with its arguments; none for one that is only named."""
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    found = [
        re.search(r"(?:^|/bin/|-- )festival ([a-z][a-z_-]*)([^|#`]*)", line) for line in (*lines, *inline)
    ]
    return [(match[1], match[2].strip()) for match in found if match]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: str(each.relative_to(ROOT)))
def test_commands_in_the_documentation_exist(document: Path):
    apps = get_commands()
    for name, arguments in find_commands(document.read_text()):
        assert name in apps, f"There is no command {name}."
        if arguments:
            # Raises CommandError for options and arguments that the command does not have.
            load_command_class(apps[name], name).create_parser("festival", name).parse_args(
                shlex.split(arguments)
            )


def test_each_test_that_the_security_page_names_exists():
    text = (ROOT / "docs" / "security.md").read_text()
    rows = [row.rsplit(" | ", 1)[-1] for row in text.splitlines() if re.match(r"\| [^*-]", row)][1:]
    named = [re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", row) for row in rows]
    assert len(rows) > 20
    assert [row for row, found in zip(rows, named, strict=True) if not found] == []
    for path, name in (each for found in named for each in found):
        assert f"def {name}" in (ROOT / path).read_text()
