"""Several files as one: what an office uploads together is kept as a zip file, and may be one already."""

import io
import zipfile
from pathlib import PurePath

from django.conf import settings
from django.utils.translation import gettext as _

from programme.exchange.values import UnreadableFileError

_ZIP = b"PK\x03\x04"
# A name that every workbook has inside.
_WORKBOOK = "[Content_Types].xml"
_MOST_FILES = 100


def is_bundle(content: bytes) -> bool:
    """Return whether a content is a zip file and no workbook."""
    if not content.startswith(_ZIP):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False
    return _WORKBOOK not in names and any(PurePath(name).suffix.lower() == ".json" for name in names)


def pack(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def unpack(content: bytes) -> dict[str, bytes]:
    """Return the files of a bundle by name, without folders and what file systems add."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [each for each in archive.infolist() if _is_file(each)]
            _refuse_size(entries)
            return {each.filename: archive.read(each) for each in entries}
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError):
        raise UnreadableFileError(_("it is cut off or damaged")) from None


def _is_file(entry: zipfile.ZipInfo) -> bool:
    path = PurePath(entry.filename)
    return not (entry.is_dir() or path.name.startswith(".") or "__MACOSX" in path.parts)


def _refuse_size(entries: list[zipfile.ZipInfo]) -> None:
    """Compare the sizes that the archive declares; no more than that is ever unpacked."""
    most = settings.IMPORT_UNPACKED_MB
    if len(entries) > _MOST_FILES:
        raise UnreadableFileError(_("it holds more than %(most)s files") % {"most": _MOST_FILES})
    if sum(entry.file_size for entry in entries) > most * 1_000_000:
        raise UnreadableFileError(_("it would be too large unpacked: more than %(most)s MB") % {"most": most})
