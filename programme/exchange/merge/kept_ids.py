"""The IDs and UIDs that rows had where they come from, kept where nothing else has them or had them here."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.db import connection, models

from programme.exchange.merge.plan import KeptIds, Plan
from programme.exchange.merge.properties import build_name_key
from programme.exchange.own_format import split_uid
from programme.exchange.values import Contents
from programme.models import Event, GoneOccasion, ImportedRow, Occasion


def find_kept_ids(plan: Plan, contents: Contents) -> KeptIds:
    wanted: dict[type[models.Model], dict[int, models.Model]] = defaultdict(dict)
    rows: list[tuple[models.Model, int]] = []
    taken: dict[type[models.Model], int] = defaultdict(int)
    for row, key in _list_wanted(plan, contents):
        if key in wanted[type(row)]:
            taken[type(row)] += 1
        else:
            wanted[type(row)][key] = row
    for model, by_id in wanted.items():
        used = _find_used(model, by_id.keys())
        rows += [(row, key) for key, row in by_id.items() if key not in used]
        taken[model] += len(used)
    return KeptIds(rows, {model: count for model, count in taken.items() if count})


def give_ids(kept: KeptIds) -> None:
    """Give new rows their IDs, just before they are created; rows without one get later ones."""
    largest: dict[type[models.Model], int] = defaultdict(int)
    for row, key in kept.rows:
        row.pk = key
        largest[type(row)] = max(largest[type(row)], key)
    for model, key in largest.items():
        _move_sequence(model, key)


def keep_uids(plan: Plan, contents: Contents) -> list[Occasion]:
    """Give new occasions the UIDs that they had; return those whose UID is that of another one.

    Occasions of a series have one UID, which the first gets. The others, and those whose UID is taken, get
    one that is derived from it and their start, so that the same file gives the same UIDs everywhere.
    """
    stated = [
        (row, each)
        for event in contents.events
        for each in event.occasions
        if each.uid and (row := plan.occasion_rows.get(id(each)))
    ]
    new = {id(row) for row in plan.occasions.created} - plan.restored
    # Of the file, or of an earlier one: what shares the UID of these belongs to their series.
    known = {row.uuid for row, _each in stated if id(row) not in new}
    known |= {row.uuid for row in plan.occasions.missing}
    used = _find_used_uuids() if new and stated else set()
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


def _find_used_uuids() -> set[UUID]:
    """Return the UUIDs of occasions that are stored, or were and have been published."""
    return {
        *Occasion.objects.values_list("uuid", flat=True),
        *GoneOccasion.objects.values_list("uuid", flat=True),
    }


def _list_wanted(plan: Plan, contents: Contents) -> Iterator[tuple[models.Model, int]]:
    if contents.properties:
        for named in plan.directory.kinds().values():
            for row in named.created:
                properties = contents.properties.get(build_name_key(row))
                if properties and properties.row_id:
                    yield row, properties.row_id
    new = {id(row) for rows in (plan.events, plan.occasions) for row in rows.created} - plan.restored
    for event in contents.events:
        planned = (plan.event_rows.get(id(event)), event.row_id)
        occasions = ((plan.occasion_rows.get(id(each)), each.row_id) for each in event.occasions)
        yield from (
            (row, key) for row, key in (planned, *occasions) if row is not None and key and id(row) in new
        )


def _find_used(model: Any, keys: Iterable[int]) -> set[int]:
    """Return which IDs are those of rows, of deleted ones (which may be restored) or of tombstones."""
    wanted = set(keys)
    within = (min(wanted), max(wanted))
    used = set(model.objects.filter(pk__range=within).values_list("pk", flat=True))
    history = getattr(model, "history", None)
    if history is not None:
        used |= set(history.filter(id__range=within).order_by().values_list("id", flat=True).distinct())
    if model is Occasion:
        used |= set(GoneOccasion.objects.filter(pk__range=within).values_list("pk", flat=True))
    elif model is Event:
        used |= set(GoneOccasion.objects.filter(event_id__range=within).values_list("event_id", flat=True))
    if model in (Event, Occasion):
        kind = ImportedRow.EVENT if model is Event else ImportedRow.OCCASION
        rows = ImportedRow.objects.filter(kind__endswith=kind, row_id__range=within)
        used |= set(rows.values_list("row_id", flat=True))
    return wanted & used


def _move_sequence(model: type[models.Model], key: int) -> None:
    """Let the database count on from an ID. SQLite does so by itself."""
    if connection.vendor != "postgresql":
        return
    quoted = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [quoted, model._meta.pk.column])
        ((sequence,),) = cursor.fetchall()
        # Never back: it may be further on than the rows are.
        cursor.execute(
            "SELECT setval(%s::regclass, greatest(%s, coalesce(pg_sequence_last_value(%s::regclass), 0)))",
            [sequence, key, sequence],
        )
