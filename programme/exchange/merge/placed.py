"""What an import does to places as readers see it: what the file does not move stays where it is."""

from typing import Any

from programme.exchange.merge.changes import Changes, PlannedChange, differ
from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.match import Match, OccasionMatch
from programme.exchange.merge.places import NOWHERE, PLACE, Held, find_held
from programme.exchange.merge.plan import Plan
from programme.exchange.merge.three_way import ImportConflict
from programme.models import Event, Occasion


def show_places(
    context: ImportContext, match: Match, fields: Changes, allowed: dict[str, Any]
) -> tuple[Changes, bool]:
    """Return the changes of a row, those of its own place as readers see them, and whether they see any.

    The change of a place that follows from that of its event is shown with the event.
    """
    others = {name: change for name, change in fields.items() if name not in PLACE}
    if not isinstance(match, OccasionMatch):
        shown = fields if context.places[id(match.event)].moves else others
        return shown, bool(shown)
    row = match.row
    stated = Held(allowed.get("location", row.location), allowed.get("room", row.room))
    before, after = context.held_here[row.pk], stated.within(Held.stated(match.owner)).values
    changed = {name: (old, after[name]) for name, old in before.values.items()}
    seen = {name: pair for name, pair in changed.items() if differ(*pair)}
    return others | (seen if len(others) < len(fields) else {}), bool(others or seen)


def show_conflicts(
    context: ImportContext, match: Match, conflicts: list[ImportConflict]
) -> list[ImportConflict]:
    """Return conflicts about the place of an occasion with where it is here, and where the file has it."""
    if not isinstance(match, OccasionMatch):
        return conflicts
    others = [each for each in conflicts if each.field not in PLACE]
    shown = [each for each in conflicts if each.field in PLACE]
    if not shown:
        return others
    here, there = context.held_here[match.row.pk].values, context.held[id(match.stated)].values
    repeated = all(each.repeated for each in shown) and not context.places[id(match.event)].known
    return others + [
        shown[0]._replace(field=name, here=here[name], file=there[name], repeated=repeated)
        for name in here
        if differ(here[name], there[name])
    ]


def keep_places(context: ImportContext, plan: Plan) -> None:
    """Give occasions their place as their own if their event leaves it, and the file does not move them."""
    deleted = {row.pk for row in plan.withdrawn_occasions}
    for event in context.contents.events:
        row = plan.event_rows.get(id(event))
        for occasion in context.places[id(event)].known if row else ():
            stays = occasion.pk not in deleted and id(occasion) not in plan.placed
            if row and stays and occasion.event_id == row.pk:
                _keep_place(context, plan, occasion, row)


def _keep_place(context: ImportContext, plan: Plan, row: Occasion, event: Event) -> None:
    held = context.held_here[row.pk]
    if held == NOWHERE or find_held(row, event).venue == held.venue:
        return
    row.location, row.room = held
    if id(row) not in plan.restored:
        plan.occasions.written.append(PlannedChange(row, {}, PLACE))
    if context.memory.last_stated(row):
        context.memory.remember(row, held.values)
