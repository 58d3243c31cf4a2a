"""What a backup says of itself: its version, its state, and the digests by which it is checked."""

from datetime import datetime
from typing import NamedTuple

import msgspec

# Increased when older versions of the service could no longer read a backup.
FORMAT = 1


class BackupError(Exception):
    """A backup cannot be made, read or restored; the message is a sentence for an operator."""


class MigrationName(NamedTuple):
    app: str
    name: str


class TableSummary(msgspec.Struct, frozen=True):
    """The columns of a table, the number of its rows, a digest of them, and the last ID given to one."""

    columns: list[str]
    rows: int
    digest: str
    last_id: int | None


class Manifest(msgspec.Struct, frozen=True):
    """What the last member of a backup holds, so that a backup that is cut off has none.

    `revision` is the programme's number then. `answers` are SHA-256 digests of the bodies that readers got
    at `made_at`, by path, under the settings whose digest `site` is; empty if the database was of another
    version. `files` are those of the members, by name.
    """

    format: int
    version: str
    made_at: datetime
    vendor: str
    migrations: list[MigrationName]
    revision: int
    events: int
    tables: dict[str, TableSummary]
    answers: dict[str, str]
    site: str
    settings: list[str]
    files: dict[str, str]
