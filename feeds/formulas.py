"""Keeps spreadsheet programs from running texts as formulas, and takes that back."""

import re

_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")


def defuse_formula(text: str) -> str:
    """Return a text that no spreadsheet program runs as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def restore_formula(text: str) -> str:
    """Return the text that `defuse_formula` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text
