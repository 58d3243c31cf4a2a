"""Why a request failed, where that is known and passes: what editors read, and when to try again."""

import errno
from collections.abc import Iterator
from types import TracebackType
from typing import Any, NamedTuple

from django.db import Error
from django.utils.translation import gettext_lazy as _

from programme.publishing.current import DatabaseUnavailable


class Cause(NamedTuple):
    """A cause that is a matter of waiting: `retry_after` is in seconds."""

    heading: Any
    explanation: Any
    retry_after: int


UNAVAILABLE = Cause(
    _("The database does not answer"),
    _("It is usually back within a minute. If not, tell the person who runs the server."),
    5,
)
BUSY = Cause(
    _("Someone else was saving at the same moment"),
    _("The two got in each other's way. Once more, and it usually works."),
    1,
)
SLOW = Cause(
    _("The database took too long"),
    _("It has much to do right now. If it goes on, tell the person who runs the server."),
    5,
)
DISK_FULL = Cause(
    _("The server's disk is full"),
    _("Nothing can be saved until there is room again: tell the person who runs the server."),
    60,
)
READ_ONLY = Cause(
    _("The database takes no changes right now"),
    _("It may be in the middle of a repair or a move. If it goes on, tell the person who runs the server."),
    30,
)

# By the condition that PostgreSQL names (docs: Appendix A, "PostgreSQL Error Codes").
SQLSTATES = {
    "25006": READ_ONLY,
    "40001": BUSY,  # serialization failure
    "40P01": BUSY,  # deadlock
    "55P03": BUSY,  # lock timeout
    "57014": SLOW,  # statement timeout
    "53100": DISK_FULL,
    "53200": UNAVAILABLE,  # out of memory
    "53300": UNAVAILABLE,  # too many connections
    "57P01": UNAVAILABLE,  # shut down
    "57P02": UNAVAILABLE,  # crashed
    "57P03": UNAVAILABLE,  # starting up
    "58030": UNAVAILABLE,  # input/output error
}
CONNECTION_FAILURES = "08"
# By SQLite's primary result code (sqlite.org/rescode.html).
SQLITE_CODES = {
    5: BUSY,  # SQLITE_BUSY
    6: BUSY,  # SQLITE_LOCKED
    8: READ_ONLY,  # SQLITE_READONLY
    10: UNAVAILABLE,  # SQLITE_IOERR
    13: DISK_FULL,  # SQLITE_FULL
    14: UNAVAILABLE,  # SQLITE_CANTOPEN
}
OS_ERRORS = {errno.ENOSPC: DISK_FULL, errno.EDQUOT: DISK_FULL, errno.EROFS: DISK_FULL}


def find_cause(exception: BaseException | None) -> Cause | None:
    """Return the cause of an exception; None if it is a fault of the service's own."""
    match exception:
        case DatabaseUnavailable():
            return UNAVAILABLE
        case Error():
            return _find_cause_of_driver(exception.__cause__)
        case OSError():
            return OS_ERRORS.get(exception.errno or 0)
    return None


def _find_cause_of_driver(error: Any) -> Cause | None:
    """Return the cause of a database driver's exception, which Django's has as its cause."""
    if (code := getattr(error, "sqlite_errorcode", None)) is not None:
        # The other bits say more of the same.
        return SQLITE_CODES.get(code & 0xFF)
    if state := getattr(error, "sqlstate", None):
        return UNAVAILABLE if state.startswith(CONNECTION_FAILURES) else SQLSTATES.get(state)
    # A connection that cannot be made, or that ended without a word, has no condition.
    is_lost = type(error).__name__ in {"OperationalError", "InterfaceError", "ConnectionTimeout"}
    return UNAVAILABLE if is_lost else None


def is_uncertain(exception: BaseException | None) -> bool:
    """Return whether the connection was lost during COMMIT: then the database saved everything or nothing."""
    if find_cause(exception) is not UNAVAILABLE or exception is None:
        return False
    return any(frame.tb_frame.f_code.co_name == "_commit" for frame in _frames(exception.__traceback__))


def _frames(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next
