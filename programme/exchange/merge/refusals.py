"""What the person who imports may not do is refused row by row, and with it what would name such rows."""

from typing import Any

from django.utils.translation import gettext as _

from programme.changes.change import Change
from programme.changes.rights import EventState, Rights
from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.plan import PlannedImport, list_relations
from programme.exchange.merge.three_way import IDENTIFIERS
from programme.models import Event, Occasion


def refuse(context: ImportContext, planned: PlannedImport) -> None:
    rights = context.options.rights
    if rights is None:
        return
    named = [Change.of(None, row) for kind in context.directory.kinds().values() for row in kind.created]
    changes = [*named, *planned.changes.values()]
    conflicts = [each.change for each in planned.conflicts]
    forbidden = {id(each) for each in rights.find_forbidden([*conflicts, *changes])}
    for each in changes:
        if id(each) not in forbidden:
            continue
        if each.before and each.values.keys() <= IDENTIFIERS:
            # That the file calls it something else is nothing to be told; what it lacks is listed anyway.
            del planned.changes[id(each.row)]
        else:
            each.refusal = _explain(each, rights)
    refused: dict[int, Any] = {id(each.row): each.refusal for each in changes if each.refusal}
    occasions, events = ([each for each in changes if each.model is model] for model in (Occasion, Event))
    for each in [*occasions, *events, *occasions]:
        whys = (refused[id(row)] for row in list_relations(each.row) if id(row) in refused)
        each.refusal = each.refusal or next(whys, "")
        if each.refusal:
            refused[id(each.row)] = each.refusal
            planned.memory.forget(each.row)
        owner = planned.changes.get(id(each.row.event)) if each.model is Occasion else None
        # Without the places of its occasions a new event would have none.
        if owner and owner.before is None and each.before is None:
            owner.refusal = owner.refusal or each.refusal
    for key, found in planned.conflicts_by_event.items():
        planned.conflicts_by_event[key] = [
            each for each in found if id(each.change) not in forbidden and not planned.find_refusal(each.row)
        ]


def _explain(change: Change, rights: Rights) -> str:
    before, after = change.before, change.after
    if change.model is Event:
        states = (EventState(row["area_id"], row["status"]) if row else None for row in (before, after))
        return " ".join(rights.find_refusals(*states).values())
    if change.model is not Occasion:
        names = {"kind": change.model._meta.verbose_name, "name": str(change.row)}
        return _("There is no %(kind)s “%(name)s”, and you may not add it.") % names
    if before and after and before["event_id"] != after["event_id"]:
        return _("You may not move this occasion to another event.")
    return _("You may not change this event.")
