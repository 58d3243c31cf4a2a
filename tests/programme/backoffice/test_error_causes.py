"""Why a request failed: what a condition of the database or the disk means to an editor."""

import errno
import sqlite3
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.db import (
    DatabaseError,
    Error,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    connection,
)
from django.test import Client

from programme.backoffice.admin.events import EventAdmin
from programme.backoffice.errors import (
    BUSY,
    DISK_FULL,
    READ_ONLY,
    SLOW,
    UNAVAILABLE,
    Cause,
    find_cause,
    is_uncertain,
)
from programme.models import Event
from programme.publishing.current import DatabaseUnavailable
from tests.programme.backoffice.requests import submission
from tests.programmes import DRAFT

FORM = f"/admin/programme/event/{DRAFT}/change/"
on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's own errors")
on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL's own errors")


def caused_by(error: Exception, of: type[Error] = OperationalError) -> Error:
    found = of()
    found.__cause__ = error
    return found


def sqlite_error(code: int) -> Error:
    error = sqlite3.OperationalError()
    error.sqlite_errorcode = code
    return caused_by(error)


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (DatabaseUnavailable(), UNAVAILABLE),
        (caused_by(psycopg.OperationalError()), UNAVAILABLE),
        (caused_by(psycopg.InterfaceError(), InterfaceError), UNAVAILABLE),
        (caused_by(psycopg.errors.ConnectionFailure()), UNAVAILABLE),
        (caused_by(psycopg.errors.AdminShutdown()), UNAVAILABLE),
        (caused_by(psycopg.errors.TooManyConnections()), UNAVAILABLE),
        (caused_by(psycopg.errors.DeadlockDetected()), BUSY),
        (caused_by(psycopg.errors.LockNotAvailable()), BUSY),
        (caused_by(psycopg.errors.QueryCanceled()), SLOW),
        (caused_by(psycopg.errors.DiskFull()), DISK_FULL),
        (caused_by(psycopg.errors.ReadOnlySqlTransaction(), InternalError), READ_ONLY),
        (caused_by(psycopg.errors.UndefinedTable(), ProgrammingError), None),
        (caused_by(psycopg.errors.UniqueViolation(), IntegrityError), None),
        (sqlite_error(sqlite3.SQLITE_BUSY), BUSY),
        (sqlite_error(sqlite3.SQLITE_BUSY_SNAPSHOT), BUSY),
        (sqlite_error(sqlite3.SQLITE_FULL), DISK_FULL),
        (sqlite_error(sqlite3.SQLITE_READONLY_DIRECTORY), READ_ONLY),
        (sqlite_error(sqlite3.SQLITE_IOERR_READ), UNAVAILABLE),
        (sqlite_error(sqlite3.SQLITE_CANTOPEN), UNAVAILABLE),
        (sqlite_error(sqlite3.SQLITE_ERROR), None),
        (DatabaseError("Save with update_fields did not affect any rows."), None),
        (OSError(errno.ENOSPC, "No space left on device"), DISK_FULL),
        (OSError(errno.EROFS, "Read-only file system"), DISK_FULL),
        (OSError(errno.EACCES, "Permission denied"), None),
        (ValueError(), None),
        (None, None),
    ],
)
def test_causes(error: BaseException | None, cause: Cause | None) -> None:
    assert find_cause(error) is cause


def raised_in(function: Callable[[], None]) -> Exception:
    with pytest.raises(Exception) as caught:
        function()
    return caught.value


def test_only_a_connection_lost_in_commit_leaves_it_open_whether_it_was_saved() -> None:
    def lose() -> None:
        raise caught

    def _commit() -> None:
        lose()

    caught: Exception = caused_by(psycopg.OperationalError())
    assert not is_uncertain(raised_in(lose))
    caught = caused_by(psycopg.OperationalError())
    assert is_uncertain(raised_in(_commit))
    caught = caused_by(psycopg.errors.SerializationFailure())
    assert not is_uncertain(raised_in(_commit))
    assert not is_uncertain(None)


# --- As the databases report it -----------------------------------------------------------------


@pytest.fixture
def typed(office: Client, sample: None) -> dict[str, Any]:
    office.raise_request_exception = False
    return submission(office.get(FORM)) | {"title": "Nytt"}


def run_before_saving(monkeypatch: pytest.MonkeyPatch, *statements: str) -> None:
    save = EventAdmin.save_model

    def save_model(self: EventAdmin, *arguments: Any, **named: Any) -> None:
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
        save(self, *arguments, **named)

    monkeypatch.setattr(EventAdmin, "save_model", save_model)


def assert_answer(answer: Any, cause: Cause) -> None:
    assert (answer.status_code, answer["Retry-After"]) == (503, str(cause.retry_after))
    assert f"<h1>{cause.heading}</h1>" in answer.content.decode().replace("&#x27;", "'")
    assert submission(answer)["title"] == "Nytt"
    assert Event.objects.get(pk=DRAFT).title == "Utkast"


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_postgresql_ends_the_connection_in_the_middle(
    office: Client, typed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_before_saving(monkeypatch, "SELECT pg_terminate_backend(pg_backend_pid())")
    assert_answer(office.post(FORM, typed), UNAVAILABLE)
    monkeypatch.undo()
    assert office.post(FORM, typed).status_code == 302


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_sqlite_is_locked_by_another_writer(office: Client, typed: dict[str, Any]) -> None:
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 0")
    try:
        answer = office.post(FORM, typed)
    finally:
        other.close()
        connection.close()
    assert_answer(answer, BUSY)
    assert office.post(FORM, typed).status_code == 302
