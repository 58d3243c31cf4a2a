"""The survey after edits: what they may have changed is loaded and examined again, all else is kept."""

from collections.abc import Set as AbstractSet
from typing import Any

from programme.backoffice.problems.facts import Facts, find_concerned, renew_events, renew_shared
from programme.backoffice.problems.problem import RowName
from programme.backoffice.problems.registry import Part, Scope, Survey, find_problems
from programme.backoffice.problems.revised_texts import load_text_rows, load_versions
from programme.backoffice.problems.texts import TranslatableRow
from programme.models import Event
from programme.models.trigger_rules import SHARED

# From so many changed events on it takes less time to examine all.
MOST = 1500


def renew_survey(before: Survey, logged: AbstractSet[int]) -> Survey | None:
    """Return the survey after edits of which the change log names the events, and `SHARED`.

    None if they concern so many events that a whole survey is quicker.
    """
    facts, events = before.facts, set(logged) - {SHARED}
    if SHARED in logged:
        facts = renew_shared(facts)
        events.update(find_concerned(before.facts, facts))
    return None if len(events) > MOST else _examine(before, renew_events(facts, events), events)


def _examine(before: Survey, facts: Facts, events: AbstractSet[int]) -> Survey:
    versions = load_versions()
    # Organizers without events are not in the log.
    chosen: dict[Any, AbstractSet[int] | None] = {
        model: None for model, latest in versions.items() if latest != before.versions[model]
    }
    chosen[Event] = events

    def is_read(row: TranslatableRow) -> bool:
        return row.model in chosen and (row.model is not Event or row.pk in events)

    read = load_text_rows(chosen)
    texts = [row for row in before.texts if not is_read(row)] + read
    replaced = {row.name for row in before.texts if is_read(row)}
    parts = {
        Scope.ROW: Part(
            facts.of_events(events), read, replaced | _name_occasions(before.facts.of_events(events))
        ),
        Scope.ROOM: _choose_rooms(before.facts, facts, events),
        Scope.PROGRAMME: Part(facts, texts),
    }
    found = [find_problems(each, parts[each.kind.scope]) for each in before.found]
    return Survey(found, facts, texts, versions)


def _choose_rooms(before: Facts, now: Facts, events: AbstractSet[int]) -> Part:
    """Return what is held in the rooms that events are or were in."""
    held = [*before.of_events(events).occasions.values(), *now.of_events(events).occasions.values()]
    rooms = {each.room for each in held}
    return Part(now.of_rooms(rooms), [], _name_occasions(before.of_rooms(rooms)))


def _name_occasions(facts: Facts) -> set[RowName]:
    return {("occasion", key) for key in facts.occasions}
