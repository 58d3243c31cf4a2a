"""Groups the rows of a sheet to events, and asks whose its IDs are where that makes a difference."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from feeds.names import fold
from programme.exchange.questions import Answers, Question
from programme.exchange.readers.entries import clean_identifier
from programme.exchange.readers.sheet.columns import IDENTITY
from programme.exchange.readers.sheet.mapping import Mapping, Sheet
from programme.exchange.readers.sheet.rows import TIMES, RowPlace, SheetRow
from programme.exchange.text.times import list_times
from programme.exchange.text.when import split_days
from programme.exchange.time_limit import check_time
from programme.exchange.values import Problem
from programme.exchange.workbook import WorkbookSheet, locate_row, name_row

IDS, EVENT, OCCASION, ROW = "ids", "event", "occasion", "row"
_SUM = re.compile(r"(?:summa|totalt)\b.*|(?:total|sum)[ :]*", re.IGNORECASE)
_IDENTIFYING = ("title", "organizer", "area")
_EVENT_ID = "event_id"
# The folded title, organizer and area of a row.
Names = tuple[str, ...]


def group_rows(rows: Sequence[SheetRow]) -> tuple[dict[str, list[SheetRow]], list[SheetRow]]:
    """Return the rows of each event, by its key, and those without a title that belong to none."""
    groups: dict[str, list[SheetRow]] = defaultdict(list)
    orphans: list[SheetRow] = []
    # The key of the event above, and its names; no row continues an event of another sheet.
    above: tuple[str, Names] | None = None
    sheet, complete = "", _complete_names(rows)
    for row in rows:
        names, stated = _find_names(row), row.text(_EVENT_ID)
        above, sheet = above if row.sheet == sheet else None, row.sheet
        # What has neither title nor time continues nothing: its texts are a note's, or a sum's. Nor does what
        # has another organizer: its title was forgotten.
        is_other = names[1] and above is not None and above[1][1] not in ("", names[1])
        continues = above is not None and (stated or (row.has_time and not is_other))
        if not (names[0] or continues or clean_identifier(stated) in groups):
            orphans.append(row)
            continue
        key = clean_identifier(stated) if stated else _build_key(complete.get((sheet, names), names), above)
        groups[key].append(row)
        if names[0] or stated:
            above = (key, names)
    return groups, orphans


def _find_names(row: SheetRow) -> Names:
    return tuple(fold(row.text(name)) for name in _IDENTIFYING)


def _complete_names(rows: Sequence[SheetRow]) -> dict[tuple[str, Names], Names]:
    """Return what names with empty cells stand for, where the rows of their sheet leave no doubt.

    Such a row may be anywhere in a sheet that is sorted by another column.
    """
    by_title: dict[tuple[str, str], set[Names]] = defaultdict(set)
    for row in rows:
        names = _find_names(row)
        if names[0] and not row.text(_EVENT_ID):
            by_title[row.sheet, names[0]].add(names)
    complete: dict[tuple[str, Names], Names] = {}
    for (sheet, _title), same in by_title.items():
        for names in same:
            others = [each for each in same if each != names and _fits(names, each)]
            longest = [each for each in others if not any(each != one and _fits(each, one) for one in others)]
            if len(longest) == 1:
                complete[sheet, names] = longest[0]
    return complete


def _fits(names: Names, others: Names) -> bool:
    """Return whether names are the others, apart from empty cells."""
    return all(name in ("", other) for name, other in zip(names, others, strict=True))


def _build_key(names: Names, above: tuple[str, Names] | None) -> str:
    """Return the key of the event above, if a row continues it by its names, else one of its own."""
    if above and (not names[0] or (names[0] == above[1][0] and _fits(names, above[1]))):
        return above[0]
    return clean_identifier(" | ".join(filter(None, names)))


# --- Whose the IDs are


def ask_whose_ids(rows: Sequence[SheetRow], column: str, answers: Answers) -> Question | None:
    """Return a question if each row has its own ID while titles repeat; None if nothing depends on it.

    An ID is an event's if it repeats, or if rows with neither ID nor title continue its row. An answer holds
    for the source's next files too, which would otherwise bring all of it a second time.
    """
    stated = [text for row in rows if (text := row.text(_EVENT_ID))]
    is_continued = any(not row.text(_EVENT_ID) and not row.text("title") for row in rows)
    is_event_id = len(set(stated)) < len(stated) or is_continued
    if not stated or (is_event_id and IDS not in answers):
        return None
    without = [msgspec.structs.replace(row, texts=row.texts | {_EVENT_ID: ""}) for row in rows]
    apart, together = len(group_rows(rows)[0]), len(group_rows(without)[0])
    if apart == together and IDS not in answers:
        return None
    text = _("“%(column)s” differs in every row, while titles repeat. What does it identify?")
    if is_event_id or apart == together:
        text = _("What does “%(column)s” identify?")
    choices = {
        OCCASION: _("The occasion, which is found again by it: each title is one event (%(events)s in all)"),
        EVENT: _("The event: each row is an event of its own (%(events)s in all)"),
        ROW: _("Only the row, which may get another: each title is one event (%(events)s in all)"),
    }
    for answer in choices:
        count = apart if answer == EVENT else together
        events = ngettext("%(count)d event", "%(count)d events", count) % {"count": count}
        choices[answer] %= {"events": events}
    return Question.ask(answers, IDS, text % {"column": column}, choices)


def assign_ids(mapping: Mapping, answer: str) -> Mapping:
    """Return a mapping with the IDs as answered; unanswered, they are the occasions'."""
    sources = dict(mapping.sources)
    source = sources.pop(_EVENT_ID, None) if answer != EVENT else None
    if source and answer != ROW:
        sources.setdefault(IDENTITY, source)
    return msgspec.structs.replace(mapping, sources=sources)


def settle_places(rows: Sequence[SheetRow], *, is_own: bool = False) -> list[RowPlace]:
    """Return the place of each of an event's rows.

    A row without a title is where the row is that it continues; any other without a place is where most of
    them are, but in `is_own`, a sheet that this service has exported.
    """
    stated = list(_continue_places(rows))
    usual = _find_usual(stated)
    if is_own:
        return [place.within(usual) for place in stated]
    return [_complete(place, usual, stated) for place in stated]


def _continue_places(rows: Iterable[SheetRow]) -> Iterator[RowPlace]:
    above = RowPlace()
    for row in rows:
        place = RowPlace(*map(row.text, ("location", "address", "room")))
        if row.text("title") or row.text("event_id"):
            above = place
        yield place.filled_from(above)


def _find_usual(places: Iterable[RowPlace]) -> RowPlace:
    """Return the place that most rows have, of several the first by name."""
    stated = list(filter(None, places))
    counts = Counter(map(_fold, stated))
    # Of several spellings the one with an address, and of these the first.
    ordered = sorted(stated, key=lambda each: (-counts[_fold(each)], _fold(each), not each.address, each))
    return ordered[0] if ordered else RowPlace()


def _complete(place: RowPlace, usual: RowPlace, stated: Iterable[RowPlace]) -> RowPlace:
    """Return a place with the address of its location, and its room, if other rows say which these are."""
    place = place.within(usual) if place else usual
    there = [each for each in stated if each and fold(each.location) == fold(place.location)]
    rooms = {fold(each.room): each.room for each in sorted(there, reverse=True) if each.room}
    room = place.room or (next(iter(rooms.values())) if len(rooms) == 1 else "")
    addressed = _find_usual(each for each in there if each.address)
    return RowPlace(place.location, place.address or addressed.address, room)


def _fold(place: RowPlace) -> tuple[str, str]:
    return fold(place.location), fold(place.room)


def _is_sum(row: SheetRow, cells: Iterable[str]) -> bool:
    """Return whether a row has the sums of columns: no event that has a time, and no day, is called so."""
    first = next(filter(None, cells), "")
    is_called = _SUM.fullmatch(first) is not None
    return is_called and (not row.has_time or any(row.texts.get(field) == first for field in TIMES))


def _is_note(row: SheetRow) -> bool:
    """Return whether words alone stand where others have a day or a time, as below a programme."""
    first = row.text("start") or row.text("day")
    is_alone = {field for field, text in row.texts.items() if text} <= {"start", "day", "location"}
    is_text = " " in first and not any(map(str.isdigit, first))
    return is_alone and is_text and not (list_times(first) or split_days(first)[0])


class SheetRows:
    """The rows of a file: `listed` are all of its sheets, `sheets` those that are read."""

    def __init__(self, listed: Sequence[WorkbookSheet], sheets: Sequence[Sheet], language: str) -> None:
        self.listed = listed
        self.sheets = sheets
        # By the names of the sheets of the file.
        self.mappings = {
            name: sheet.mapping.in_language(language) for sheet in sheets for name in sheet.parts
        }

    @property
    def fields(self) -> set[str]:
        return set().union(*(mapping.sources for mapping in self.mappings.values()))

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """The headings that are read, with their fields; those of several sheets once."""
        return tuple(dict.fromkeys(chain.from_iterable(each.columns for each in self.mappings.values())))

    def find_mapping(self, number: int) -> Mapping:
        """Return the mapping of a row, by its number."""
        if len(self.mappings) == 1:
            return next(iter(self.mappings.values()))
        return self.mappings[locate_row(self.listed, number)[0]]

    def find_heading(self, field: str) -> str:
        headings = (each.heading_of(field) for each in self.mappings.values())
        return next(filter(None, headings), "")

    def list_headings(self, rows: Iterable[SheetRow]) -> dict[str, tuple[tuple[str, str], ...]]:
        """Return the fields of the columns of each sheet, in their order, with the headings."""
        numbers = {row.sheet: row.number for row in rows}
        mappings = {sheet: self.find_mapping(number) for sheet, number in numbers.items()}
        return {
            sheet: tuple(dict.fromkeys((field, each.heading_of(field)) for _heading, field in each.columns))
            for sheet, each in mappings.items()
        }

    def name_cell(self, row: SheetRow, field: str) -> str:
        where = name_row(self.listed, row.number)
        if heading := self.find_mapping(row.number).heading_of(field):
            return _("%(row)s, %(column)s") % {"row": where, "column": heading}
        return where

    def build(self) -> tuple[list[SheetRow], list[Problem]]:
        """Return the rows in the order of the file; those repeated below the same headings once."""
        rows: list[SheetRow] = []
        problems: list[Problem] = []
        for sheet in self.sheets:
            seen: dict[tuple[str, ...], int] = {}
            for each in sheet.rows:
                number, cells = each.number, each.cells
                check_time()
                if cells in seen:
                    first = name_row(self.listed, seen[cells])
                    what = _("the same as %(row)s, word for word; taken once") % {"row": first}
                    problems.append(Problem(name_row(self.listed, number), what, number))
                    continue
                sources = self.find_mapping(number).sources
                texts = {field: source.text(cells) for field, source in sources.items()}
                row = SheetRow(number, texts, locate_row(self.listed, number)[0], is_late=each.is_late)
                # Another table may stand beside this one.
                if not self.find_mapping(number).is_used(cells):
                    continue
                if _is_sum(row, cells) or _is_note(row):
                    what = _("a sum, and no event") if _is_sum(row, cells) else _("a note, and no event")
                    problems.append(Problem(name_row(self.listed, number), what, number))
                    continue
                # A row without a title continues the event above, and may well be repeated for two events.
                if row.text("title"):
                    seen[cells] = number
                rows.append(row)
        return sorted(rows, key=lambda row: row.number), problems

    def build_with_ids(self, answer: str) -> list[SheetRow]:
        """Return the rows with their IDs as answered."""
        self.mappings = {name: assign_ids(each, answer) for name, each in self.mappings.items()}
        return self.build()[0]
