"""Prepares a database that was restored from a backup, and compares it, in a process of its own.

There the other database is the only one, so that all of Django's code works on it.
"""

from collections.abc import Iterator
from typing import Any

import django
from django.conf import settings

from festival.backup.archive import Manifest


def rebuild(database: dict[str, Any], manifest: Manifest, after: int | None) -> list[str]:
    """Prepare the database of these settings; return what is not as the manifest says, as sentences.

    The programme's revision becomes one after `after`, as of the present, unless that is None.
    """
    settings.DATABASES["default"] = database
    django.setup()
    return [*_prepare(manifest, after)]


def _prepare(manifest: Manifest, after: int | None) -> Iterator[str]:
    """Bring the database up to this version and into another lineage; yield what differs."""
    # Imported late because they need Django's apps.
    from django.core.management import call_command  # noqa: PLC0415

    from festival import __version__, clock  # noqa: PLC0415
    from festival.backup import creating  # noqa: PLC0415
    from programme.models import RandomText, Revision  # noqa: PLC0415

    rows = creating.count_rows()
    for table, number in manifest.rows.items():
        if rows.get(table) != number:
            yield f"{table} has {rows.get(table)} rows instead of {number}."
    call_command("migrate", verbosity=0, interactive=False)
    # Another version, its code under development, and other settings give other answers.
    if (manifest.version, manifest.site) == (__version__, creating.digest_site()):
        found = creating.digest_answers(creating.read_programme(), manifest.made_at)
        for path, digest in manifest.answers.items():
            if found.get(path) != digest:
                yield f"Readers would get another {path} than before."
    Revision.objects.update(lineage=RandomText())
    if after is not None:
        number = max(manifest.revision, after) + 1
        Revision.objects.update(number=number, moved_at=clock.now(), writer=None)
