"""Parses the parts of a workbook, and refuses those that would take far more memory or time than usual."""

import zipfile
from collections.abc import Callable, Mapping
from xml.parsers import expat

from django.conf import settings
from django.utils.translation import gettext as _

from programme.exchange.time_limit import check_time
from programme.exchange.values import UnreadableFileError

# How much larger than the file its unpacked content may be: ten times what spreadsheet programs reach.
_LARGEST_RATIO = 200
_BLOCK = 65_536
# A filled cell has a value, or a text of its own.
FILLED, OWN_TEXT, SHARED_STRING = "v", "is", "si"

# What is done where an element begins and where it ends, by its local name, and with text.
Starts = Mapping[str, Callable[[dict[str, str]], None]]
Ends = Mapping[str, Callable[[], object]]


def refuse_size(archive: zipfile.ZipFile, packed: int) -> None:
    """Compare the size that an archive declares; no more than that is ever unpacked."""
    unpacked = sum(entry.file_size for entry in archive.infolist())
    if unpacked > min(settings.IMPORT_UNPACKED_MB * 1_000_000, _LARGEST_RATIO * packed):
        message = _(
            "it would be far too large unpacked: more than %(most)s MB, or than 200 times its own size"
        )
        raise UnreadableFileError(message % {"most": settings.IMPORT_UNPACKED_MB})


def parse_part(
    archive: zipfile.ZipFile, name: str, starts: Starts, ends: Ends, text: Callable[[str], None]
) -> None:
    """Parse a part block by block."""

    def start(name: str, attributes: dict[str, str]) -> None:
        if handle := starts.get(name[name.rfind(":") + 1 :]):
            handle(attributes)

    def end(name: str) -> None:
        if handle := ends.get(name[name.rfind(":") + 1 :]):
            handle()

    def refuse_doctype(*_declared: object) -> None:
        raise UnreadableFileError(_("it is no spreadsheet that can be read: save it again as XLSX"))

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse_doctype
    with archive.open(name) as file:
        while block := file.read(_BLOCK):
            check_time()
            parser.Parse(block)
    parser.Parse(b"", True)


class ElementCounter:
    """Counts the elements of a workbook, and stops at the first above a limit of the settings."""

    def __init__(self) -> None:
        self.limits = {
            FILLED: settings.IMPORT_CELLS,
            OWN_TEXT: settings.IMPORT_CELLS,
            SHARED_STRING: settings.IMPORT_SHARED_STRINGS,
        }
        self.left = dict(self.limits)

    def count(self, name: str) -> None:
        self.left[name] -= 1
        if self.left[name] < 0:
            raise UnreadableFileError(describe_limit(name, self.limits[name]))


def describe_limit(name: str, most: int) -> str:
    message = _("it has more than %(most)s filled cells: delete the columns that are not needed")
    if name == SHARED_STRING:
        message = _(
            "it has more than %(most)s different texts: copy the rows you need into a new spreadsheet"
        )
    return message % {"most": most}
