"""Dates and times as people write them, with what they are read as: the table of docs/importing.md."""

import re
from pathlib import Path

IMPORTING = Path(__file__).parents[4] / "docs" / "importing.md"

[_TABLE] = re.findall(r"<!-- spellings -->\n\n.*\n\|---.*\n((?:\|.*\n)+)", IMPORTING.read_text())
# What is written in a cell, and what it is read as: times, or days and then the text of the times.
SPELLINGS = {text: read for text, *read in (re.findall(r"`([^`]+)`", line) for line in _TABLE.splitlines())}
TIMES = {text: read for text, read in SPELLINGS.items() if re.match(r"\d\d:\d\d", read[0])}
DAYS = {text: read for text, read in SPELLINGS.items() if text not in TIMES}
