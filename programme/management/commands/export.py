"""Export the programme as a sheet, which the import reads back."""

import sys
from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from feeds.names import fold
from programme.exchange.exports.export import ExportError, ExportFormat
from programme.exchange.exports.registry import EXPORTS
from programme.exchange.exports.selection import select_events
from programme.models import Area


class Command(BaseCommand):
    help = "Export the programme as a sheet, XLSX or CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="Where to write it; else standard output.")
        parser.add_argument("--format", choices=[*EXPORTS], default="", help="Else by the file's ending.")
        parser.add_argument("--drafts", action="store_true", help="Drafts, too.")
        parser.add_argument("--area", default="", help="The events of this area alone.")

    def handle(self, *, file: Path | None, drafts: bool, area: str, **options: Any) -> None:
        export = EXPORTS[options["format"]] if options["format"] else _find_export(file)
        events = select_events(drafts=drafts, area=_find_area(area))
        for sentence in export.find_excess(events):
            self.stderr.write(sentence)
        try:
            blocks = export.stream(events)
            with file.open("wb") if file else nullcontext(sys.stdout.buffer) as output:
                output.writelines(blocks)
        except (ExportError, OSError) as error:
            raise CommandError(str(error)) from None


def _find_export(file: Path | None) -> ExportFormat:
    extension = file.suffix.removeprefix(".").lower() if file else ""
    for export in EXPORTS.values():
        if export.extension == extension:
            return export
    raise CommandError(_("Say the format with --format: %(formats)s.") % {"formats": ", ".join(EXPORTS)})


def _find_area(name: str) -> Area | None:
    if not name:
        return None
    key = fold(name)
    found: Area | None = (
        Area.objects.filter(name_key=key).first() or Area.objects.filter(full_name_key=key).first()
    )
    if found:
        return found
    raise CommandError(_("There is no area %(name)s.") % {"name": name})
