"""Defuses cells that a spreadsheet program would run as formulas, and restores them.

An apostrophe before them, as OWASP recommends ("CSV Injection"); one more before texts that begin with an
apostrophe and a formula, so that reading is exact.
"""

import re

_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")


def defuse_formula(text: str) -> str:
    """Return a text that no spreadsheet program runs as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def restore_formula(text: str) -> str:
    """Return the text that `defuse_formula` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text
