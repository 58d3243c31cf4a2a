"""Cells that a spreadsheet program would take for formulas are made harmless, and read back as they were.

As OWASP recommends ("CSV Injection"): an apostrophe before them. One more goes before texts that begin with
an apostrophe and what looks like a formula, so that reading is exact.
"""

import re

_FORMULA = re.compile("'*[=+\\-@\t\r]")


def defuse_formula(text: str) -> str:
    """Return a text that no spreadsheet program takes for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def restore_formula(text: str) -> str:
    """Return the text of which `harmless` made this."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text
