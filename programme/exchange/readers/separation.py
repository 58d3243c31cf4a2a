"""Offers to make separate events of rows that are grouped as one event and have different texts."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from programme.exchange.questions import Answers, Question
from programme.exchange.readers.entries import build_split_id
from programme.exchange.text.truncate import truncate_names

# The key of the question, and its answers.
SEPARATE, YES, NO = "separate", "yes", "no"
_LONGEST_TITLES = 120

Row = TypeVar("Row")
Texts = tuple[str, ...]
# An event's identifier, and its rows.
Group = tuple[str, Sequence[Row]]


def separate_groups(
    groups: Sequence[Group[Row]],
    find_texts: Callable[[Row], Texts],
    find_title: Callable[[Row], str],
    answers: Answers,
) -> tuple[Sequence[Group[Row]], tuple[Question, ...]]:
    """Return the groups as the answer has them, and the question if rows of any have different texts."""
    apart = [(source_id, split_by_texts(rows, find_texts)) for source_id, rows in groups]
    differing = [parts for _id, parts in apart if len(parts) > 1]
    if not differing:
        return groups, ()
    titles = [find_title(rows[0]) for [_texts, rows], *_others in differing]
    question = _ask(titles, sum(map(len, differing)), answers)
    if question.answer == NO:
        return groups, (question,)
    return [each for source_id, parts in apart for each in _name_parts(source_id, parts)], (question,)


def split_by_texts(rows: Sequence[Row], find_texts: Callable[[Row], Texts]) -> list[tuple[Texts, list[Row]]]:
    """Return the rows in parts that state the same texts; a row without any goes with the one above it."""
    if len(rows) == 1:
        return [((), list(rows))]
    parts: list[tuple[Texts, list[Row]]] = []
    place = 0
    for row in rows:
        texts = find_texts(row)
        if any(texts) or not parts:
            fitting = (each for each, part in enumerate(parts) if _agree(part[0], texts))
            place = next(fitting, len(parts))
        if place == len(parts):
            parts.append((texts, []))
        before, together = parts[place]
        together.append(row)
        parts[place] = (tuple(one or other for one, other in zip(before, texts, strict=True)), together)
    return parts


def _agree(texts: Texts, others: Texts) -> bool:
    return all(not one or not other or one == other for one, other in zip(texts, others, strict=True))


def _name_parts(source_id: str, parts: Sequence[tuple[Texts, list[Row]]]) -> list[Group[Row]]:
    if len(parts) == 1:
        return [(source_id, parts[0][1])]
    # Identifiers have no blanks: one begins the suffix of an event that was distinguished before.
    key = source_id.partition(" ")[0]
    return [(build_split_id(key, "\n".join((source_id, *texts))), rows) for texts, rows in parts]


def _ask(titles: Sequence[str], count: int, answers: Answers) -> Question:
    text = ngettext(
        "The rows of one event have different texts: %(titles)s. Is it several events?",
        "The rows of %(count)s events have different texts: %(titles)s. Are they several events each?",
        len(titles),
    )
    named = {"count": len(titles), "titles": truncate_names(titles, _LONGEST_TITLES)}
    choices = {
        NO: _("No: one event, with the texts of its first occasion"),
        YES: _("Yes: an event for each text (%(count)d instead of %(before)d)")
        % {"count": count, "before": len(titles)},
    }
    return Question.ask(answers, SEPARATE, text % named, choices, default=NO)
