"""Which conditions of the database and the disk are a matter of waiting."""

import errno
import sqlite3
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
from programme.backoffice.errors import AWAY, is_passing
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
    ("error", "passes"),
    [
        (DatabaseUnavailable(), True),
        (caused_by(psycopg.OperationalError()), True),
        (caused_by(psycopg.InterfaceError(), InterfaceError), True),
        (caused_by(psycopg.errors.ConnectionFailure()), True),
        (caused_by(psycopg.errors.AdminShutdown()), True),
        (caused_by(psycopg.errors.TooManyConnections()), True),
        (caused_by(psycopg.errors.DeadlockDetected()), True),
        (caused_by(psycopg.errors.LockNotAvailable()), True),
        (caused_by(psycopg.errors.QueryCanceled()), True),
        (caused_by(psycopg.errors.DiskFull()), True),
        (caused_by(psycopg.errors.ReadOnlySqlTransaction(), InternalError), True),
        (caused_by(psycopg.errors.UndefinedTable(), ProgrammingError), False),
        (caused_by(psycopg.errors.UniqueViolation(), IntegrityError), False),
        (sqlite_error(sqlite3.SQLITE_BUSY), True),
        (sqlite_error(sqlite3.SQLITE_BUSY_SNAPSHOT), True),
        (sqlite_error(sqlite3.SQLITE_FULL), True),
        (sqlite_error(sqlite3.SQLITE_READONLY_DIRECTORY), True),
        (sqlite_error(sqlite3.SQLITE_IOERR_READ), True),
        (sqlite_error(sqlite3.SQLITE_CANTOPEN), True),
        (sqlite_error(sqlite3.SQLITE_ERROR), False),
        (DatabaseError("Save with update_fields did not affect any rows."), False),
        (OSError(errno.ENOSPC, "No space left on device"), True),
        (OSError(errno.EROFS, "Read-only file system"), True),
        (OSError(errno.EACCES, "Permission denied"), False),
        (ValueError(), False),
        (None, False),
    ],
)
def test_which_errors_pass(error, passes):
    assert is_passing(error) is passes


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


def assert_away(answer: Any) -> None:
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert f"<h1>{AWAY}</h1>" in answer.content.decode()
    assert Event.objects.get(pk=DRAFT).title == "Utkast"


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_postgresql_ends_the_connection_in_the_middle(office, typed, monkeypatch):
    run_before_saving(monkeypatch, "SELECT pg_terminate_backend(pg_backend_pid())")
    assert_away(office.post(FORM, typed))
    monkeypatch.undo()
    assert office.post(FORM, typed).status_code == 302


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_sqlite_is_locked_by_another_writer(office, typed):
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 0")
    try:
        answer = office.post(FORM, typed)
    finally:
        other.close()
        connection.close()
    assert_away(answer)
    assert office.post(FORM, typed).status_code == 302
