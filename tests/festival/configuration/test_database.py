"""What commands say of the database that they work on."""

import pytest
from django.db import DatabaseError, IntegrityError, OperationalError, ProgrammingError, connection

from festival import command_line
from festival.configuration.database import explain_failure, name_database
from festival.configuration.environment import Environment


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite:////srv/festival.sqlite3", "SQLite /srv/festival.sqlite3"),
        ("postgres://festival:s3cret@db.example/programme", "PostgreSQL programme on db.example"),
        (
            "postgres://festival:s3cret@db.example:5433/programme",
            "PostgreSQL programme on db.example, port 5433",
        ),
        ("postgres:///programme", "PostgreSQL programme on this machine"),
        ("postgres:///programme?host=/run/postgresql", "PostgreSQL programme on /run/postgresql"),
    ],
)
def test_a_database_is_named_without_user_and_password(monkeypatch, url, name):
    monkeypatch.delenv("PGHOST", raising=False)
    reader = Environment()
    monkeypatch.setattr(reader, "ENVIRON", {"DATABASE_URL": url})
    found = reader.db("DATABASE_URL", default="")
    assert name_database({"OPTIONS": {}, **found}) == name


@pytest.mark.parametrize(
    ("arguments", "is_named"),
    [
        (["migrate"], True),
        (["migrate", "--help"], False),
        (["help", "migrate"], False),
        (["makemessages"], False),
    ],
)
def test_commands_name_the_database_that_they_work_on(monkeypatch, capsys, settings, arguments, is_named):
    settings.FESTIVAL_ENV_FILE = "/etc/festival.env"
    monkeypatch.setattr(command_line, "execute_from_command_line", lambda _arguments: None)
    command_line.main(["festival", *arguments])
    name = name_database(settings.DATABASES["default"])
    line = f"Database: {name} (settings from /etc/festival.env)\n"
    assert capsys.readouterr().err == (line if is_named else "")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            OperationalError("connection refused\nIs the server running?"),
            "The database cannot be used: connection refused",
        ),
        (ProgrammingError("syntax error"), ""),
        (IntegrityError("UNIQUE constraint failed"), ""),
    ],
)
def test_a_database_that_does_not_answer_is_reported_in_one_line(error, sentence):
    assert explain_failure(error) == sentence


@pytest.mark.django_db
@pytest.mark.parametrize("sql", ["SELECT 1 FROM no_table", "SELECT no_column FROM auth_user"])
def test_a_database_without_a_table_is_to_be_migrated(sql):
    with pytest.raises(DatabaseError) as error, connection.cursor() as cursor:
        cursor.execute(sql)
    assert explain_failure(error.value) == (
        "The database is not migrated to this version, or is not the right one: `migrate` migrates it"
        f" ({str(error.value).partition(chr(10))[0]})."
    )
