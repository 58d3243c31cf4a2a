"""Restores a backup into an empty database and compares: the program of a process of its own.

`python -m festival.backup.rebuild` reads a `Job` as JSON from standard input, and writes a `Result`. A
process of its own has the other database as its only one, so all of Django's code works on it.
"""

import sys
from pathlib import Path
from typing import Any

import django
import msgspec
from django.conf import settings

from festival.backup.manifest import BackupError


class Job(msgspec.Struct):
    """`database` are Django's settings of the empty database, `path` is the backup's.

    The programme's revision becomes one after `after`, as of the present, unless that is None.
    """

    database: dict[str, Any]
    path: str
    after: int | None = None


class Result(msgspec.Struct):
    """What is not as the manifest says, as sentences, and what has kept the backup from being restored."""

    problems: list[str] = []
    error: str = ""


def run(job: Job) -> Result:
    """Do a job in this process, which has not used its database."""
    settings.DATABASES["default"] = job.database
    django.setup()
    # Imported late because it needs Django's apps.
    from festival.backup import filling  # noqa: PLC0415

    try:
        return Result(problems=filling.fill(Path(job.path), job.after))
    except BackupError as error:
        return Result(error=str(error))


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(run(msgspec.json.decode(sys.stdin.buffer.read(), type=Job))))
