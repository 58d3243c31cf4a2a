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
            # That the file calls it something else is nothing to be told.
            del planned.changes[id(each.row)]
        else:
            each.refusal = _explain(each, rights)
    _refuse_those_that_name(planned, {id(each.row): each.refusal for each in named if each.refusal})
    for each in planned.changes.values():
        if each.refusal:
            planned.memory.forget(each.row)
    for key, found in planned.conflicts_by_event.items():
        planned.conflicts_by_event[key] = [
            each for each in found if id(each.change) not in forbidden and not planned.find_refusal(each.row)
        ]


def _refuse_those_that_name(planned: PlannedImport, refused: dict[int, str]) -> None:
    """Refuse what names refused rows, and new events with the places of their occasions."""
    occasions = [each for each in planned.changes.values() if each.model is Occasion]
    for each in occasions:
        owner, why = planned.changes.get(id(each.row.event)), _find_named(each.row, refused)
        if owner and owner.before is None and why:
            owner.refusal = owner.refusal or why
    events = [each for each in planned.changes.values() if each.model is Event]
    for each in events:
        each.refusal = each.refusal or _find_named(each.row, refused)
    refused |= {id(each.row): each.refusal for each in events if each.refusal}
    for each in occasions:
        each.refusal = each.refusal or _find_named(each.row, refused)


def _find_named(row: Any, refused: dict[int, str]) -> str:
    return next((refused[id(each)] for each in list_relations(row) if id(each) in refused), "")


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
