"""Dates and times as people write them, with what they are read as: docs/importing.md has examples of them."""

import re
from pathlib import Path

FOLDER = Path(__file__).parent
_LINES = (FOLDER / "spellings.md").read_text().splitlines()[4:]
# What is written in a cell, and what it is read as: times, or days and then the text of the times.
SPELLINGS = {text: read for text, *read in (re.findall(r"`([^`]+)`", line) for line in _LINES)}
TIMES = {text: read for text, read in SPELLINGS.items() if re.match(r"\d\d:\d\d", read[0])}
DAYS = {text: read for text, read in SPELLINGS.items() if text not in TIMES}
_DOCUMENTED = (FOLDER.parents[3] / "docs" / "importing.md").read_text().partition("<!-- spellings -->")[2]
UNKNOWN_EXAMPLES = {*re.findall(r"\| `.*", _DOCUMENTED.partition("\n### ")[0])} - {*_LINES}
