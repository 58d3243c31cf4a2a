"""An SQLite file in the place of a temporary PostgreSQL server."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


class SqliteFile:
    """The database of one service."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / "programme.sqlite3"

    def url(self, _database: str) -> str:
        return f"sqlite:///{self.path}"

    def run(self, statement: str, _database: str = "") -> list[tuple[Any, ...]]:
        """Run a statement in its own transaction, and return its rows."""
        with closing(sqlite3.connect(self.path, timeout=20, isolation_level=None)) as connection:
            return connection.execute(statement).fetchall()
