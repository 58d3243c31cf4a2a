"""Prepares a database that was restored from a backup, and compares it: the program of a process of its own.

`python -m festival.backup.rebuild` reads a `Job` as JSON from standard input, and writes a `Result`. A
process of its own has the other database as its only one, so all of Django's code works on it.
"""

import sys
from collections.abc import Iterator
from typing import Any

import django
import msgspec
from django.conf import settings

from festival.backup.manifest import Manifest


class Job(msgspec.Struct):
    """`database` are Django's settings of the restored database, and `manifest` is the backup's.

    The programme's revision becomes one after `after`, as of the present, unless that is None.
    """

    database: dict[str, Any]
    manifest: Manifest
    after: int | None = None


class Result(msgspec.Struct):
    """What is not as the manifest says, as sentences."""

    problems: list[str]


def prepare(manifest: Manifest, after: int | None) -> Iterator[str]:
    """Bring the database up to this version and into another lineage; yield what differs."""
    # Imported late because they need Django's apps.
    from django.core.management import call_command  # noqa: PLC0415

    from festival import __version__, clock  # noqa: PLC0415
    from festival.backup import answers, creating  # noqa: PLC0415
    from programme.models import RandomText, Revision  # noqa: PLC0415

    rows = creating.count_rows()
    for table, number in manifest.rows.items():
        if rows.get(table) != number:
            yield f"{table} has {rows.get(table)} rows instead of {number}."
    call_command("migrate", verbosity=0, interactive=False)
    # Another version, its code under development, and other settings give other answers.
    if (manifest.version, manifest.site) == (__version__, answers.digest_site()):
        found = answers.digest_answers(answers.read_programme(), manifest.made_at)
        for path, digest in manifest.answers.items():
            if found.get(path) != digest:
                yield f"Readers would get another {path} than before."
    Revision.objects.update(lineage=RandomText())
    if after is not None:
        number = max(manifest.revision, after) + 1
        Revision.objects.update(number=number, moved_at=clock.now(), writer=None)


if __name__ == "__main__":
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    settings.DATABASES["default"] = job.database
    django.setup()
    sys.stdout.buffer.write(msgspec.json.encode(Result([*prepare(job.manifest, job.after)])))
