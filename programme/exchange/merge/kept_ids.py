"""New rows keep the IDs of a sheet of this service, and the UIDs that calendars know them by."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db import connection, models

from programme.exchange.merge.plan import PlannedImport
from programme.exchange.readers.entries import split_uid
from programme.exchange.values import Contents, group_by
from programme.models import Event, GoneOccasion, Occasion, models_with_history


def find_kept_ids(planned: PlannedImport, contents: Contents) -> list[tuple[models.Model, int]]:
    """Return new rows with the IDs that they get: those of the file that no other row has or had."""
    new = {id(row): row for model in (Event, Occasion) for row in planned.list_new(model) if row.pk is None}
    stated = [(planned.event_rows.get(id(event)), event.row_id) for event in contents.events]
    # Somebody may have copied a row of an exported sheet, with the numbers of another occasion.
    occasions = (each for each in planned.list_occasions(contents) if str(each[-1].uuid) == each[1].guid)
    wanted: dict[type[models.Model], dict[int, models.Model]] = defaultdict(dict)
    for each, key in [*stated, *((row, each.row_id) for _event, each, row in occasions)]:
        if key and (row := new.get(id(each))):
            wanted[type(row)].setdefault(key, row)
    used = {model: _find_used(model, by_id.keys()) for model, by_id in wanted.items()}
    return [
        (row, key) for model, by_id in wanted.items() for key, row in by_id.items() if key not in used[model]
    ]


def give_ids(kept: list[tuple[models.Model, int]]) -> None:
    """Give new rows their IDs, just before they are created; rows without one get later ones."""
    for row, key in kept:
        row.pk = key
    for model, same in group_by(kept, lambda each: type(each[0])).items():
        move_sequence(model, max(key for _row, key in same))


def keep_uids(planned: PlannedImport, contents: Contents) -> list[Occasion]:
    """Give new occasions the UIDs that they had; return those whose UID is that of another one.

    Occasions of a series have one UID, which the first gets. The others, and those whose UID is taken, get
    one that is derived from it and their start, so that the same file gives the same UIDs everywhere.
    """
    stated = [(row, each) for _event, each, row in planned.list_occasions(contents) if each.uid]
    new = {id(row) for row in planned.list_new(Occasion) if row.pk is None}
    # Of the file, or of an earlier one: what shares the UID of these belongs to their series.
    known = {row.uuid for row, _each in stated if id(row) not in new}
    known |= {row.uuid for row in planned.missing_occasions}
    # Of occasions that are stored, or were and have been published.
    kinds = (Occasion, GoneOccasion) if new and stated else ()
    used = {uuid for kind in kinds for uuid in kind.objects.values_list("uuid", flat=True)}
    taken = []
    for row, each in stated:
        if id(row) not in new:
            continue
        wanted = [split_uid(uid) for uid in (each.uid, f"{each.uid}/{each.start:%Y%m%dT%H%M%SZ}")]
        if wanted[0][0] in used and wanted[0][0] not in known:
            taken.append(row)
        row.uuid, row.uid = next((free for free in wanted if free[0] not in used), (row.uuid, ""))
        used.add(row.uuid)
        known.add(row.uuid)
    return taken


def _find_used(model: Any, keys: Iterable[int]) -> set[int]:
    """Return which IDs are those of rows, or of deleted ones, which may be restored."""
    within = (min(keys), max(keys))
    used = {*model.objects.filter(pk__range=within).values_list("pk", flat=True)}
    if model in models_with_history():
        used.update(model.history.filter(id__range=within).values_list("id", flat=True))
    return used & {*keys}


def move_sequence(model: type[models.Model], key: int) -> None:
    """Let the database count on from an ID. SQLite does so by itself."""
    if connection.vendor != "postgresql":
        return
    named = (connection.ops.quote_name(model._meta.db_table), model._meta.pk.column)
    with connection.cursor() as cursor:
        # Never back: it may be further on than the rows are.
        cursor.execute(
            "SELECT setval(sequence, greatest(%s, coalesce(pg_sequence_last_value(sequence), 0)))"
            " FROM (SELECT pg_get_serial_sequence(%s, %s)::regclass AS sequence) AS named",
            [key, *named],
        )
