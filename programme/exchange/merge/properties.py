"""What a file states of rows beside their names, such as an area's colour, texts and days.

New rows get all of it, and stored ones what has changed since the last import and was not edited here.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import connection, models
from django.db.models import prefetch_related_objects

from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.named_rows import find_name_key
from programme.exchange.merge.plan import KeptIds, Plan
from programme.exchange.merge.three_way import PlannedChange, ThreeWayMerge, find_changes, set_values
from programme.exchange.readers.entries import split_uid
from programme.exchange.values import Contents, NamedProperties, NameKey, group_by
from programme.models import Area, AreaDay, Day, GoneOccasion, Occasion, models_with_history

_DAYS = "_stated_days"


def describe_rows(context: ImportContext) -> list[PlannedChange]:
    """Set the fields of new rows, and return what changes of stored ones."""
    contents = context.contents
    if not contents.properties:
        return []
    changes: list[PlannedChange] = []
    for named in list(context.directory.kinds().values()):
        for row in named.created:
            if stated := contents.properties.get(find_name_key(row)):
                _describe_new(context, row, stated)
        if context.permissions.may("change", named.model):
            stored = named.list_stored()
            if named.model is Area:
                prefetch_related_objects(stored, "days__day")
            for row in stored:
                if stated := contents.properties.get(find_name_key(row)):
                    changes += merge_fields(context, row, stated.fields)
                    for each in row.days.all() if stated.days else ():
                        changes += merge_fields(context, each, stated.days.get(each.day.date, {}))
    _order(context.directory.areas.created, list(contents.properties))
    return changes


def _describe_new(context: ImportContext, row: models.Model, stated: NamedProperties) -> None:
    set_values(row, stated.fields)
    if stated.fields:
        context.memory.remember(row, stated.fields)
    for names in stated.streams:
        stream = context.directory.find_stream(names)
        # One that is stored already belongs where it is.
        if stream.pk is None:
            setattr(stream, "area" if isinstance(row, Area) else "sub_area", row)


def merge_fields(
    context: ImportContext, row: models.Model, stated: dict[str, Any], *, is_current: bool = False
) -> Iterator[PlannedChange]:
    """Yield what changes of a row; if the file has seen its current state, all that it states."""
    values = stated if is_current else context.memory.merge(row, stated)[0]
    if stated:
        context.memory.remember(row, stated)
    if changes := find_changes(row, values):
        set_values(row, values)
        yield PlannedChange(row, changes)


def save_described(changes: list[PlannedChange]) -> None:
    for model, found in group_by(changes, lambda change: type(change.row)).items():
        fields = sorted({name for change in found for name in change.fields})
        model.objects.bulk_update([change.row for change in found], fields)


def create_area_days(areas: list[Area], memory: ThreeWayMerge) -> None:
    """Create what was stated for the days of new areas."""
    days = []
    for area in areas:
        for date, fields in vars(area).get(_DAYS, {}).items():
            days.append(AreaDay(area=area, day=Day.on(date), **fields))
            memory.remember(days[-1], fields)
    AreaDay.objects.bulk_create(days)


def find_new_areas(context: ImportContext) -> list[Area]:
    """Return the new areas that a file describes, also those without events, if the user may add them."""
    directory = context.directory
    if context.options.area or not context.permissions.may("add", Area):
        return []
    for key, stated in context.contents.properties.items():
        if key[0] == "area":
            area = directory.find_area(stated.fields["name"])
            if area.pk is None:
                setattr(area, _DAYS, stated.days)
    return [area for area in directory.areas.created if hasattr(area, _DAYS)]


def _order(areas: list[Area], keys: list[NameKey]) -> None:
    """Put new areas behind the stored ones, in the file's order."""
    places = {key: number for number, key in enumerate(keys)}
    ordered = sorted(areas, key=lambda area: places.get(find_name_key(area), len(places)))
    for number, area in enumerate(ordered):
        area.sort_order += number


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
        move_sequence(model, key)


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


def _list_wanted(plan: Plan, contents: Contents) -> Iterator[tuple[models.Model, int]]:
    for named in plan.directory.kinds().values():
        for row in named.created:
            properties = contents.properties.get(find_name_key(row))
            if properties and properties.row_id:
                yield row, properties.row_id
    new = {id(row) for rows in (plan.events, plan.occasions) for row in rows.created} - plan.restored
    for event in contents.events:
        planned = (plan.event_rows.get(id(event)), event.row_id)
        occasions = (
            (row, each.row_id)
            for each in event.occasions
            if (row := plan.occasion_rows.get(id(each)))
            # Somebody may have copied a row of an exported sheet, with the numbers of another occasion.
            and not (contents.is_own_export and str(row.uuid) != each.guid)
        )
        yield from (
            (row, key) for row, key in (planned, *occasions) if row is not None and key and id(row) in new
        )


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
    quoted = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [quoted, model._meta.pk.column])
        ((sequence,),) = cursor.fetchall()
        # Never back: it may be further on than the rows are.
        cursor.execute(
            "SELECT setval(%s::regclass, greatest(%s, coalesce(pg_sequence_last_value(%s::regclass), 0)))",
            [sequence, key, sequence],
        )
