"""What seems odd of a programme that a file would make: few false alarms, for each kind has to be ticked."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import chain, combinations
from math import hypot
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import msgspec
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import ONE_DAY, FestivalTime
from programme.changes.difference import format_span
from programme.exchange.readers.entries import NO_END, NO_LENGTH
from programme.exchange.readers.sheet.columns import may_be_room
from programme.exchange.readers.sheet.date_cells import parse_cell
from programme.exchange.readers.sheet.values import PROSE
from programme.exchange.text.times import list_cell_times
from programme.exchange.values import Contents, ScheduledEvent, ScheduledOccasion, group_by
from programme.exchange.workbook import name_row


class ImportedOccasion(NamedTuple):
    """An occasion of the file as it would be stored, in the room or location that it `takes`, '' if none.

    `clocks` are its start and end as the wall clock shows them.
    """

    event: ScheduledEvent
    stated: ScheduledOccasion
    start: datetime
    end: datetime
    clocks: tuple[datetime, datetime]
    location: str
    place: str
    takes: str

    @property
    def order(self) -> tuple[datetime, datetime, int]:
        return self.start, self.end, self.stated.row

    @property
    def is_whole_day(self) -> bool:
        start, end = self.clocks
        return start.time() == time() and end - start >= _WHOLE_DAY

    @property
    def has_assumed_end(self) -> bool:
        note = self.stated.note
        return bool(note) and any(str(each) in note for each in (NO_END, NO_LENGTH))


class FormerOccasion(NamedTuple):
    """An occasion that an earlier version of the file has brought, and whether it is gone from the file."""

    name: str
    day: date
    is_gone: bool


class ImportedProgramme(msgspec.Struct, frozen=True):
    """The occasions of a file, and the names that are made along with them, by kind.

    `written` are the `id()` of the file's events and occasions that are new or changed: others are not odd.
    `former` is what its source has brought before, and `changed` the events whose titles, and occasions whose
    days, were others, if most were. `staying` is when and where something is that the file does not have.
    """

    contents: Contents
    time: FestivalTime
    occasions: Collection[ImportedOccasion]
    written: Collection[int]
    names: Collection[Collection[str]]
    former: Collection[FormerOccasion]
    changed: Collection[ScheduledEvent | ImportedOccasion]
    staying: Collection[tuple[datetime, datetime, str]]

    @property
    def headings(self) -> dict[str, str]:
        """The headings of the columns of a sheet by their fields."""
        cells = self.contents.cells
        return dict(chain.from_iterable(cells.headings.values())) if cells else {}


# A finder yields occasions and events of the file, or names.
Odd = ImportedOccasion | ScheduledEvent | FormerOccasion | str
Find = Callable[[ImportedProgramme], Iterable[Odd]]


class SuspicionKind(NamedTuple):
    find: Find
    key: str
    title: Any
    advice: Any


KINDS: list[SuspicionKind] = []


def _finds(title: Any, advice: Any) -> Callable[[Find], Find]:
    def register(find: Find) -> Find:
        KINDS.append(SuspicionKind(find, find.__name__.removeprefix("find_"), title, advice))
        return find

    return register


# Nobody begins in these hours, unless something was held there in the evening before.
_NIGHT, _EVENING = range(7), 16
_LONG, _WHOLE_DAY = timedelta(hours=8), timedelta(hours=23)
# What so many share is a habit: opening hours, or a place where much goes on side by side.
_HABIT = 3
# So many are enough to see what many are like.
_SAMPLES = 200


@_finds(_("In the night, though the others there are not"), _("Is the afternoon meant?"))
def find_nights(programme: ImportedProgramme) -> Iterator[Odd]:
    for held in group_by(programme.occasions, lambda each: each.location).values():
        evenings = {each.clocks[0].date() for each in held if each.clocks[0].hour >= _EVENING}
        for each in held:
            clock = each.clocks[0]
            if clock.hour in _NIGHT and not each.is_whole_day and clock.date() - ONE_DAY not in evenings:
                yield each


@_finds(_("Longer than eight hours"), _("Are the ends right?"))
def find_long(programme: ImportedProgramme) -> Iterator[Odd]:
    """Yield what is long, except hours that an event or a place has often, or whole days of some."""
    long = [each for each in programme.occasions if each.end - each.start > _LONG]
    days = [each for each in long if each.is_whole_day]
    yield from [] if _few(days, programme.occasions) else days
    hours = {id(each): tuple(clock.time() for clock in each.clocks) for each in long}
    counts = Counter((key, hours[id(each)]) for each in long for key in (id(each.event), each.location))
    for each in long:
        often = max(counts[key, hours[id(each)]] for key in (id(each.event), each.location))
        if often < _HABIT and not each.is_whole_day:
            yield each


@_finds(_("No end is stated: all take half an hour"), _("Does a column say it?"))
def find_assumed_ends(programme: ImportedProgramme) -> Iterator[Odd]:
    assumed = [each for each in programme.occasions if each.has_assumed_end]
    if len(assumed) >= _HABIT and len(assumed) * 10 >= len(programme.occasions) * 9:
        yield from assumed


@_finds(_("Without a time, unlike nearly all others"), _("Is a column shifted by a row, or is it a note?"))
def find_timeless(programme: ImportedProgramme) -> Iterator[Odd]:
    events = programme.contents.events
    yield from _few([each for each in events if not each.occasions], events)


def _few(found: list[Any], of: Collection[Any]) -> list[Any]:
    """Return what nearly all others are not."""
    return found if len(found) * 10 <= len(of) else []


@_finds(_("The same event in two places at once"), _("Different events need titles of their own."))
def find_two_places(programme: ImportedProgramme) -> Iterator[Odd]:
    for held in group_by(programme.occasions, lambda each: id(each.event)).values():
        until: ImportedOccasion | None = None
        for each in sorted(held, key=lambda each: each.order):
            if until and each.start < until.end and each.place != until.place:
                yield each
            until = each if until is None or each.end > until.end else until


@_finds(_("Two in one place at once"), _("Is a column shifted by a row?"))
def find_double_bookings(programme: ImportedProgramme) -> Iterator[Odd]:
    """Yield what overlaps in a place where that is rare; what is long, or states no end, is beside others."""
    short = [
        each for each in programme.occasions if each.end - each.start <= _LONG and not each.has_assumed_end
    ]
    held = Counter(each.takes for each in short)
    clashes = group_by(find_clashes(short), lambda clash: clash[0].takes)
    for place, found in clashes.items():
        if sum(map(len, found)) * _HABIT <= held[place] + _HABIT:
            yield from (each for clash in found for each in clash)


@_finds(_("Same time and place as something that stays"), _("Was it renamed, or is the source another?"))
def find_doubles(programme: ImportedProgramme) -> Iterator[Odd]:
    slots = ((each, (each.start, each.end, each.takes)) for each in programme.occasions)
    yield from (each for each, slot in slots if slot in programme.staying)


# It has a start, an end, their `order`, and what it `takes`: no other may have that then; '' is nothing.
Held = TypeVar("Held", bound=Any)


def find_clashes(occasions: Iterable[Held]) -> Iterator[list[Held]]:
    """Yield groups of occasions in one place that are connected by overlaps, in their order.

    Intervals are half-open: 20:00-21:00 and 21:00-22:00 do not clash; 20:00-21:00 clashes with itself. What
    is cancelled or takes no time clashes with nothing, a draft does.
    """
    ordered = sorted((each for each in occasions if each.takes), key=lambda each: each.order)
    for held in group_by(ordered, lambda each: each.takes).values():
        runs, until = [held[:1]], held[0].end
        for each in held[1:]:
            if each.start >= until:
                runs.append([])
            runs[-1].append(each)
            until = max(until, each.end)
        yield from (run for run in runs if len(run) > 1)


@_finds(_("Without a place, unlike nearly all others"), _("Is a column shifted by a row?"))
def find_placeless(programme: ImportedProgramme) -> Iterator[Odd]:
    yield from _few([each for each in programme.occasions if not each.place], programme.occasions)


@_finds(_("A room without a place, which several places may have"), _("Say the places in a column."))
def find_rooms_alone(programme: ImportedProgramme) -> Iterator[Odd]:
    """Yield what is in a room that is a place of its own, in several areas or beside rooms with its name."""
    is_room = may_be_room(programme.headings.get("location", ""))
    rooms = group_by(programme.occasions, lambda each: each.stated.room or (is_room and each.stated.location))
    for room, held in rooms.items():
        alone = [each for each in held if room and each.place == room]
        areas = {each.event.more.get("area") for each in alone}
        if alone and max(len(areas), len({each.location for each in held})) > 1:
            yield from alone


_SAYS_NOTHING = re.compile(r"(?i)(?:.|[\d\s.,:/-]+|yes|no|ja|nej|nein|oui|non|true|false|sant|falskt)")
_STRANGE = re.compile(rf"{_SAYS_NOTHING.pattern}|.{{120,}}")


@_finds(_("Strange names of places or organizers"), _("Is it another column?"))
def find_strange_names(programme: ImportedProgramme) -> Iterator[Odd]:
    """Yield them unless they are few: a person may be called C."""
    for names in programme.names:
        found = [name for name in names if _SAYS_NOTHING.fullmatch(name)]
        yield from found if len(found) * 20 >= len(names) else []


@_finds(_("Titles that are numbers, dates, times or texts"), _("Is it another column?"))
def find_strange_titles(programme: ImportedProgramme) -> Iterator[Odd]:
    """Yield them unless they are few: a film may be called 1984."""
    kinds, events = (_STRANGE.fullmatch, parse_cell, list_cell_times), programme.contents.events
    # Some are enough to see that they are few.
    for some in (events[:: len(events) // _SAMPLES + 1], events):
        found = [each for each in some if any(find(each.title) for find in kinds)]
        if len(found) * 10 < len(some):
            return
    yield from found


@_finds(_("More names of places, organizers or types than titles"), _("Are two columns exchanged?"))
def find_more_names(programme: ImportedProgramme) -> Iterator[Odd]:
    named = (
        (each.event.title, each.location, each.event.organizer, each.event.type)
        for each in programme.occasions
    )
    titles, *others = [len({*names} - {""}) for names in zip(*named, strict=True)] or [0, 0]
    if max(others) > max(titles, _HABIT):
        yield f"{max(others)} / {titles}"


# What names and describes: their words are unlike each other.
_TEXTS = ("title", "organizer", "location", "room", "type", *PROSE)
_ENOUGH, _ALIKE = 10, 0.3


@_finds(_("Two columns are exchanged in a part of the rows"), _("Put their cells back."))
def find_exchanged(programme: ImportedProgramme) -> Iterator[Odd]:
    """Yield the headings of two columns whose words are each other's from a row on."""
    rows, headings = programme.contents.cells.rows if programme.headings else (), programme.headings
    for cut in (len(rows) * quarter // 4 for quarter in (1, 2, 3)):
        first, last = map(_count_words, (rows[:cut], rows[cut:]))
        for one, other in combinations(first.keys() & last.keys(), 2):
            own = max(_compare(first[each], last[each]) for each in (one, other))
            if min(_compare(first[one], last[other]), _compare(first[other], last[one])) > max(own, _ALIKE):
                yield ", ".join(sorted((headings[one], headings[other])))


def _count_words(rows: Sequence[Any]) -> dict[str, Counter[str]]:
    """Return how often each word is in some of the cells of each column, if it has enough of them."""
    some = rows[:: len(rows) // _SAMPLES + 1]
    words = {field: [{*each.texts.get(field, "").casefold().split()} for each in some] for field in _TEXTS}
    filled = {field: found for field, found in words.items() if sum(map(bool, found)) >= _ENOUGH}
    return {field: Counter(chain.from_iterable(found)) for field, found in filled.items()}


def _compare(one: Counter[str], other: Counter[str]) -> float:
    """Return the cosine of two counts of words: 1 if each word has the same share of both."""
    return sum(count * other.get(word, 0) for word, count in one.items()) / (
        hypot(*one.values()) * hypot(*other.values())
    )


@_finds(_("More occasions of a title than there are titles"), _("Is it a kind of event?"))
def find_repeated(programme: ImportedProgramme) -> Iterator[Odd]:
    titles = group_by(programme.contents.events, lambda each: each.title)
    for title, events in titles.items():
        if len({each.row for event in events for each in event.occasions}) > max(len(titles), 10):
            yield title


_NOTE = re.compile(
    r"(?i)(?:obs|nb|notera|med reservation|reservation för|preliminär|(?:ej|inte) (?:klar|bekräftad)|kolla"
    r"|tb[acd]|todo|att göra|summa|totalt|subject to change)\b|\?+$|xx+$"
)
_FEE = re.compile(r"(?i)\b(?:arvode|gage|faktur\w*|honorar|ersättning|f-skatt|fee:)")
_SHORT_TEXT = 100


@_finds(_("Texts that look like a note or a fee"), _("Readers would see them."))
def find_notes(programme: ImportedProgramme) -> Iterator[Odd]:
    for each in programme.contents.events:
        texts = (each.organizer, *each.more.values())
        short = (text for text in texts if isinstance(text, str) and len(text) <= _SHORT_TEXT)
        if _NOTE.match(each.title) or any(_NOTE.match(text) or _FEE.search(text) for text in short):
            yield each


@_finds(_("A day between the others is empty"), _("Is something missing?"))
def find_empty_days(programme: ImportedProgramme) -> Iterator[Odd]:
    """Yield the only day without anything, if there is much on all others before and after it."""
    held = Counter(programme.time.day_of(each.start) for each in programme.occasions)
    days = range((max(held) - min(held)).days) if held else ()
    empty = {min(held) + number * ONE_DAY for number in days} - held.keys()
    if len(empty) == 1 and len(held) >= _HABIT <= min(held.values()):
        yield from map(str, empty)


@_finds(_("Much of the former version is gone"), _("Is it the right source, with all sheets?"))
def find_gone(programme: ImportedProgramme) -> Iterator[Odd]:
    """Yield what is gone, if it is more than half of the former version, or all of a day."""
    gone = [each for each in programme.former if each.is_gone]
    if len(gone) * 2 > len(programme.former):
        yield from gone
    else:
        for held in group_by(programme.former, lambda each: each.day).values():
            if len(held) >= _HABIT and all(each.is_gone for each in held):
                yield from held


@_finds(
    _("Most titles or days are others than before"),
    _("Is it the right year, and are the IDs no row numbers?"),
)
def find_changed(programme: ImportedProgramme) -> Iterator[Odd]:
    yield from programme.changed


# --- For the person who imports -------------------------------------------------------------------


class Suspicion(msgspec.Struct, frozen=True):
    """A kind of what looks odd: how often, where, and what to do."""

    key: str
    title: str
    advice: str = ""
    count: int = 0
    rows: tuple[str, ...] = ()

    def __str__(self) -> str:
        first = f"{self.title}: {self.count}" if self.count else self.title
        return "\n  ".join([first, *self.rows, *(["…"] if self.count > len(self.rows) else [])])


def find_suspicions(programme: ImportedProgramme) -> Iterator[Suspicion]:
    """Yield what looks odd of what is new or changed; the reader's warnings are of this kind, too."""
    warned = (each.what for each in programme.contents.problems if each.warns)
    yield from (Suspicion(f"read-{number}", capfirst(what)) for number, what in enumerate(warned))
    for kind in KINDS:
        named = dict.fromkeys(_name(programme, each) for each in kind.find(programme))
        if rows := [text for _row, text in sorted(filter(None, named), key=itemgetter(0))]:
            yield Suspicion(kind.key, str(kind.title), str(kind.advice), len(rows), tuple(rows[:20]))


def _name(programme: ImportedProgramme, odd: Odd) -> tuple[int, str] | None:
    """Return the row and the words of what is odd, None for what is as it was."""
    if isinstance(odd, (str, FormerOccasion)):
        return 0, odd if isinstance(odd, str) else odd.name
    stated: ScheduledEvent | ScheduledOccasion
    if isinstance(odd, ImportedOccasion):
        stated, words = odd.stated, [odd.event.title, format_span(odd.start, odd.end), odd.place]
    else:
        stated, words = odd, [odd.title]
    if id(stated) not in programme.written:
        return None
    where = f"{name_row(programme.contents.sheets, stated.row)}: " if stated.row else ""
    return stated.row, where + ", ".join(filter(None, words))
