"""What the names of a file mean: those that were changed here since, and those that may be misspelt."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from feeds.names import fold
from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.directory import Directory
from programme.exchange.merge.named_rows import Key, NamedRows, identify
from programme.exchange.merge.places import find_event_place, find_occasion_place
from programme.exchange.questions import Question
from programme.exchange.text.spelling import SimilarNames
from programme.exchange.values import ScheduledEvent
from programme.history.timeline import format_title

# The rows among which a name is looked up, by which key, and the name as the file has it.
Lookup = tuple[NamedRows[Any], Key, str]


def find_former_names(events: Iterable[ScheduledEvent], directory: Directory) -> list[tuple[str, str, int]]:
    """Return each former name with the present one, and how many events have it."""
    names: dict[Any, tuple[str, str]] = {}
    found: dict[Any, set[int]] = defaultdict(set)
    for number, event in enumerate(events):
        for rows, key, name in _lookups(event, directory):
            if row := rows.renamed.get(key):
                renamed = (type(row), row.pk, fold(name))
                names.setdefault(renamed, (name, format_title(row)))
                found[renamed].add(number)
    return [(former, present, len(found[renamed])) for renamed, (former, present) in names.items()]


def _lookups(event: ScheduledEvent, directory: Directory) -> Iterator[Lookup]:
    yield directory.types, fold(event.type), event.type
    yield directory.organizers, fold(event.organizer), event.organizer
    area, sub_area = event.more.get("area"), event.more.get("sub_area")
    if area and not directory.options.area:
        yield directory.areas, fold(area), area
        inside = directory.areas.rows.get(fold(area))
        if sub_area and inside:
            yield directory.sub_areas, (identify(inside), fold(sub_area)), sub_area
    for place in (find_event_place(event), *map(find_occasion_place, event.occasions)):
        if place:
            yield from _place_lookups(*place, directory=directory)


def _place_lookups(location: str, address: str, room: str, *, directory: Directory) -> Iterator[Lookup]:
    rooms, locations = directory.rooms, directory.locations
    if not location and fold(room) in rooms.rows:
        yield rooms, fold(room), room
        return
    # An unknown room without a location is a location.
    name = location or room
    key: Key = (address, fold(name))
    key = key if key in locations.rows else fold(name)
    yield locations, key, name
    if location and room and (inside := locations.rows.get(key)):
        yield rooms, (identify(inside), fold(room)), room


def ask_about_names(context: ImportContext) -> list[Question]:
    """Return the questions about names that nothing has yet, and let the directory use their answers.

    What another service states of its areas and places says which they are, so that nothing is asked.
    """
    contents, directory = context.contents, context.directory
    if contents.properties:
        return []
    areas = [row for row in directory.areas.rows.values() if context.permissions.may_use(row)]
    asked = (
        (directory.areas, _list_areas(contents.events, directory), _list_names(areas)),
        (
            directory.locations,
            _list_locations(contents.events, directory),
            _list_names(directory.locations.rows.values()),
        ),
    )
    return [question for each in asked for question in _ask(context, *each)]


def _list_areas(events: Iterable[ScheduledEvent], directory: Directory) -> Iterator[str]:
    if directory.options.area:
        yield directory.options.area
    else:
        otherwise = directory.options.default_area
        yield from (str(event.more.get("area") or otherwise) for event in events)


def _list_locations(events: Iterable[ScheduledEvent], directory: Directory) -> Iterator[str]:
    """Yield the names that are no room in one cell, as far as the file and the programme say it."""
    for event in events:
        area = str(event.more.get("area") or "")
        for place in filter(None, (find_event_place(event), *map(find_occasion_place, event.occasions))):
            location, address, room = place
            if room or not directory.find_in_single_cell(location, address, area):
                yield directory.name_location(*place)


def _list_names(rows: Iterable[Any]) -> Iterator[str]:
    for row in rows:
        yield from filter(None, (row.name, getattr(row, "full_name", "")))


def _ask(
    context: ImportContext, kind: NamedRows[Any], names: Iterable[str], stored: Iterable[str]
) -> Iterator[Question]:
    """Yield a question for each name that is similar to a stored one, or to another one in the file."""
    spellings: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for name in filter(None, names):
        spellings.setdefault(fold(name), name)
        counts[fold(name)] += 1
    directory, similar = context.directory, SimilarNames(stored)
    may_add = context.permissions.may("add", kind.model)
    for folded, _count in counts.most_common():
        name = spellings[folded]
        if folded in kind:
            continue
        # Several rooms have this name: which of them is it?
        rooms = directory.single_cells.list_alone(name) if kind is directory.locations else []
        if others := [*map(str, rooms), *similar.find(name)]:
            question = _build_question(context, kind, name, others, may_add=may_add)
            directory.meant[kind.model, folded] = question.answer or name
            yield question
        elif may_add and not context.contents.is_own_export:
            similar.add(name)


def _build_question(
    context: ImportContext, kind: NamedRows[Any], name: str, others: list[str], *, may_add: bool
) -> Question:
    model = kind.model
    text = _("%(kind)s “%(name)s” does not exist yet. Did you mean %(others)s?") % {
        "kind": capfirst(model._meta.verbose_name),
        "name": name,
        "others": _(" or ").join(_("“%(name)s”") % {"name": other} for other in others),
    }
    new = _("No: add “%(name)s”") if may_add else _("No: leave it out, because you may not add “%(name)s”")
    choices = {other: _("Yes: “%(name)s”") % {"name": other} for other in others}
    key = f"{model._meta.model_name}:{fold(name)}".replace("=", "-")
    return Question.ask(context.options.answers, key, text, choices | {name: new % {"name": name}})
