"""Where the occasions of a file are held, and what it states of these places: coordinates and facts."""

from feeds.facts import facts_of, order_tokens
from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.named_rows import identify
from programme.exchange.merge.plan import PlannedImport
from programme.exchange.merge.three_way import set_values
from programme.exchange.readers.coordinates import choose_usual
from programme.exchange.values import ScheduledOccasion, group_by
from programme.models import Location, Room
from programme.models.coordinates import measure
from programme.models.locations import find_stated

# Kilometres: what the rooms of one location may be apart.
_APART = 1


def find_places(context: ImportContext) -> None:
    """Find all places, those that a file states in several cells before others in one cell."""
    stated = [(event, occasion) for event in context.contents.events for occasion in event.occasions]
    stated.sort(key=lambda each: not (each[1].location and (each[1].room or each[1].address)))
    for event, occasion in stated:
        area = str(event.more.get("area") or "")
        context.places[id(occasion)] = context.directory.find_place(occasion.place, area)


def locate_places(context: ImportContext, planned: PlannedImport) -> None:
    """Set the coordinates of new locations, and of stored ones by the three-way rule."""
    may_change = context.options.rights.has_permission("change_location")
    coordinates = context.contents.coordinates
    located = [
        (place["location"], coordinates[names])
        for (names, _area), place in context.directory.places.items()
        if place["location"] and names in coordinates
    ]
    for same in group_by(located, lambda each: identify(each[0])).values():
        row, stated = same[0][0], [each for _row, each in same]
        chosen = choose_usual(stated)
        if (row.pk and not may_change) or any(measure(chosen, each) > _APART for each in stated):
            continue
        values = chosen._asdict()
        if row.pk:
            planned.set(row, context.memory.merge(row, values)[0])
        else:
            set_values(row, values)
        context.memory.remember(row, values)


def give_facts(context: ImportContext, planned: PlannedImport) -> tuple[str, ...]:
    """Give new places the facts that all rows state of them; return the tokens of what is left out."""
    facts = facts_of("location")
    stated = [each for _event, each, _row in planned.list_occasions(context.contents) if each.place_facts]
    left: set[str] = set()
    for same in group_by(stated, lambda each: id(_find_row(context, each))).values():
        place = _find_row(context, same[0])
        # What a room has from its location is no news either.
        before = find_stated(place) if place else [""] * len(facts)
        for fact, known_before in zip(facts, before, strict=True):
            codes = [{*fact.split(text)} for each in same if (text := each.place_facts.get(fact.name))]
            if place and place.pk is None and codes:
                known = codes[0].intersection(*codes)
                setattr(place, fact.name, " ".join(fact.split(" ".join(known))))
            else:
                known = {*known_before.split()}
            left |= {fact.token(code) for code in set().union(*codes) - known}
    return order_tokens(left) if left else ()


def _find_row(context: ImportContext, occasion: ScheduledOccasion) -> Location | Room | None:
    """Return the room of an occasion, else its location."""
    place = context.places[id(occasion)]
    row: Location | Room | None = place["room"] or place["location"]
    return row
