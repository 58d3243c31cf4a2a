"""What a trigger is, and what the two databases call the things that triggers speak of."""

import hashlib
from typing import NamedTuple

PREFIX = "programme_trg"


class Dialect(NamedTuple):
    """What a database calls the present moment and the later of two, and how it raises an error.

    `differ` is the condition that two values are not the same, two times NULL being the same; `mine` that a
    row of `programme_editing` is of the transaction that writes.
    """

    now: str
    later: str
    taken: str
    differ: str
    mine: str


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


class Trigger(NamedTuple):
    """What happens for each row after an INSERT, DELETE or UPDATE (of certain columns, on a condition)."""

    name: str
    table: str
    operation: str
    body: str
    columns: tuple[str, ...] = ()
    condition: str = ""

    def full_name(self) -> str:
        digest = hashlib.sha256(repr(self).encode()).hexdigest()[:10]
        return f"{PREFIX}_{self.name}_{digest}"
