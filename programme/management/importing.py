"""The command that imports a sheet, a calendar, a schedule, or all of another service: docs/importing.md."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.structs import replace
from tqdm import tqdm

from programme.exchange.merge.lists import import_lists
from programme.exchange.merge.options import (
    build_options,
    recall_answers,
    recall_corrections,
    was_read_otherwise,
)
from programme.exchange.merge.pipeline import ApplyError, apply_import, plan_import
from programme.exchange.merge.plan import Plan
from programme.exchange.merge.report import write_report
from programme.exchange.merge.telling import TELL
from programme.exchange.questions import Answers, NameQuestion
from programme.exchange.readers.entries import is_storable_year
from programme.exchange.readers.interface.fetching import is_address
from programme.exchange.readers.interface.lists import fetch_lists
from programme.exchange.readers.registry import build_import_defaults, read_sources
from programme.exchange.readers.sheet.grouping import EVENT, IDS, OCCASION, ROW
from programme.exchange.readers.sheet.headings import HEADINGS
from programme.exchange.readers.sheet.mapping import save_mapping
from programme.exchange.readers.sheet.years import YEAR
from programme.exchange.time_limit import TimeLimit, limit_time
from programme.exchange.values import ImportOptions, Problem, Progress, ReadResult, UnreadableFileError
from programme.exchange.workbook import NO, answer_for_names, answer_for_sheets, build_sheet_key
from programme.management.columns_file import Setup, find_columns, find_setup, list_saved, write_setup
from programme.management.editions import find_edition
from programme.models.cleaning import clean_line
from programme.models.festival_time import festival_time

_LIST_ALL = 2
_FLAGS = {
    "--dry-run": "Report what would be done, and write nothing.",
    "--draft": "Do not publish the events that are new.",
    "--withdraw-missing": "Withdraw events and delete occasions that are gone from it.",
    "--overwrite": "Overwrite what was edited here since the last import.",
    "--allow-refused": "Exit with 0 also if some of its rows cannot be read and are refused.",
    "--do-not-tell": "Mark nothing as changed, as is done with what readers knew otherwise.",
}
_TEXTS = {
    "--area": "The area of all its events; else the conference.",
    "--area-otherwise": "The area of those of its events of which the file does not say it.",
    "--source": "The schedule's name; else its acronym or title.",
}


def _parse_year(text: str) -> str:
    if not (text.isdecimal() and is_storable_year(int(text))):
        raise ArgumentTypeError("write it as 2026")
    return text


def _parse_answer(text: str) -> tuple[str, str]:
    key, _equals, value = text.partition("=")
    return key, value


def _parse_ids(text: str) -> list[int]:
    if not re.fullmatch("[0-9]{1,18}(,[0-9]{1,18})*", text):
        raise ArgumentTypeError("write them as 12,15")
    return [*dict.fromkeys(map(int, text.split(",")))]


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
_YEAR = "The year of dates without one, whatever speaks for another; over New Year, that of the first."
_COLUMNS = "What the columns are: the name of saved ones, or a file that --save-columns has written."
_SAVE = (
    "Write to this file how the file is read, or else the columns that are named or all that are saved, with"
    " the answers of --source; import nothing."
)
_EDITION = "The edition that it is of, 2026 say: dates without a year are in it. Else the current one."
_LISTS = "With the address of another service: the IDs of its lists, which it does not name, such as 12,15."
_MANY: dict[str, Any] = {"action": "append", "default": []}
_OTHERS: dict[str, dict[str, Any]] = {
    "--answer": {"type": _parse_answer, "metavar": "KEY=VALUE", "help": _ANSWER} | _MANY,
    "--edition": {"default": "", "metavar": "2026", "help": _EDITION},
    "--ids": {"choices": [EVENT, OCCASION, ROW], "help": _IDS},
    "--lists": {"type": _parse_ids, "default": [], "metavar": "ID,ID", "help": _LISTS},
    "--days": {"type": _parse_days, "default": [], "metavar": "FIRST/LAST", "help": _DAYS},
    "--sheet": {"metavar": "NAME", "help": _SHEET} | _MANY,
    "--year": {"type": _parse_year, "help": _YEAR},
    "--columns": {"default": "", "metavar": "NAME|FILE.toml", "help": _COLUMNS},
    "--save-columns": {"default": "", "metavar": "FILE.toml", "help": _SAVE},
    "--language": {"choices": ["sv", "en"], "default": "", "help": "Of texts that state none."},
}


class ImportCommand(BaseCommand):
    help = "Import a sheet (XLSX, ODS, CSV), a calendar or a schedule, or a newer version of one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("sources", nargs="*", metavar="file")
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
        if file := options["save_columns"]:
            try:
                self._save_columns(Path(file), sources, options)
            except (OSError, UnreadableFileError) as reason:
                message = _("%(file)s is not written: %(reason)s.") % {"file": file, "reason": reason}
                raise CommandError(message) from reason
            return
        if not sources:
            raise CommandError("name the file to import")
        # None makes tqdm write to terminals only.
        progress = partial(tqdm, disable=verbosity == 0 or None, leave=False, unit="")
        try:
            with limit_time(TimeLimit(settings.IMPORT_SECONDS)):
                if options["lists"] and not is_address(sources[0]):
                    raise CommandError("--lists needs the address of a service")
                reading, import_options = self._read(sources, progress, options)
                lists = fetch_lists(sources[0], options["lists"], reading.conference.title)
            contents = reading.contents
            if dry_run:
                plan = plan_import(contents, import_options)
                self._write_questions(plan)
            else:
                plan = apply_import(contents, import_options, progress)
                import_lists(lists, import_options.source, publish=not options["draft"])
                for name, mapping in self.setup.columns:
                    save_mapping(name, mapping)
        except (UnreadableFileError, ApplyError) as reason:
            message = _("%(file)s is not imported: %(reason)s.")
            raise CommandError(message % {"file": ", ".join(sources), "reason": reason}) from reason
        if verbosity:
            list_created = verbosity >= _LIST_ALL or not plan.first_time
            self.stdout.write(write_report(contents, plan, festival_time(), list_created=list_created))
        refused = [each for each in contents.problems if each.left_out]
        if refused and not options["allow_refused"]:
            raise CommandError(_describe_refused(refused))

    def _read(
        self, sources: list[str], progress: Progress, options: dict[str, Any]
    ) -> tuple[ReadResult, ImportOptions]:
        """Read the files, again if earlier imports answered or corrected otherwise what they leave open."""
        find_edition(options["edition"])
        self.setup = find_setup(options["columns"]) if options["columns"] else Setup([])
        options["source"] = options["source"] or self.setup.source
        answers = {**self.setup.answers, **_list_answers(options)}
        self.answers = answers
        known = answer_for_names(options["sheet"]) or recall_answers(options["source"])
        defaults = build_import_defaults(
            *(options["language"], progress, options["days"], {**known, **answers}, self.read_clock()),
            edition=options["edition"],
        )
        defaults = replace(defaults, columns=self.setup.mappings)
        reading = read_sources(sources, defaults)
        if options["sheet"]:
            _require_sheets(reading, options["sheet"])
            answers |= {each.key: each.answer for each in answer_for_sheets(reading.contents.sheets)}
        answers |= {TELL: NO} if options["do_not_tell"] else {}
        import_options = _build_options(reading, answers, options | {"instant": self.read_clock()})
        given = import_options.answers
        corrections = recall_corrections(import_options.source) if reading.contents.cells else []
        if corrections or was_read_otherwise(reading.contents.choices, given):
            reading = read_sources(sources, replace(defaults, answers=given, corrections=corrections))
        return reading, import_options

    def _save_columns(self, path: Path, sources: list[str], options: dict[str, Any]) -> None:
        chosen = find_setup(options["columns"]) if options["columns"] else Setup([])
        source = options["source"] or chosen.source
        answers = {**chosen.answers, **recall_answers(source), **answer_for_names(options["sheet"])}
        answers |= _list_answers(options)
        answers.pop(HEADINGS, None)
        columns = chosen.columns if options["columns"] else list_saved()
        if sources:
            defaults = build_import_defaults(options["language"], answers=answers, instant=self.read_clock())
            columns, layouts = find_columns(Path(sources[0]), replace(defaults, columns=chosen.mappings))
            answers = {**answers, **layouts}
        if not (columns or answers):
            raise UnreadableFileError(_("nothing is saved: name a file, or a source with --source"))
        path.write_text(write_setup(Setup(columns, answers, source)))

    def _write_questions(self, plan: Plan) -> None:
        """Say what nobody has answered on the command line, but for names that are new."""
        self.stdout.write(_("Nothing is written; this is what would be done:") + "\n\n")
        for each in plan.questions:
            is_new = isinstance(each, NameQuestion) and each.is_new
            if each.answer != self.answers.get(each.key) and not is_new:
                self.stdout.write(each.command_line + "\n\n")


def _list_answers(options: dict[str, Any]) -> dict[str, str]:
    stated = {IDS: options["ids"], YEAR: options["year"]}
    return dict(options["answer"]) | {key: answer for key, answer in stated.items() if answer}


def _describe_refused(problems: Sequence[Problem]) -> str:
    message = ngettext(
        "%(count)d row or entry is refused:", "%(count)d rows or entries are refused:", len(problems)
    )
    rows = (f"  {each.place}: {each.what}" for each in problems)
    return "\n".join([message % {"count": len(problems)}, *rows])


def _require_sheets(reading: ReadResult, names: list[str]) -> None:
    sheets = reading.contents.sheets
    for name in names:
        if build_sheet_key(name) not in {sheet.key for sheet in sheets if sheet.is_read}:
            listed = "; ".join(sheet.description for sheet in sheets) or "–"
            message = _("it has no filled sheet “%(name)s”: %(sheets)s")
            raise UnreadableFileError(message % {"name": name, "sheets": listed})


def _build_options(reading: ReadResult, answers: Answers, options: dict[str, Any]) -> ImportOptions:
    return build_options(
        reading,
        *(options["source"], reading.conference.acronym, reading.conference.title),
        default_area=options["area_otherwise"],
        **{name: options[name] for name in ("area", "draft", "withdraw_missing", "overwrite", "instant")},
        answers=answers,
    )
