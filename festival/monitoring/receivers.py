"""Counts what signals tell: attempts to sign in, and imports."""

from typing import Any

from django.contrib.auth.signals import user_logged_in, user_login_failed

from festival.metrics import IMPORT_ROWS, IMPORTS, SIGN_INS
from programme.exchange.merge.apply import import_ended


def connect() -> None:
    user_logged_in.connect(count_sign_in, dispatch_uid="metrics")
    user_login_failed.connect(count_failure, dispatch_uid="metrics")
    import_ended.connect(count_import, dispatch_uid="metrics")


def count_sign_in(**_signal: Any) -> None:
    SIGN_INS.labels("succeeded").inc()


def count_failure(**_signal: Any) -> None:
    SIGN_INS.labels("failed").inc()


def count_import(*, rows: int, failed: bool, **_signal: Any) -> None:
    IMPORTS.labels("failed" if failed else "done").inc()
    IMPORT_ROWS.inc(rows)
