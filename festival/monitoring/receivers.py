"""Counts what signals tell: attempts to sign in, and imports."""

from typing import Any

from django.contrib.auth.signals import user_logged_in, user_login_failed

from festival.counters import IMPORT_ROWS, IMPORTS, SIGN_INS, counters
from festival.monitoring.process_file import writer
from programme.exchange.merge.apply import import_ended


def connect() -> None:
    user_logged_in.connect(count_sign_in, dispatch_uid="metrics")
    user_login_failed.connect(count_failure, dispatch_uid="metrics")
    import_ended.connect(count_import, dispatch_uid="metrics")


def count_sign_in(**_signal: Any) -> None:
    counters.add(SIGN_INS, "succeeded")


def count_failure(**_signal: Any) -> None:
    counters.add(SIGN_INS, "failed")


def count_import(*, rows: int, failed: bool, **_signal: Any) -> None:
    counters.add(IMPORTS, "failed" if failed else "done")
    counters.add(IMPORT_ROWS, amount=rows)
    # A command ends soon after.
    writer.flush_at_exit()
