"""What editors have said of the columns, rows, names and values of a source's sheets, as answers."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from feeds.names import fold
from programme.exchange.questions import Answers, Question, build_key
from programme.exchange.readers.sheet.columns import fold_heading
from programme.exchange.workbook import NO

COLUMN, ROW, BODY, FIXED, VALUE = "column", "row", "body", "fixed", "value"
# What the names of all sheets are: a day, a place, or nothing.
NAMES = "sheet-names"
_SAID = (f"{COLUMN}:", f"{ROW}:", f"{BODY}:", f"{FIXED}:", f"{VALUE}:", NAMES)
_LONGEST_KEY = 120


class Split(StrEnum):
    """How the cells of a column are divided between two fields."""

    WHOLE = ""
    COMMA = "comma"
    BRACKETS = "brackets"


class Use(NamedTuple):
    """What a column is taken for: no field, one, or several that share its cells."""

    fields: tuple[str, ...] = ()
    split: Split = Split.WHOLE

    @classmethod
    def parse(cls, text: str) -> "Use | None":
        """Return what was said of a column, None if nothing was."""
        names, _slash, split = text.partition("/")
        if not names:
            return None
        fields = tuple(field for field in names.split() if field != NO)
        return cls(fields, Split(split) if split in set(Split) else Split.WHOLE)

    def __str__(self) -> str:
        return (" ".join(self.fields) or NO) + (f"/{self.split}" if self.split else "")


Uses = Sequence[Use | None]


def name_column(number: int) -> str:
    """Return what a spreadsheet program calls a column."""
    from openpyxl.utils import get_column_letter  # noqa: PLC0415 - it takes time to load

    return str(get_column_letter(number + 1))


def list_column_keys(headings: Sequence[str]) -> list[str]:
    """Return the keys of columns: their headings, numbered where they repeat, else their letters."""
    counts: Counter[str] = Counter()
    keys = []
    for number, heading in enumerate(headings):
        name = fold_heading(heading) or f"#{name_column(number)}"
        counts[name] += 1
        keys.append(_build_key(COLUMN, name if counts[name] == 1 else f"{name} ({counts[name]})"))
    return keys


def find_uses(headings: Sequence[str], answers: Answers) -> list[Use | None]:
    """Return what was said of the columns below some headings."""
    return [Use.parse(answers.get(key, "")) for key in list_column_keys(headings)]


def build_row_key(texts: str) -> str:
    return _build_key(ROW, texts)


def build_body_key(sheet: str) -> str:
    return _build_key(BODY, fold(sheet))


def find_body(sheet: str, sheets: Iterable[str], answers: Answers) -> str:
    """Return whether a sheet is a table or a grid; one with a new name is as all earlier ones were."""
    said = {key: answer for key, answer in answers.items() if key.startswith(f"{BODY}:") and answer}
    is_new = not {*map(build_body_key, sheets)} & {*said}
    only = {*said.values()} if is_new else set()
    return said.get(build_body_key(sheet)) or (only.pop() if len(only) == 1 else "")


def find_fixed(answers: Answers) -> dict[str, str]:
    """Return the texts that hold for all rows, by their fields."""
    fixed = {key: text for key, text in answers.items() if key.startswith(f"{FIXED}:") and text}
    return {key.removeprefix(f"{FIXED}:"): text for key, text in fixed.items()}


def build_fixed_key(field: str) -> str:
    return _build_key(FIXED, field)


def build_value_key(field: str, text: str, row: str = "") -> str:
    """Return the key of a text of a field: in all rows that have it, or in one alone."""
    return _build_key(f"{VALUE}:{field}", f"{text}@{row}" if row else text)


def _build_key(kind: str, name: str) -> str:
    if len(name) > _LONGEST_KEY:
        name = f"{name[:20]}…{hashlib.sha256(name.encode()).hexdigest()[:16]}"
    return build_key(kind, name)


def is_said(key: str) -> bool:
    return key.startswith(_SAID)


def list_said(answers: Answers) -> tuple[Question, ...]:
    """Return what was said, or taken back, as questions that were answered, to be remembered."""
    return tuple(Question(key, "", (), answer) for key, answer in answers.items() if is_said(key))


def list_fields(uses: Uses) -> list[tuple[str, ...] | None]:
    return [use and use.fields for use in uses]
