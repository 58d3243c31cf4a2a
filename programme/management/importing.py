"""The command that imports a file as its source was read last on the page: docs/importing.md."""

from argparse import ArgumentParser
from collections.abc import Generator, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from programme.backoffice.imports.steps import limit_steps, read_as_chosen
from programme.backoffice.imports.uploads import name_counts
from programme.changes.rights import EVERY_RIGHT
from programme.changes.writing import Step
from programme.exchange.merge.options import find_source, recall_choices
from programme.exchange.merge.pipeline import ApplyError, apply_in_steps, finish, plan_import
from programme.exchange.merge.plan import PlannedImport
from programme.exchange.merge.preview import Note, build_preview
from programme.exchange.values import Contents, Problem, UnreadableFileError
from programme.models import Upload
from programme.models.cleaning import clean_line

# What was chosen of a source that the page has not read yet.
_USUAL: dict[str, Any] = {"area": "", "language": "", "draft": False, "withdraw_missing": False}


class _NotWrittenError(Exception):
    """A plan, its argument, is not carried out."""


class ImportCommand(BaseCommand):
    help = "Import a sheet (XLSX, ODS, CSV), a calendar or a schedule as the page has read its source last."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--source", type=clean_line, default="", help="Its name; else by the file's.")
        parser.add_argument(
            "--accept-suspicious",
            action="store_true",
            help="Import also what looks odd; else it ends with 3.",
        )
        parser.add_argument("--dry-run", action="store_true", help="Print what would be done; write nothing.")

    def read_clock(self) -> datetime:
        """Return the present instant, which only the project reads (festival/clock.py)."""
        raise NotImplementedError

    def handle(self, *, file: Path, source: str, verbosity: int, **chosen: Any) -> None:
        source = source or find_source(file.name)
        choices = _USUAL | recall_choices(source) | {"source": source}
        try:
            upload = Upload(name=file.name, content=file.read_bytes(), options=choices)
            contents, plan, is_written = finish(limit_steps(self._import(upload, **chosen)))
        except (OSError, UnreadableFileError, ApplyError) as reason:
            why = reason.strerror if isinstance(reason, OSError) else reason
            message = _("%(file)s is not imported: %(reason)s.")
            raise CommandError(message % {"file": file, "reason": why}) from reason
        if verbosity:
            self.stdout.write("\n".join(_report(contents, plan, is_written=is_written)))
        if plan.suspicions and not chosen["accept_suspicious"]:
            raise CommandError(_describe_odd(plan), returncode=3)
        if refused := [each for each in contents.problems if each.left_out]:
            raise CommandError(_describe_refused(refused))

    def _import(
        self, upload: Upload, *, dry_run: bool, accept_suspicious: bool, **_options: Any
    ) -> Generator[Step, None, tuple[Contents, PlannedImport, bool]]:
        """Read a file and import it, or only plan that, yielding the steps; return whether it is written."""
        instant = self.read_clock()
        reading, options = yield from read_as_chosen(upload, EVERY_RIGHT, instant)
        contents = reading.contents

        def check() -> PlannedImport:
            plan = plan_import(contents, options)
            if dry_run or (plan.suspicions and not accept_suspicious):
                raise _NotWrittenError(plan)
            return plan

        try:
            return contents, (yield from apply_in_steps(contents, options, moment=instant, check=check)), True
        except _NotWrittenError as only:
            return contents, only.args[0], False


def _report(contents: Contents, plan: PlannedImport, *, is_written: bool) -> Iterator[str]:
    """Yield the counts, the problems, and what is asked, in the words of the page's preview."""
    preview = build_preview(contents, plan)
    if not is_written:
        yield _("Nothing is written; this is what would be done:")
    yield from (f"{label}: {count}" for _kind, label, count in name_counts(preview["counts"]))
    yield from preview["remarks"]
    yield from (str(Note(**each)) for each in preview["notes"])
    for question in [*preview["questions"], *preview["names"]]:
        answers = (
            f"  {'*' if each['value'] == question['answer'] else '-'} {each['label']}"
            for each in question["choices"]
        )
        yield "\n".join([question["text"], *answers])


def _describe_odd(plan: PlannedImport) -> str:
    message = _("This looks odd, and is imported only with --accept-suspicious:")
    return "\n".join([message, *map(str, plan.suspicions)])


def _describe_refused(problems: list[Problem]) -> str:
    message = ngettext(
        "%(count)d row or entry is refused:", "%(count)d rows or entries are refused:", len(problems)
    )
    rows = (f"  {each.place}: {each.what}" for each in problems)
    return "\n".join([message % {"count": len(problems)}, *rows])
