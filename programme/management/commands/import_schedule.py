"""Import a spreadsheet, or a published schedule in the frab format (CCC, FOSDEM, pretalx, EMF)."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Literal

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from tqdm import tqdm

from feeds.festival_time import FestivalTime
from programme.exchange.merge.apply import ApplyError, apply_import
from programme.exchange.merge.areas import require_area, venue_of
from programme.exchange.merge.directory import OTHER
from programme.exchange.merge.pipeline import plan_import
from programme.exchange.merge.report import write_report
from programme.exchange.readers.fields import field_length
from programme.exchange.readers.registry import build_import_defaults, read_path
from programme.exchange.text.truncate import truncate
from programme.exchange.values import ImportOptions, ReadResult, UnreadableFileError
from programme.models import Event
from programme.models.cleaning import clean_line

_LIST_ALL = 2


class Command(BaseCommand):
    help = "Import a spreadsheet (CSV, XLSX) or a schedule in the frab format, or a newer version of one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        flag: dict[str, Any] = {"action": "store_true"}
        parser.add_argument("file", type=Path)
        parser.add_argument("--dry-run", **flag, help="Tell what would be done, and write nothing.")
        parser.add_argument("--area", default="", help="The area of all its events; else the conference.")
        parser.add_argument(
            "--area-otherwise",
            default="",
            help="The area of those of its events of which the file does not say it.",
        )
        parser.add_argument("--draft", **flag, help="Do not publish the events that are new.")
        parser.add_argument(
            "--withdraw-missing", **flag, help="Withdraw events and delete occasions that are gone from it."
        )
        parser.add_argument(
            "--overwrite", **flag, help="Overwrite what was edited here since the last import."
        )
        parser.add_argument("--source", default="", help="The schedule's name; else its acronym or title.")
        parser.add_argument(
            "--days",
            type=_days,
            default=[],
            metavar="FIRST/LAST",
            help="The festival's days: what recurs is taken on these alone. Else the days that are entered.",
        )
        parser.add_argument(
            "--language", choices=["sv", "en"], default="", help="The language of texts that state none."
        )

    def handle(
        self,
        *,
        file: Path,
        dry_run: bool,
        verbosity: int,
        language: Literal["", "sv", "en"],
        days: list[date],
        **options: Any,
    ) -> None:
        quiet = verbosity == 0

        def progress(steps: list[Any]) -> Iterable[Any]:
            # None is tqdm's word for: only on a terminal.
            return tqdm(steps, disable=quiet or None, leave=False, unit="")

        given = build_import_defaults(language, progress, days)
        try:
            reading = read_path(file, given)
            contents, order = reading.contents, _order(reading, options)
            require_area(reading, order)
        except UnreadableFileError as reason:
            raise CommandError(
                _("%(file)s is not imported: %(reason)s.") % {"file": file, "reason": reason}
            ) from None
        if dry_run:
            self.stdout.write(_("Nothing is written; this is what would be done:") + "\n\n")
            plan = plan_import(contents, order)
        else:
            try:
                plan = apply_import(contents, order, progress)
            except ApplyError as reason:
                raise CommandError(
                    _("%(file)s is not imported: %(reason)s.") % {"file": file, "reason": reason}
                ) from reason
        if not quiet:
            time = FestivalTime(settings.FESTIVAL_TIME_ZONE, settings.FESTIVAL_DAY_FIRST_HOUR)
            list_created = verbosity >= _LIST_ALL or not plan.first_time
            self.stdout.write(write_report(contents, plan, time, list_created=list_created))


def _days(text: str) -> list[date]:
    first, _slash, last = text.partition("/")
    try:
        begin, end = date.fromisoformat(first), date.fromisoformat(last or first)
    except ValueError:
        raise ArgumentTypeError("write it as 2026-07-28/2026-08-02") from None
    return [begin + timedelta(days=number) for number in range((end - begin).days + 1)]


def _order(reading: ReadResult, options: dict[str, Any]) -> ImportOptions:
    conference, contents = reading.conference, reading.contents
    names = (options["source"], conference.acronym, conference.title)
    source = next((name for text in names if (name := clean_line(text))), "")
    # A sheet of our own names everything by its identity.
    if not source and not contents.is_own_export:
        raise CommandError(_("The file does not say which conference it is of: name it with --source."))
    title = clean_line(conference.title) or source or OTHER
    return ImportOptions(
        source="" if contents.is_own_export else truncate(source, field_length(Event, "source")),
        area=clean_line(options["area"]),
        title=title,
        venue=venue_of(reading, title),
        default_area=clean_line(options["area_otherwise"]),
        draft=options["draft"],
        withdraw_missing=options["withdraw_missing"],
        overwrite=options["overwrite"],
    )
