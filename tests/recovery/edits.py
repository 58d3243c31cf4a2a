"""An editor who saves again and again, whatever runs on the database."""

import sqlite3
from contextlib import closing, suppress
from threading import Event, Thread
from typing import Self

import psycopg

from tests.recovery.releases import Place

# An event that readers see.
SHOWN = (
    "SELECT min(event_id) FROM programme_occasion JOIN programme_event AS event ON event.id = event_id"
    " WHERE event.status = 'published'"
)


class Edits(Thread):
    """Renames an event again and again, as an editor does; `number` is that of the last edit."""

    title = "Ändring"

    def __init__(self, place: Place) -> None:
        super().__init__(daemon=True)
        self.place = place
        self.stopping = Event()
        self.number = 0

    def run(self) -> None:
        while not self.stopping.wait(0.2):
            # A migration may have locked what a commit needs: an editor sends the form again, which the page keeps.
            with suppress(psycopg.errors.DeadlockDetected):
                self.edit(self.number + 1)
                self.number += 1

    def edit(self, number: int) -> None:
        statement = f"UPDATE programme_event SET title = '{self.title} {number}' WHERE id = ({SHOWN})"
        if self.place.database_url.startswith("sqlite"):
            file = self.place.data / "programme.sqlite3"
            with closing(sqlite3.connect(file, timeout=60)) as connection, connection:
                connection.execute(statement)
        else:
            with psycopg.connect(self.place.database_url) as connection:
                connection.execute(statement)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stopping.set()
        self.join()
