"""The table of layouts in docs/importing.md is written from what the tests read."""

import re
from pathlib import Path

from tests.programme.exchange.readers.sheet.layouts import LAYOUTS

IMPORTING = Path(__file__).parents[3] / "docs" / "importing.md"


def test_the_table_of_layouts_says_what_is_read() -> None:
    lines = [
        f"| {name} | {described} |" for name, (_text, _sheet, _merged, described, _rows) in LAYOUTS.items()
    ]
    [found] = re.findall(r"<!-- layouts -->\n\n((?:\|.*\n)+)", IMPORTING.read_text())
    assert found.splitlines() == ["| Layout | Shown as |", "|---|---|", *lines]
