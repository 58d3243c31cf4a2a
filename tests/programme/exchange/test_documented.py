"""The tables of docs/importing.md are written from what the tests read."""

import re
from pathlib import Path

from tests.programme.exchange.readers.sheet.layouts import LAYOUTS
from tests.programme.exchange.text.spellings import DAYS, TIMES, WITH_TIMES

IMPORTING = Path(__file__).parents[3] / "docs" / "importing.md"


def write_spellings() -> list[str]:
    listed = [
        *TIMES.items(),
        *DAYS.items(),
        *((text, [*days, rest]) for text, (days, rest) in WITH_TIMES.items()),
    ]
    lines = [f"| `{text}` | {', '.join(f'`{each}`' for each in read)} |" for text, read in listed]
    return ["| In a cell | Read as |", "|---|---|", *lines]


def write_layouts() -> list[str]:
    lines = [
        f"| {name} | {described} |" for name, (_text, _sheet, _merged, described, _rows) in LAYOUTS.items()
    ]
    return ["| Layout | Shown as |", "|---|---|", *lines]


def test_the_tables_say_what_is_read() -> None:
    text = IMPORTING.read_text()
    for name, lines in (("spellings", write_spellings()), ("layouts", write_layouts())):
        [found] = re.findall(rf"<!-- {name} -->\n\n((?:\|.*\n)+)", text)
        assert found.splitlines() == lines
