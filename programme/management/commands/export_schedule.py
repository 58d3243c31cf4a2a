"""Export the programme as a calendar or a schedule, which the import takes back."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from feeds.names import fold
from feeds.vocabulary import LanguageCode
from programme.exchange.exports.registry import EXPORTS
from programme.exchange.exports.selection import ExportOptions
from programme.exchange.exports.sheet import TooLongError
from programme.models import Area


class Command(BaseCommand):
    help = "Export the programme as a file: a sheet, a calendar or a schedule."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="Where to write it; else standard output.")
        parser.add_argument("--format", choices=[*EXPORTS], default="", help="Else the file's ending tells.")
        parser.add_argument("--drafts", action="store_true", help="Drafts, too.")
        parser.add_argument("--area", default="", help="The events of this area alone.")
        parser.add_argument("--language", choices=["sv", "en"], default="sv", help="The language of texts.")

    def handle(
        self, *, file: Path | None, drafts: bool, area: str, language: LanguageCode, **options: Any
    ) -> None:
        export = EXPORTS[options["format"] or _format(file)]
        try:
            content = export.write(ExportOptions(drafts, _area(area), language))
        except TooLongError as error:
            raise CommandError(
                _("“%(event)s” has a text that is too long for a cell of a workbook: export as CSV.")
                % {"event": error.event}
            ) from None
        if file is None:
            sys.stdout.buffer.write(content)
            return
        try:
            file.write_bytes(content)
        except OSError as error:
            raise CommandError(str(error)) from None


def _format(file: Path | None) -> str:
    ending = file.suffix.removeprefix(".").lower() if file else ""
    for name, export in EXPORTS.items():
        if export.ending == ending:
            return name
    raise CommandError(_("Say the format with --format: %(formats)s.") % {"formats": ", ".join(EXPORTS)})


def _area(name: str) -> Area | None:
    if not name:
        return None
    key = fold(name)
    area = Area.objects.filter(name_key=key).first() or Area.objects.filter(full_name_key=key).first()
    if area is None:
        raise CommandError(_("There is no area %(name)s.") % {"name": name})
    return area
