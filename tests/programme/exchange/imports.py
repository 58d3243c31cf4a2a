"""Imports of files with the choices that a person makes on the page, and what they wrote and reported."""

import re
from argparse import ArgumentParser, Namespace
from datetime import date, timedelta
from pathlib import Path

from django.core.management import CommandError
from django.db import models
from msgspec.structs import replace

from festival import clock
from programme.exchange.merge.options import build_options, recall_answers, was_read_otherwise
from programme.exchange.merge.pipeline import ApplyError, apply_in_steps, finish, plan_import
from programme.exchange.merge.plan import PlannedImport
from programme.exchange.questions import NameQuestion, Question
from programme.exchange.readers.registry import build_import_defaults, read
from programme.exchange.readers.sheet.grouping import IDS
from programme.exchange.readers.sheet.tables import read_tables
from programme.exchange.values import Contents, ImportOptions, ReadResult, UnreadableFileError
from programme.exchange.workbook import NO, YES, answer_for_sheets, build_sheet_key
from programme.models import Event, Revision
from tests.programme.exchange.reports import write_report


def apply_import(contents: Contents, options: ImportOptions) -> PlannedImport:
    return finish(apply_in_steps(contents, options))


def import_file(path: Path | str, *options: str) -> str:
    """Import a file as somebody who may do everything, and return the report.

    Each option is a choice or an answer that the page offers; `--overwrite` ticks all that was edited here.
    """
    chosen, path = _parse(options), Path(path)
    try:
        reading, order = _read(path, chosen)
        contents = reading.contents
        order = overwrite_all(contents, order) if chosen.overwrite else order
        is_first = not (contents.is_own_export or Event.objects.filter(source=order.source).exists())
        plan = plan_import(contents, order) if chosen.dry_run else apply_import(contents, order)
    except ApplyError as reason:
        asked = [str(reason), *map(format_question, plan_import(contents, order).questions)]
        raise CommandError("\n\n".join([f"{path} is not imported: ", *asked])) from reason
    except UnreadableFileError as reason:
        raise CommandError(f"{path} is not imported: {reason}.") from reason
    report = write_report(contents, plan, list_created=not is_first)
    asked = (format_question(each) for each in plan.questions if chosen.dry_run and not is_given(each, order))
    return "\n\n".join([*asked, f"{report}\n"])


def overwrite_all(contents: Contents, options: ImportOptions) -> ImportOptions:
    """Return the options with which the file wins over all edits made here."""
    keys = frozenset(each.key for each in plan_import(contents, options).conflicts)
    return replace(options, overwritten=keys)


def format_question(question: Question) -> str:
    choices = [f"--answer {question.key}={each.value}: {each.label}" for each in question.choices]
    return "\n  ".join([question.text, *choices])


def is_given(question: Question, options: ImportOptions) -> bool:
    is_new = isinstance(question, NameQuestion) and question.is_new
    return is_new or question.answer == options.answers.get(question.key)


def _parse(options: tuple[str, ...]) -> Namespace:
    parser = ArgumentParser()
    for name in ("dry-run", "draft", "withdraw-missing", "overwrite"):
        parser.add_argument(f"--{name}", action="store_true")
    for name in ("area", "area-otherwise", "source", "edition", "ids", "days", "language"):
        parser.add_argument(f"--{name}", default="")
    for name in ("answer", "sheet"):
        parser.add_argument(f"--{name}", action="append", default=[])
    return parser.parse_args(options)


def _read(path: Path, chosen: Namespace) -> tuple[ReadResult, ImportOptions]:
    """Read a file, again if earlier imports answered or corrected otherwise what it leaves open."""
    answers = dict(each.split("=", 1) for each in chosen.answer)
    answers |= {IDS: chosen.ids} if chosen.ids else {}
    source, content = chosen.source, path.read_bytes()
    defaults = build_import_defaults(
        *(
            chosen.language,
            {**(answer_for_names(chosen.sheet, content) or recall_answers(source)), **answers},
            clock.now(),
        ),
        edition=chosen.edition,
    )
    if chosen.days:
        defaults = replace(defaults, days=frozenset(_list_days(chosen.days)))
    reading = read(content, path.name, defaults)
    if chosen.sheet:
        answers |= {each.key: each.answer for each in answer_for_sheets(reading.contents.sheets)}
    order = build_options(
        reading,
        *(source, reading.conference.acronym, reading.conference.title),
        area=chosen.area,
        default_area=chosen.area_otherwise,
        draft=chosen.draft,
        withdraw_missing=chosen.withdraw_missing,
        instant=clock.now(),
        answers=answers,
    )
    if was_read_otherwise(reading.contents.choices, order.answers):
        defaults = replace(defaults, answers=order.answers)
        reading = read(content, path.name, defaults)
    return reading, order


def answer_for_names(names: list[str], content: bytes) -> dict[str, str]:
    """Return the answers by which sheets with some names are read and no others; none without names."""
    chosen = {build_sheet_key(name) for name in names}
    keys = [build_sheet_key(table.name) for table in read_tables(content)] if names else []
    return {key: YES if key in chosen else NO for key in keys}


def _list_days(text: str) -> list[date]:
    begin, end = map(date.fromisoformat, text.split("/"))
    return [begin + timedelta(number) for number in range((end - begin).days + 1)]


def values_of(model: type[models.Model], *fields: str) -> list[tuple]:
    return list(model.objects.order_by("id").values_list(*fields))


def current_revision() -> tuple:
    return Revision.objects.values_list("number", "moved_at").get()


def report_counts(report: str) -> dict[str, list[int]]:
    """Return the numbers of the report's table by kind."""
    rows = re.findall(r"^([a-z ]+?)((?: +[0-9]+){3,4}) *$", report, re.MULTILINE)
    return {kind: [int(number) for number in numbers.split()] for kind, numbers in rows}


def report_section(report: str, heading: str) -> list[str]:
    _before, _found, rest = report.partition(f"\n{heading} (")
    return [line.strip() for line in rest.partition("\n\n")[0].splitlines()[1:]]


def read_xml(text: str) -> Contents:
    return read(text.encode(), "x.xml", build_import_defaults()).contents
