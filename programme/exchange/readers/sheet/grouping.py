"""Groups the rows of a sheet to events, and asks whose its IDs are where that makes a difference."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from feeds.names import fold
from programme.exchange.questions import Answers, Question
from programme.exchange.readers.entries import clean_identifier
from programme.exchange.readers.sheet.columns import IDENTITY, are_exported
from programme.exchange.readers.sheet.mapping import Mapping, Sheet
from programme.exchange.readers.sheet.rows import PLACES, TIMES, WHEN_AND_WHERE, SheetRow
from programme.exchange.readers.sheet.values import YES as YES_WORDS
from programme.exchange.text.times import OPEN_ENDS, list_times
from programme.exchange.text.when import split_days
from programme.exchange.time_limit import check_time
from programme.exchange.values import PlaceNames, Problem
from programme.exchange.workbook import WorkbookSheet, locate_row, name_row

IDS, EVENT, OCCASION, ROW = "ids", "event", "occasion", "row"
UNTITLED, LEFT_OUT, CONTINUED = "untitled", "left-out", "continued"
# What stands in a cell that says nothing.
PLACEHOLDERS = {
    *("-", "–", "—", "?", "??", ".", "…", "...", "tba", "tbc", "tbd", "n/a", "n.a."),
    *("meddelas senare", "kommer senare", "to be announced", "to be confirmed"),
}
_LONGEST_PLACEHOLDER = max(map(len, PLACEHOLDERS))
_SUM = re.compile(r"(?:summa|totalt)\b.*|(?:total|sum)[ :]*", re.IGNORECASE)
_IDENTIFYING = ("title", "organizer", "area")
_EVENT_ID = "event_id"
# The folded title, organizer and area of a row.
Names = tuple[str, ...]


def group_rows(rows: Sequence[SheetRow]) -> dict[str, list[SheetRow]]:
    """Return the rows of each event, by its key: its ID, else its title, organizer and area."""
    groups: dict[str, list[SheetRow]] = defaultdict(list)
    complete = _complete_names(rows)
    for row in rows:
        names = _find_names(row)
        names = complete.get((row.sheet, names), names)
        groups[clean_identifier(row.text(_EVENT_ID) or " | ".join(filter(None, names)))].append(row)
    return groups


def settle_untitled(
    rows: Sequence[SheetRow], answers: Answers
) -> tuple[list[SheetRow], list[SheetRow], tuple[Question, ...]]:
    """Return the rows that have a title, those that have none, and the question what becomes of these.

    An ID that has a title elsewhere says which event a row is of. Nothing is taken from the row above
    without an answer, and then only where times and place are all that a row says.
    """
    titled = {row.text(_EVENT_ID) for row in rows if row.text("title")} - {""}
    untitled = [row for row in rows if not row.text("title") and row.text(_EVENT_ID) not in titled]
    if not untitled:
        return list(rows), [], ()
    text = _("Rows without a title: %(count)d. What becomes of them?") % {"count": len(untitled)}
    choices = {
        LEFT_OUT: _("They are left out"),
        CONTINUED: _("More occasions of the event above, where they say only when and where"),
    }
    question = Question.ask(answers, UNTITLED, text, choices, default=LEFT_OUT)
    is_continued, left = question.answer == CONTINUED, {*map(id, untitled)}
    kept, refused = list[SheetRow](), list[SheetRow]()
    above: SheetRow | None = None
    for row in rows:
        if id(row) not in left:
            above = row
            kept.append(row)
        elif is_continued and above and above.sheet == row.sheet and _continues(row, above):
            kept.append(_continue(row, above))
        else:
            refused.append(row)
    return kept, refused, (question,)


def _continues(row: SheetRow, above: SheetRow) -> bool:
    """Return whether a row says no more than when and where one more occasion of the event above is."""
    more = (name for name, text in row.texts.items() if text and name not in {*WHEN_AND_WHERE, IDENTITY})
    says_own = any(map(row.text, WHEN_AND_WHERE))
    return says_own and all(row.texts[name] == above.texts.get(name) for name in more)


def _continue(row: SheetRow, above: SheetRow) -> SheetRow:
    """Return a row with what it leaves out as the row above has it; times of its own are whole."""
    own = {name: text for name, text in row.texts.items() if text}
    kept = {"start", "end", "end_day", "duration"} if own.keys() & {"start", "end"} else set()
    kept |= {*PLACES} if own.keys() & {"location", "room"} else set()
    filled = {name: text for name, text in above.texts.items() if name not in {*kept, IDENTITY}}
    return msgspec.structs.replace(row, texts=row.texts | filled | own)


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


# --- Whose the IDs are


def ask_whose_ids(rows: Sequence[SheetRow], column: str, answers: Answers) -> Question | None:
    """Return a question if each row has its own ID while titles repeat; None if nothing depends on it.

    An ID is an event's if it repeats. An answer holds for the source's next files too, which would otherwise
    bring all of it a second time.
    """
    stated = [text for row in rows if (text := row.text(_EVENT_ID))]
    is_event_id = len(set(stated)) < len(stated)
    if not stated or (is_event_id and IDS not in answers):
        return None
    without = [msgspec.structs.replace(row, texts=row.texts | {_EVENT_ID: ""}) for row in rows]
    apart, together = len(group_rows(rows)), len(group_rows(without))
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


def find_places(rows: Sequence[SheetRow]) -> list[PlaceNames]:
    """Return the place of each of an event's rows; a room alone is at the location that the others have."""
    stated = [tuple(map(row.text, PLACES)) for row in rows]
    locations = {fold(each[0]): each for each in stated if each[0]}
    only, where, _room = next(iter(locations.values())) if len(locations) == 1 else ("", "", "")
    return [
        (only, address or where, room) if room and only and not location else (location, address, room)
        for location, address, room in stated
    ]


def _clean(texts: dict[str, str]) -> dict[str, str]:
    """Return texts without what says that there is none, and with plain blanks."""
    found = {
        field: ""
        if len(text) <= _LONGEST_PLACEHOLDER and text.casefold() in PLACEHOLDERS
        else text.replace("\xa0", " ").replace("\u202f", " ")
        for field, text in texts.items()
    }
    if found.get("all_day", "").casefold() in YES_WORDS and not found.get("start"):
        found |= {"start": "00:00", "end": "24:00"}
    if found.get("end", "").casefold() in OPEN_ENDS:
        found["end"] = ""
    return found


def _find_reason(row: SheetRow, cells: Iterable[str]) -> str:
    """Return why a row is no event that is read, '' if it is one.

    A sum of columns is none, nor are words alone where others have a day or a time, as below a programme.
    """
    first, stated = next(filter(None, cells), ""), row.text("start") or row.text("day")
    is_time = any(row.texts.get(field) == first for field in TIMES)
    if _SUM.fullmatch(first) and (not row.has_time or is_time):
        return _("a sum, and no event")
    is_alone = {field for field, text in row.texts.items() if text} <= {"start", "day", "location"}
    is_text = " " in stated and not any(map(str.isdigit, stated))
    if is_alone and is_text and not (list_times(stated) or split_days(stated)[0]):
        return _("a note, and no event")
    is_private = row.text("private").casefold() in YES_WORDS
    return _("marked as private: left out") if is_private else ""


def _find_notes(rows: Sequence[SheetRow]) -> list[SheetRow]:
    """Return the rows with a title and nothing else, where most others have a day or a time."""
    alone = [row for row in rows if not any(text for field, text in row.texts.items() if field != "title")]
    return alone if len(alone) < sum(row.has_time for row in rows) else []


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
        is_own = all(are_exported(each.sources) for each in self.mappings.values())
        for sheet in self.sheets:
            seen: dict[tuple[str, ...], int] = {}
            for each in sheet.rows:
                number, cells = each.number, each.cells
                check_time()
                mapping = self.find_mapping(number)
                # Another table may stand beside this one.
                if not mapping.is_used(cells):
                    continue
                texts = {field: source.text(cells) for field, source in mapping.sources.items()}
                texts = texts if is_own else _clean(texts)
                titles = mapping.sources["title"].columns if "title" in mapping.sources else ()
                row = SheetRow(
                    *(number, texts, locate_row(self.listed, number)[0]),
                    shares_day=each.shares_day,
                    is_late=each.is_late,
                    struck=bool({*titles} & {*each.struck}),
                )
                what = "" if is_own else _find_reason(row, cells)
                if cells in seen:
                    first = name_row(self.listed, seen[cells])
                    what = _("the same as %(row)s, word for word; taken once") % {"row": first}
                if what:
                    problems.append(Problem(name_row(self.listed, number), what, number))
                    continue
                # A row without a title may be said to continue the event above, and be repeated for two.
                if row.text("title"):
                    seen[cells] = number
                rows.append(row)
        notes = [] if is_own else _find_notes(rows)
        what = _("a text alone, and no event; left out")
        problems += [Problem(name_row(self.listed, row.number), what, row.number) for row in notes]
        if notes and rows[-1] in notes and not rows[0].text("title"):
            what = _("the first row has no title, the last one nothing else: are titles shifted by a row?")
            problems.append(Problem(_("the spreadsheet"), what, whole=True, warns=True))
        kept = (row for row in rows if row not in notes) if notes else rows
        return sorted(kept, key=lambda row: row.number), problems

    def build_with_ids(self, answer: str) -> list[SheetRow]:
        """Return the rows with their IDs as answered."""
        self.mappings = {name: assign_ids(each, answer) for name, each in self.mappings.items()}
        return self.build()[0]
