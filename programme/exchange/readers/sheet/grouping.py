"""Groups the rows of a sheet to events, and asks whose its IDs are where that makes a difference."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from feeds.names import fold
from programme.exchange.questions import Answers, Question
from programme.exchange.readers.entries import clean_identifier
from programme.exchange.readers.sheet.columns import IDENTITY
from programme.exchange.readers.sheet.mapping import Mapping
from programme.exchange.readers.sheet.rows import SheetRow

# The key of the question, and its answers.
IDS, EVENT, OCCASION, ROW = "ids", "event", "occasion", "row"
_IDENTIFYING = ("title", "organizer", "area")
_EVENT_ID = "event_id"
# The folded title, organizer and area of a row.
Names = tuple[str, ...]


class Groups(NamedTuple):
    """The rows of each event, by its key, and those without a title that no event stands above."""

    events: dict[str, list[SheetRow]]
    orphans: list[SheetRow]


def group_rows(rows: Sequence[SheetRow]) -> Groups:
    groups: dict[str, list[SheetRow]] = defaultdict(list)
    orphans: list[SheetRow] = []
    # The key of the event above, and its names; no row continues an event of another sheet.
    above: tuple[str, Names] | None = None
    sheet, complete = "", _complete_names(rows)
    for row in rows:
        names, stated = _find_names(row), row.text(_EVENT_ID)
        above, sheet = above if row.sheet == sheet else None, row.sheet
        if above is None and not names[0] and clean_identifier(stated) not in groups:
            orphans.append(row)
            continue
        key = clean_identifier(stated) if stated else _build_key(complete.get((sheet, names), names), above)
        groups[key].append(row)
        if names[0] or stated:
            above = (key, names)
    return Groups(groups, orphans)


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
    apart, together = len(group_rows(rows).events), len(group_rows(_without_ids(rows)).events)
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
    labels = {
        answer: label % {"events": _count(apart if answer == EVENT else together)}
        for answer, label in choices.items()
    }
    return Question.ask(answers, IDS, text % {"column": column}, labels)


def assign_ids(mapping: Mapping, answer: str) -> Mapping:
    """Return a mapping with the IDs as answered; unanswered, they are the occasions'."""
    sources = dict(mapping.sources)
    source = sources.pop(_EVENT_ID, None) if answer != EVENT else None
    if source and answer != ROW:
        sources.setdefault(IDENTITY, source)
    return msgspec.structs.replace(mapping, sources=sources)


def _count(events: int) -> str:
    return ngettext("%(count)d event", "%(count)d events", events) % {"count": events}


def _without_ids(rows: Sequence[SheetRow]) -> list[SheetRow]:
    return [msgspec.structs.replace(row, texts=row.texts | {_EVENT_ID: ""}) for row in rows]
