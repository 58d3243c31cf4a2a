"""What a backup says of itself: its version, its state, and the digests by which it is checked."""

from datetime import datetime

import msgspec

# Increased when other versions of the service cannot read a backup.
FORMAT = 2


class BackupError(Exception):
    """A backup cannot be made, read or restored; the message is a sentence for an operator."""


class ScratchError(BackupError):
    """There is nowhere to restore a backup, be it to check it."""


class Manifest(msgspec.Struct, frozen=True):
    """What the last member of a backup holds, so that a backup that is cut off has none.

    `migrations` are `app.name`, `rows` the numbers of rows by table, `revision` the programme's number then.
    `answers` are SHA-256 digests of the bodies that readers got at `made_at`, by path, under the settings
    whose digest `site` is; empty if the database was of another version. `files` are those of the members.
    """

    format: int
    version: str
    made_at: datetime
    vendor: str
    migrations: list[str]
    revision: int
    events: int
    rows: dict[str, int]
    answers: dict[str, str]
    site: str
    settings: list[str]
    files: dict[str, str] = {}
