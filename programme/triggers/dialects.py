"""Triggers, and the expressions in them that differ between SQLite and PostgreSQL."""

import hashlib
from enum import Enum
from typing import NamedTuple

PREFIX = "programme_trg"


class Dialect(NamedTuple):
    """The expressions of a database, by the names that rules have in braces."""

    now: str
    # A moment since which no other transaction has written: the begin of the transaction, or the present.
    begun: str
    # The function that returns the later of two moments.
    later: str
    # An instant in the same year as `start` in every time zone: the middle of the year, or `start` itself if
    # its year depends on the time zone.
    year: str
    # The statement that refuses a row with another row's name.
    refuse_name: str
    # The condition that two values differ, NULL not differing from NULL.
    differ: str
    # The condition that a row of `Editing` belongs to the writing transaction.
    own_editing: str


DIALECTS = {
    # Microseconds, as Django writes them: datetimes are text here, and compared as text.
    "sqlite": Dialect(
        "(strftime('%Y-%m-%d %H:%M:%f', 'now') || '000')",
        "(strftime('%Y-%m-%d %H:%M:%f', 'now') || '000')",
        "max",
        "CASE WHEN strftime('%m-%d', start) IN ('12-31', '01-01') THEN start"
        " ELSE strftime('%Y-07-01 00:00:00', start) END",
        "SELECT RAISE(ABORT, 'UNIQUE constraint failed: {name}') WHERE {condition}",
        "{old} IS NOT {new}",
        "writer IS NULL",
    ),
    "postgresql": Dialect(
        "clock_timestamp()",
        "transaction_timestamp()",
        "greatest",
        "CASE WHEN to_char(start AT TIME ZONE 'UTC', 'MM-DD') IN ('12-31', '01-01') THEN start"
        " ELSE (date_trunc('year', start AT TIME ZONE 'UTC') + interval '6 months') AT TIME ZONE 'UTC' END",
        "IF {condition} THEN RAISE unique_violation USING MESSAGE = '{name}'; END IF",
        "{old} IS DISTINCT FROM {new}",
        "writer = txid_current()",
    ),
}


class Timing(Enum):
    AFTER_ROW = 1
    # For each row on SQLite, which has no statement triggers.
    BEFORE_STATEMENT = 2
    # For each row at the end of the transaction; PostgreSQL only.
    COMMIT = 3


class Trigger(NamedTuple):
    """SQL to execute when rows of a table, or certain columns, are written, on a condition."""

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
