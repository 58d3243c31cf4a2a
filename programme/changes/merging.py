"""Merging rows into one: references are moved to it, and imports and links still find it.

A merge is undone like any edit. Data without versions is stored under the ID of each merged row, and outlives
it: the row it was merged into, and the link and suggestions of an organizer.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import partial
from typing import Any

from django.db.models import F, Q
from django.utils.translation import gettext_noop

from feeds.names import fold
from programme.changes.change import Change, Plan
from programme.changes.constraints import TakenKeys
from programme.history.batches import find_root, list_attributes
from programme.history.merging import MERGED_KIND
from programme.history.versions import CREATED, DELETED, read_state
from programme.models import Edit, Festival, ImportedRow, Organizer, OrganizerLink, Suggestion, Version
from programme.models.fields import OtherNames
from programme.models.telling import Telling

# The reason of the edit; its detail names the rows.
MERGED = gettext_noop("merged:")


def list_references(model: Any) -> list[Any]:
    """Return the columns that refer to rows of a model, without those of versions."""
    relations = model._meta.get_fields(include_hidden=True)
    named = (each for each in relations if each.auto_created and each.is_relation)
    return [each.field for each in named if not issubclass(each.related_model, Version)]


def plan_merge(merges: Collection[tuple[Any, Collection[int]]], detail: str = "") -> Plan:
    """Return the plan of merges, each a remaining row with its new values and the IDs of the others."""
    into: dict[Any, dict[int, int]] = defaultdict(dict)
    for kept, others in merges:
        into[type(kept)] |= dict.fromkeys(others, kept.pk)
    goals = {
        (type(kept), kept.pk): (read_state(kept) or {}) | {"other_names": _join_names(kept, others)}
        for kept, others in merges
    }
    rows: dict[tuple[Any, int], Any] = {}
    columns: dict[Any, list[Any]] = defaultdict(list)
    for model in into:
        for each in list_references(model):
            if each.model is not OrganizerLink:
                columns[each.model].append(each)
    for model in {*columns, *into}:
        named = Q(pk__in=[key for other, key in goals if other is model] + [*into.get(model, ())])
        for each in columns[model]:
            named |= Q(**{f"{each.name}__in": [*into[each.related_model]]})
        rows |= {
            (model, row["id"]): row for row in model.objects.filter(named).values(*list_attributes(model))
        }
    changes = []
    for (model, key), now in rows.items():
        goal = dict(goals.get((model, key)) or now)
        for each in columns[model]:
            goal[each.attname] = into[each.related_model].get(goal[each.attname], goal[each.attname])
        changes.append(Change(model, key, now, None if key in into.get(model, ()) else goal))
    TakenKeys(changes).apply()
    # No news: the occasions are at the same places.
    return Plan(changes, MERGED, detail, partial(_follow, merges=merges), Telling(tells=False), is_whole=True)


def _join_names(kept: Any, others: Collection[int]) -> str:
    """Return the other names of a remaining row, with all names that the merged rows ever had."""
    fields = [each for each in ("name", "name_sv", "name_en") if hasattr(kept, each)]
    own, names = {fold(getattr(kept, each)) for each in fields}, kept.other_names.splitlines()
    for row in type(kept).history.filter(id__in=others).order_by("history_id"):
        stated = [getattr(row, each) for each in fields]
        address = getattr(row, "address", "")
        stated += [f"{row.name}, {address}"] if address and address != kept.address else []
        names += [*stated, *row.other_names.splitlines()]
    return OtherNames.clean_text("\n".join(each for each in names if fold(each) not in own))


def _follow(_plan: Plan, merges: Collection[tuple[Any, Collection[int]]]) -> None:
    for kept, others in merges:
        given = _give_links(kept.pk, others) if isinstance(kept, Organizer) else {}
        _remember(type(kept), kept.pk, {key: given.get(key, {}) for key in others})


def undoes_merge(edit: Edit) -> bool:
    """Return whether an edit is a merge, or undoes or redoes one."""
    root = find_root(edit)
    return edit.reason == MERGED if root == edit.pk else Edit.objects.filter(pk=root, reason=MERGED).exists()


# --- Data without versions ------------------------------------------------------------------------


def _remember(model: Any, kept: int, others: dict[int, dict[str, Any]]) -> None:
    kind = f"{MERGED_KIND}{model._meta.model_name}"
    rows = [ImportedRow(kind=kind, row_id=key, values=more | {"into": kept}) for key, more in others.items()]
    unique, written = ["kind", "row_id"], ["values"]
    ImportedRow.objects.bulk_create(rows, update_conflicts=True, unique_fields=unique, update_fields=written)
    _reload_shared_values()


def _reload_shared_values() -> None:
    """Make processes reload the values that events share, because changed organizers do not."""
    Festival.objects.update(town=F("town"))


def follow_merge(rows: Iterable[Change]) -> None:
    """Update the records and organizers' links of merges that the written rows undo or redo."""
    written = {(f"{MERGED_KIND}{row.model._meta.model_name}", row.key): row.kind for row in rows}
    keys = {key for _kind, key in written}
    for row in ImportedRow.objects.filter(kind__startswith=MERGED_KIND, row_id__in=filter(None, keys)):
        kind, values = written.get((row.kind, row.row_id)), row.values
        if kind == CREATED:
            row.values = values | {"undone": True}
            # A link that was renewed since belongs to the organizer it was sent to.
            same = OrganizerLink.objects.filter(pk=values.get("link", 0), digest=values.get("digest", ""))
            if same.update(organizer=row.row_id):
                Suggestion.objects.filter(pk__in=values["suggestions"]).update(link=values["link"])
        elif kind == DELETED:
            given = _give_links(values["into"], [row.row_id]) if "link" in values else {}
            row.values = {"into": values["into"]} | given.get(row.row_id, {})
        row.save(update_fields=["values"])
        _reload_shared_values()


def choose_link(kept: int, others: Collection[int]) -> "tuple[OrganizerLink | None, list[OrganizerLink]]":
    """Return the remaining link of merged organizers, preferably the kept one's; and the other links."""
    links = OrganizerLink.objects.filter(organizer__in=[kept, *others]).order_by("valid_until", "pk")
    found = sorted(links, key=lambda link: (link.organizer_id == kept, bool(link.digest)))
    return (found[-1] if found else None), found[:-1]


def _give_links(kept: int, others: Collection[int]) -> dict[int, dict[str, Any]]:
    """Move links and suggestions to the kept organizer; return the former ones of each organizer."""
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
