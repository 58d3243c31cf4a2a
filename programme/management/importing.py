"""The command that imports a sheet, a calendar, a schedule, or all of another service: docs/importing.md."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from msgspec.structs import replace
from tqdm import tqdm

from programme.exchange.merge.options import build_options, recall_answers, was_read_otherwise
from programme.exchange.merge.pipeline import ApplyError, apply_import, plan_import
from programme.exchange.merge.plan import Plan
from programme.exchange.merge.report import write_report
from programme.exchange.merge.telling import TELL
from programme.exchange.questions import Answers
from programme.exchange.readers.registry import build_import_defaults, read_sources
from programme.exchange.readers.sheet.grouping import EVENT, IDS, OCCASION, ROW
from programme.exchange.time_limit import TimeLimit, limit_time
from programme.exchange.values import ImportOptions, Progress, ReadResult, UnreadableFileError
from programme.exchange.workbook import NO, answer_for_names, answer_for_sheets, build_sheet_key
from programme.models.cleaning import clean_line
from programme.models.festival_time import festival_time

_LIST_ALL = 2
_FLAGS = {
    "--dry-run": "Report what would be done, and write nothing.",
    "--draft": "Do not publish the events that are new.",
    "--withdraw-missing": "Withdraw events and delete occasions that are gone from it.",
    "--overwrite": "Overwrite what was edited here since the last import.",
    "--do-not-tell": "Mark nothing as changed, as is done with what readers knew otherwise.",
}
_TEXTS = {
    "--area": "The area of all its events; else the conference.",
    "--area-otherwise": "The area of those of its events of which the file does not say it.",
    "--source": "The schedule's name; else its acronym or title.",
}


def _parse_answer(text: str) -> tuple[str, str]:
    key, _equals, value = text.partition("=")
    return key, value


def _parse_days(text: str) -> list[date]:
    first, _slash, last = text.partition("/")
    try:
        begin, end = date.fromisoformat(first), date.fromisoformat(last or first)
    except ValueError:
        raise ArgumentTypeError("write it as 2026-07-28/2026-08-02") from None
    return [begin + timedelta(days=number) for number in range((end - begin).days + 1)]


_DAYS = (
    "The festival's days, for dates without a year and recurring events, which are taken on these alone; else"
    " the days that are entered."
)
_ANSWER = "The answer to a question that the file raises, as the question says it."
_IDS = "Whose the IDs of a sheet are, if every row has its own while titles repeat."
_SHEET = "A sheet of a workbook to read, and no other; several times for several. Else all programmes."
_MANY: dict[str, Any] = {"action": "append", "default": []}
_OTHERS: dict[str, dict[str, Any]] = {
    "--answer": {"type": _parse_answer, "metavar": "KEY=VALUE", "help": _ANSWER} | _MANY,
    "--ids": {"choices": [EVENT, OCCASION, ROW], "help": _IDS},
    "--days": {"type": _parse_days, "default": [], "metavar": "FIRST/LAST", "help": _DAYS},
    "--sheet": {"metavar": "NAME", "help": _SHEET} | _MANY,
    "--language": {"choices": ["sv", "en"], "default": "", "help": "Of texts that state none."},
}


class ImportCommand(BaseCommand):
    help = "Import a sheet (CSV, XLSX), a calendar or a schedule, or a newer version of one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("sources", nargs="+", metavar="file")
        for name, purpose in _FLAGS.items():
            parser.add_argument(name, action="store_true", help=purpose)
        for name, purpose in _TEXTS.items():
            parser.add_argument(name, type=clean_line, default="", help=purpose)
        for name, options in _OTHERS.items():
            parser.add_argument(name, **options)

    def read_clock(self) -> datetime:
        """Return the present instant, which only the project reads (festival/clock.py)."""
        raise NotImplementedError

    def handle(self, *, sources: list[str], dry_run: bool, verbosity: int, **options: Any) -> None:
        # None makes tqdm write to terminals only.
        progress = partial(tqdm, disable=verbosity == 0 or None, leave=False, unit="")
        try:
            with limit_time(TimeLimit(settings.IMPORT_SECONDS)):
                reading, import_options = self._read(sources, progress, options)
            contents = reading.contents
            if dry_run:
                plan = plan_import(contents, import_options)
                self._write_questions(plan)
            else:
                plan = apply_import(contents, import_options, progress)
        except (UnreadableFileError, ApplyError) as reason:
            raise CommandError(
                _("%(file)s is not imported: %(reason)s.") % {"file": ", ".join(sources), "reason": reason}
            ) from reason
        if verbosity:
            list_created = verbosity >= _LIST_ALL or not plan.first_time
            self.stdout.write(write_report(contents, plan, festival_time(), list_created=list_created))

    def _read(
        self, sources: list[str], progress: Progress, options: dict[str, Any]
    ) -> tuple[ReadResult, ImportOptions]:
        """Read the files, again if earlier imports answered differently what they leave open."""
        answers: dict[str, str] = dict(options["answer"]) | ({IDS: options["ids"]} if options["ids"] else {})
        self.answers = answers
        known = answer_for_names(options["sheet"]) or recall_answers(options["source"])
        defaults = build_import_defaults(
            *(options["language"], progress, options["days"], {**known, **answers}, self.read_clock()),
        )
        reading = read_sources(sources, defaults)
        if options["sheet"]:
            _require_sheets(reading, options["sheet"])
            answers |= {each.key: each.answer for each in answer_for_sheets(reading.contents.sheets)}
        answers |= {TELL: NO} if options["do_not_tell"] else {}
        import_options = _build_options(reading, answers, options | {"instant": self.read_clock()})
        if was_read_otherwise(reading.contents.choices, import_options.answers):
            reading = read_sources(sources, replace(defaults, answers=import_options.answers))
        return reading, import_options

    def _write_questions(self, plan: Plan) -> None:
        """Say what nobody has answered on the command line."""
        self.stdout.write(_("Nothing is written; this is what would be done:") + "\n\n")
        for each in plan.questions:
            if each.answer != self.answers.get(each.key):
                self.stdout.write(each.command_line + "\n\n")


def _require_sheets(reading: ReadResult, names: list[str]) -> None:
    sheets = reading.contents.sheets
    for name in names:
        if build_sheet_key(name) not in {sheet.key for sheet in sheets if sheet.is_read}:
            listed = "; ".join(sheet.description for sheet in sheets) or "–"
            raise UnreadableFileError(
                _("it has no filled sheet “%(name)s”: %(sheets)s") % {"name": name, "sheets": listed}
            )


def _build_options(reading: ReadResult, answers: Answers, options: dict[str, Any]) -> ImportOptions:
    return build_options(
        reading,
        *(options["source"], reading.conference.acronym, reading.conference.title),
        area=options["area"],
        default_area=options["area_otherwise"],
        draft=options["draft"],
        withdraw_missing=options["withdraw_missing"],
        overwrite=options["overwrite"],
        instant=options["instant"],
        answers=answers,
    )
