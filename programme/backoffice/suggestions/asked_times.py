"""What to look at in the times that an organizer asks for: clashes, opening hours, ends before starts."""

from collections.abc import Iterable

from programme.backoffice.problems.warnings import find_warnings
from programme.backoffice.suggestions.changes import SuggestedChange, decode_occasion, parse_occasion
from programme.models import Event, Suggestion


def add_warnings(suggestion: Suggestion, changes: Iterable[SuggestedChange]) -> None:
    """Give the changes of times their warnings, as if everything were accepted, in seven queries at most."""
    by_occasion = {parse_occasion(each.key): each for each in changes if each.is_possible}
    asked = {
        number: decode_occasion(suggestion.changes[each.key]["after"])
        for number, each in by_occasion.items()
        if number is not None
    }
    if not any("start" in values for values in asked.values()):
        return
    event = Event.objects.select_related("location", "room__location").get(pk=suggestion.event_id)
    stored = event.occasions.select_related("location", "room__location")
    occasions = list(stored.order_by("start", "end", "id"))
    for each in occasions:
        for name, value in asked.get(each.pk, {}).items():
            setattr(each, name, value)
    for warning in find_warnings(event, occasions):
        if warning.row is not None and "start" in asked.get(number := occasions[warning.row].pk, {}):
            by_occasion[number].warnings.append(str(warning))
