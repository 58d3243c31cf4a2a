"""Asks what the names and events of a file are that nothing is yet: ones that are here, new, or left out."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from feeds.names import fold, order_name
from feeds.nearness import NearNames, find_alike
from programme.changes.difference import format_span_to_end
from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.named_rows import Key, NamedRows, identify
from programme.exchange.questions import Choice, NameQuestion, build_key
from programme.exchange.readers.fields import field_length
from programme.exchange.text.lines import truncate
from programme.exchange.values import PlaceNames, ScheduledEvent
from programme.models import Area, Event, Location, Room

# The answers by which a name is left out, and by which an event is new.
LEFT_OUT, _NEW = "-", "+"
# The kind of questions about events, of which so many are offered.
EVENT, _MOST = "event", 3
# Names of these may also be misspelt ones of the same file.
_COMPARED = (Area, Location)


class _Use(NamedTuple):
    """A name with how many rows use it; a room's is within its location, a sub area's within its area."""

    kind: NamedRows[Any]
    name: str
    rows: int
    within: Any = None

    @property
    def key(self) -> Key:
        return (identify(self.within), fold(self.name)) if self.within else fold(self.name)


Uses = Iterator[_Use]


def ask_about_names(context: ImportContext) -> list[NameQuestion]:
    """Return the questions about names that nothing has yet, and let the directory use their answers."""
    kinds = (_list_areas, _list_sub_areas, _list_locations, _list_rooms, _list_others)
    return [question for each in kinds for question in _ask(context, each(context))]


# --- Which names a file uses


def _count_rows(event: ScheduledEvent) -> int:
    # A row may be several occasions.
    return len({each.row for each in event.occasions} or {0})


def _list_areas(context: ImportContext) -> Uses:
    directory = context.directory
    given, otherwise = directory.options.area, directory.options.default_area
    for event in context.contents.events:
        name = given or str(event.more.get("area") or otherwise)
        yield _Use(directory.areas, name, _count_rows(event))


def _list_sub_areas(context: ImportContext) -> Uses:
    directory = context.directory
    for event in () if directory.options.area else context.contents.events:
        name, area = event.more.get("sub_area"), event.more.get("area")
        if name and area and fold(area) in directory.areas and not directory.areas.leaves_out(fold(area)):
            within = directory.areas.rows[fold(area)]
            name = truncate(name, field_length(directory.sub_areas.model, "name"))
            yield _Use(directory.sub_areas, name, _count_rows(event), within)


def _list_places(context: ImportContext) -> Iterator[tuple[PlaceNames, str]]:
    """Yield names of location, address and room, with that of the area, for each row that has them."""
    for event in context.contents.events:
        area = str(event.more.get("area") or "")
        for place, _row in dict.fromkeys((each.place, each.row) for each in event.occasions):
            yield context.directory.read_names(place), area


def _list_locations(context: ImportContext) -> Uses:
    """Yield the names that are no room in one cell, as far as the file and the programme say it."""
    directory, length = context.directory, field_length(Location, "name")
    for place, area in _list_places(context):
        location, address, room = place
        # As the address of a known one, or its whole name.
        if address and fold(f"{location}, {address}") in directory.locations.rows:
            continue
        if room or not directory.find_in_single_cell(location, address, area):
            yield _Use(directory.locations, truncate(location, length), 1)


def _list_rooms(context: ImportContext) -> Uses:
    """Yield the rooms of locations that are there already."""
    directory = context.directory
    for place, _area in _list_places(context):
        within = directory.locate_room(place) if place[-1] else None
        if within and within.pk:
            name = truncate(place[-1], field_length(directory.rooms.model, "name"))
            yield _Use(directory.rooms, name, 1, within)


def _list_others(context: ImportContext) -> Uses:
    directory = context.directory
    for event in context.contents.events:
        yield _Use(directory.organizers, event.organizer, _count_rows(event))
    for event in context.contents.events:
        for name in directory.split_types(event.type):
            yield _Use(directory.types, name, _count_rows(event))


# --- What they are


class _Stored:
    """The rows of one kind, or of those within one row, by the names that a file may mean."""

    def __init__(self, context: ImportContext, use: _Use) -> None:
        scope = identify(use.within) if use.within else None
        keys = ((key, row) for key, row in use.kind.rows.items() if row.pk)
        rows = [row for key, row in keys if (key[0] if isinstance(key, tuple) else None) == scope]
        if use.kind.model is Area:
            rows = [row for row in rows if context.options.rights.has_area(row.pk)]
        fields = use.kind.names[::-1]
        self.rows = {name: row for row in rows for each in fields if (name := getattr(row, each))}
        if use.kind.model is Location:
            self.rows |= {str(room): room for room in context.directory.rooms.rows.values()}
        self.names = tuple(sorted(self.rows, key=order_name))
        # What was merged, or renamed, may be misspelt, too.
        former, own = dict(use.kind.former.values()), {*rows}
        self.rows |= {name: row for name, row in former.items() if row in own and name not in self.rows}
        self.near = NearNames(self.rows)

    def find_near(self, name: str) -> list[str]:
        """Return names that are probably meant, each of another row."""
        titles = {row: name for name, row in reversed(self.rows.items())}
        return list(dict.fromkeys(titles.get(self.rows.get(each), each) for each in self.near.find(name)))


def _ask(context: ImportContext, uses: Uses) -> Iterator[NameQuestion]:
    names: dict[tuple[int, Key], _Use] = {}
    for use in (each for each in uses if each.name):
        key = (id(use.kind), use.key)
        names[key] = names[key]._replace(rows=names[key].rows + use.rows) if key in names else use
    stored: dict[tuple[int, int], _Stored] = {}
    for use in sorted(names.values(), key=lambda use: -use.rows):
        if use.key not in use.kind:
            group = (id(use.kind), id(use.within))
            stored[group] = stored.get(group) or _Stored(context, use)
            yield _ask_about(context, use, stored[group])


def _ask_about(context: ImportContext, use: _Use, stored: _Stored) -> NameQuestion:
    """Return the question about a name, and let the directory use its answer."""
    directory, kind, name = context.directory, use.kind, use.name
    # Several rooms have this name: which of them is it?
    rooms = directory.rooms.list_inside(fold(name)) if kind.model is Location else []
    near = [*map(str, rooms), *stored.find_near(name)]
    question = _build_question(context, use, near, stored.names)
    answer, row = question.answer, stored.rows.get(question.answer)
    leaves_out = answer == LEFT_OUT != name
    kind.asked.add(use.key)
    if kind.model is Location and (isinstance(row, Room) or (rooms and answer in ("", name))):
        directory.rooms_meant[fold(name)] = row
    elif row or leaves_out:
        kind.mean(use.key, None if leaves_out else row)
    elif answer in near:
        kind.mean(use.key, directory.find_area(answer) if kind.model is Area else kind.find(answer))
    elif not near and kind.model in _COMPARED and not context.contents.is_own_export:
        stored.near.names.append(name)
    return question


def _build_question(
    context: ImportContext, use: _Use, near: list[str], known: tuple[str, ...]
) -> NameQuestion:
    model, name = use.kind.model, use.name
    model_name, inside = str(model._meta.model_name), use.within.name + ", " if use.within else ""
    key = build_key(model_name, fold(inside + name))
    choices = {each: each for each in near}
    given = context.options.answers.get(key, "" if near else name)
    choices |= {each: each for each in known if fold(each) == fold(given)}
    if context.options.rights.has_permission(f"add_{model_name}"):
        choices[name] = _("add it")
    else:
        choices[name] = _("leave its events out: you may not add it")
    # Of an area, if another one is given for its events.
    given_area = "" if context.options.area else fold(context.options.default_area)
    if name != LEFT_OUT and (model is not Area or given_area not in ("", fold(name))):
        choices[LEFT_OUT] = _("leave it out")
    answer = next((each for each in choices if fold(each) == fold(given)), "")
    return NameQuestion(
        key,
        _describe(use, near),
        tuple(Choice(*each) for each in choices.items()),
        answer,
        kind=str(model._meta.verbose_name),
        name=inside + name,
        rows=use.rows,
        among=f"{model_name}-{use.within.pk if use.within else 0}",
        known=known,
        new=name,
        refused="" if answer else given,
    )


def _describe(use: _Use, near: list[str]) -> str:
    text = _("%(kind)s “%(name)s” does not exist yet.")
    if near:
        text = _("%(kind)s “%(name)s” does not exist yet. Did you mean %(others)s?")
    others = _(" or ").join(_("“%(name)s”") % {"name": other} for other in near)
    kind = capfirst(use.kind.model._meta.verbose_name)
    return text % {"kind": kind, "name": use.name, "others": others}


# --- New events that may be known under another title


def ask_about_retitled(context: ImportContext, found: dict[int, Any]) -> Iterator[NameQuestion]:
    """Yield a question about each new event; one that is answered with another event is `found`.

    Those at the same time and place are offered first, then those with similar titles.
    """
    missing = context.list_missing_events({row.pk for row in found.values()})
    titles = Counter(row.title for row in missing)
    rows = {row.title if titles[row.title] == 1 else f"{row.title} ({row.pk})": row for row in missing}
    known, names = tuple(sorted(rows, key=order_name)), {row.pk: name for name, row in rows.items()}
    labels, beside = {_NEW: _("it is new")}, defaultdict[Any, list[str]](list)
    for each in context.occasions if missing else ():
        if name := names.get(each.event_id):
            beside[each.start, each.location_id, each.room_id].append(name)
            held = filter(None, (format_span_to_end(each.start, each.end), each.place_name))
            labels.setdefault(name, f"{name} ({', '.join(held)})")
    for place, event in enumerate(context.contents.events if missing else ()):
        if place in found or context.deleted.find_event(event):
            continue
        key, near = build_key(EVENT, event.key), find_alike(event.title, rows, _MOST)
        given = context.options.answers.get(key, _NEW)
        for stated in event.occasions:
            at = (row and row.pk for row in context.places[id(stated)].values())
            near = [*(name for name in beside[stated.start, *at] if name in rows), *near]
        offered = [
            *[*dict.fromkeys(near)][:_MOST],
            *(name for name in rows if fold(name) == fold(given)),
            _NEW,
        ]
        answer = next((name for name in offered if fold(name) == fold(given)), "")
        yield NameQuestion(
            key,
            _("“%(name)s” is new. Is it an event that is no longer in the file?") % {"name": event.title},
            tuple(Choice(name, labels.get(name, name)) for name in dict.fromkeys(offered)),
            answer,
            kind=str(Event._meta.verbose_name),
            name=event.title,
            rows=_count_rows(event),
            among=EVENT,
            known=known,
            new=_NEW,
            refused="" if answer else given,
        )
        if answer in rows:
            found[place] = rows.pop(answer)
