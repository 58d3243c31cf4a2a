"""Export the programme as a sheet, which the import reads back."""

import sys
from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q
from django.utils.translation import gettext as _

from feeds.names import fold
from programme.exchange.exports.sheet import EXPORTS, ExportError, select_events
from programme.models import Area, Edition


class Command(BaseCommand):
    help = "Export the programme as a sheet, XLSX or CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="Where to write it; else standard output.")
        parser.add_argument("--format", choices=[*EXPORTS], default="", help="Else by the file's ending.")
        parser.add_argument("--drafts", action="store_true", help="Drafts, too.")
        parser.add_argument("--area", default="", help="The events of this area alone.")
        parser.add_argument("--edition", default="", help="The occasions of this edition alone, 2026 say.")

    def handle(self, *, file: Path | None, drafts: bool, area: str, **options: Any) -> None:
        name = options["format"] or (file.suffix.removeprefix(".").lower() if file else "")
        if not (export := EXPORTS.get(name)):
            formats = ", ".join(EXPORTS)
            raise CommandError(_("Say the format with --format: %(formats)s.") % {"formats": formats})
        edition = _find_edition(options["edition"])
        within = edition.occasions if edition else None
        events = select_events(drafts=drafts, area=_find_area(area), within=within)
        try:
            blocks = export.stream(events, within)
            with file.open("wb") if file else nullcontext(sys.stdout.buffer) as output:
                output.writelines(blocks)
        except (ExportError, OSError) as error:
            raise CommandError(str(error)) from None


def _find_area(name: str) -> Area | None:
    key = fold(name)
    found = Area.objects.filter(Q(name_key=key) | Q(full_name_key=key)).first() if name else None
    if name and not found:
        raise CommandError(_("There is no area %(name)s.") % {"name": name})
    return found


def _find_edition(slug: str) -> Edition | None:
    """Return the edition with this name in addresses, None without a name."""
    editions = {each.slug: each for each in Edition.objects.all()} if slug else {}
    if slug and slug not in editions:
        named = {"name": slug, "names": ", ".join(editions) or "–"}
        raise CommandError(_("There is no edition %(name)s. Available editions: %(names)s.") % named)
    return editions.get(slug)
