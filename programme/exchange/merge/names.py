"""Asks about names of a file that may be misspelt."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from feeds.names import fold
from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.directory import Directory
from programme.exchange.merge.named_rows import NamedRows
from programme.exchange.merge.places import find_event_place, find_occasion_place
from programme.exchange.questions import Question
from programme.exchange.text.spelling import SimilarNames
from programme.exchange.values import ScheduledEvent


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
