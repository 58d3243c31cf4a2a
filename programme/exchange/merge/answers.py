"""The answers that a source's imports were given, remembered so that the next one need not ask again."""

import hashlib
from collections.abc import Iterable

from programme.exchange.questions import Answers, Question
from programme.exchange.readers.sheet.grouping import IDS
from programme.models import ImportedRow


def recall_answers(source: str) -> Answers:
    """Return the answers of a source's imports so far; there are none of this service's own sheets."""
    rows = ImportedRow.objects.filter(kind=ImportedRow.ANSWERS, source=source) if source else ()
    return {key: answer for row in rows for key, answer in row.values.items()}


def remember_answers(source: str, questions: Iterable[Question], answers: Answers) -> None:
    """Store the answers that an import was given, besides those to earlier questions."""
    given = {
        each.key: each.answer
        for each in questions
        if each.answer == answers.get(each.key) and not each.each_time
    }
    before = recall_answers(source) if given else {}
    if source and not given.items() <= before.items():
        ImportedRow.objects.update_or_create(
            kind=ImportedRow.ANSWERS,
            row_id=number_source(source),
            defaults={"source": source, "values": {**before, **given}},
        )


def number_source(source: str) -> int:
    """Return a number that no other source has."""
    return int.from_bytes(hashlib.sha256(source.encode()).digest()[:7])


def was_read_otherwise(questions: Iterable[Question], answers: Answers) -> bool:
    """Return whether a file was read with other answers than these to the questions that it has raised.

    Whose the IDs of a source are holds for each of its files, even for one that raises no question of it.
    """
    given = ((each, answers.get(each.key, each.answer)) for each in questions)
    unasked = IDS in answers and all(each.key != IDS for each in questions)
    return unasked or any(answer != question.answer and question.allows(answer) for question, answer in given)
