"""Merging rows into one: what names the others names that one then, and imports and links still find it.

Versions have most of it, so that the merge is undone like any edit. What they lack is stored with the ID of
each row that was merged away, and outlives it: which row it became part of, and what its organizer had.
"""

from collections.abc import Collection, Container, Iterable, Mapping
from typing import Any

from django.db.models import F
from django.utils.translation import gettext_noop

from programme.history.row_undo import RowUndo
from programme.history.timeline import CREATED
from programme.history.undo import find_root
from programme.history.versions import DELETED
from programme.models import (
    Edit,
    EventType,
    Festival,
    ImportedRow,
    Location,
    Organizer,
    OrganizerLink,
    Room,
    Suggestion,
    Version,
)

# The reason of the edit; its detail names the rows.
MERGED = gettext_noop("merged:")
MERGEABLE: tuple[Any, ...] = (Location, Room, Organizer, EventType)
# Before the name of the model: the kind of what is stored of a row that was merged away.
MERGED_KIND = "merged-"


def list_references(model: Any) -> list[Any]:
    """Return the columns that name rows of a model, without those of versions."""
    relations = model._meta.get_fields(include_hidden=True)
    named = (each for each in relations if each.auto_created and each.is_relation)
    return [each.field for each in named if not issubclass(each.related_model, Version)]


def merge_rows(kept: Any, others: Collection[int]) -> None:
    """Let everything that names the others name the row that stays, save it, and delete them.

    In the caller's transaction; raises `ValidationError` if yet another row has its name.
    """
    model = type(kept)
    given = _give_links(kept.pk, others) if model is Organizer else {}
    for each in list_references(model):
        if each.model is not OrganizerLink:
            each.model.objects.filter(**{f"{each.name}__in": others}).update(**{each.name: kept})
    model.objects.filter(pk__in=others).delete()
    kept.clean()
    kept.save()
    _remember(model, kept.pk, {key: given.get(key, {}) for key in others})


def undoes_merge(edit: Edit) -> bool:
    """Return whether an edit merged rows, or undid or did again one that had."""
    root = find_root(edit)
    return edit.reason == MERGED if root == edit.pk else Edit.objects.filter(pk=root, reason=MERGED).exists()


# --- What versions lack ---------------------------------------------------------------------------


def _remember(model: Any, kept: int, others: dict[int, dict[str, Any]]) -> None:
    kind = f"{MERGED_KIND}{model._meta.model_name}"
    rows = [ImportedRow(kind=kind, row_id=key, values=more | {"into": kept}) for key, more in others.items()]
    unique, written = ["kind", "row_id"], ["values"]
    ImportedRow.objects.bulk_create(rows, update_conflicts=True, unique_fields=unique, update_fields=written)
    _have_merges_read()


def _have_merges_read() -> None:
    """Let processes read again what events share, to which organizers do not belong."""
    Festival.objects.update(town=F("town"))


def load_merged() -> dict[str, dict[int, int]]:
    """Return what rows of each model were merged into, by ID; one query."""
    found: dict[str, dict[int, int]] = {}
    for row in ImportedRow.objects.filter(kind__startswith=MERGED_KIND):
        if not row.values.get("undone"):
            found.setdefault(row.kind.removeprefix(MERGED_KIND), {})[row.row_id] = row.values["into"]
    return found


def follow_merges(merged: Mapping[int, int], stored: Container[int]) -> dict[int, int]:
    """Return what each row that is gone is part of now, also where that was merged into another one later."""
    found = {key: find_last(key, merged, stored) for key in merged}
    return {key: last for key, last in found.items() if last in stored and last != key}


def find_last(key: int, merged: Mapping[int, int], stored: Container[int] = ()) -> int:
    """Return the last row that a row is part of, the first of them that is stored."""
    seen = {key}
    while key not in stored and merged.get(key, key) not in seen:
        seen.add(key := merged[key])
    return key


def list_former_names(model: Any, stored: Container[int]) -> dict[str, int]:
    """Return the names of rows that were merged into stored ones, with the IDs of these."""
    merged = follow_merges(load_merged().get(model._meta.model_name, {}), stored)
    versions = model.history.filter(id__in=merged).values_list("name", "id") if merged else ()
    return {name: merged[key] for name, key in versions}


def follow_undo(rows: Iterable[RowUndo]) -> None:
    """Note which merges are undone or done again by what becomes of the rows; organizers' links follow."""
    written = {(f"{MERGED_KIND}{row.model._meta.model_name}", row.key): row.kind for row in rows}
    keys = {key for _kind, key in written}
    for row in ImportedRow.objects.filter(kind__startswith=MERGED_KIND, row_id__in=keys):
        kind, values = written.get((row.kind, row.row_id)), row.values
        if kind == CREATED:
            row.values = values | {"undone": True}
            # One that was sent again since belongs to the organizer to which it was sent.
            same = OrganizerLink.objects.filter(pk=values.get("link", 0), digest=values.get("digest", ""))
            if same.update(organizer=row.row_id):
                Suggestion.objects.filter(pk__in=values["suggestions"]).update(link=values["link"])
        elif kind == DELETED:
            given = _give_links(values["into"], [row.row_id]) if "link" in values else {}
            row.values = {"into": values["into"]} | given.get(row.row_id, {})
        row.save(update_fields=["values"])
        _have_merges_read()


def choose_link(kept: int, others: Collection[int]) -> "tuple[OrganizerLink | None, list[OrganizerLink]]":
    """Return the link of merged organizers that works on, their own if it has one; and the other links."""
    links = OrganizerLink.objects.filter(organizer__in=[kept, *others]).order_by("valid_until", "pk")
    found = sorted(links, key=lambda link: (link.organizer_id == kept, bool(link.digest)))
    return (found[-1] if found else None), found[:-1]


def _give_links(kept: int, others: Collection[int]) -> dict[int, dict[str, Any]]:
    """Give the organizer that stays a link, and this the suggestions of the others; return what each had."""
    link, rest = choose_link(kept, others)
    if link is None:
        return {}
    given = {}
    waiting = Suggestion.objects.filter(link=link, decided_at=None).values("event")
    for each in rest:
        moved = each.suggestions.exclude(decided_at=None, event__in=waiting)
        keys = list(moved.values_list("pk", flat=True))
        Suggestion.objects.filter(pk__in=keys).update(link=link)
        given[each.organizer_id] = {"link": each.pk, "digest": each.digest, "suggestions": keys}
    if link.organizer_id != kept:
        given[link.organizer_id] = {"link": link.pk, "digest": link.digest, "suggestions": []}
        OrganizerLink.objects.filter(pk=link.pk).update(organizer=kept)
    return given
