"""What a trigger is, and what SQLite and PostgreSQL call what triggers refer to."""

import hashlib
from enum import Enum
from typing import NamedTuple

PREFIX = "programme_trg"


class Dialect(NamedTuple):
    now: str
    # The function that returns the later of two moments.
    later: str
    # The statement that refuses a row with a name that another one has.
    refuse_name: str
    # The condition that two values differ, NULL not differing from NULL.
    differ: str
    # The condition that a row of `Editing` belongs to the writing transaction.
    own_editing: str


DIALECTS = {
    # Microseconds, as Django writes them: datetimes are text here, and compared as text.
    "sqlite": Dialect(
        "(strftime('%Y-%m-%d %H:%M:%f', 'now') || '000')",
        "max",
        "SELECT RAISE(ABORT, 'UNIQUE constraint failed: {name}') WHERE {condition}",
        "{old} IS NOT {new}",
        "writer IS NULL",
    ),
    "postgresql": Dialect(
        "clock_timestamp()",
        "greatest",
        "IF {condition} THEN RAISE unique_violation USING MESSAGE = '{name}'; END IF",
        "{old} IS DISTINCT FROM {new}",
        "writer = txid_current()",
    ),
}


class Timing(Enum):
    AFTER_ROW = 1
    # Of each row on SQLite, which has no triggers of statements.
    BEFORE_STATEMENT = 2
    # Of each row, at the end of its transaction: PostgreSQL only.
    COMMIT = 3


class Trigger(NamedTuple):
    """SQL that is executed when rows of a table are written: certain columns, on a condition."""

    name: str
    table: str
    operation: str
    body: str
    columns: tuple[str, ...] = ()
    condition: str = ""
    timing: Timing = Timing.AFTER_ROW

    @property
    def full_name(self) -> str:
        digest = hashlib.sha256(repr(self).encode()).hexdigest()[:10]
        return f"{PREFIX}_{self.name}_{digest}_{self.table}"
