"""The files of an import: one, or several of another service that are one programme."""

from typing import Any, NamedTuple

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from programme.exchange.readers.interface.documents import pack
from programme.exchange.text.lines import truncate


class UploadedContent(NamedTuple):
    name: str
    content: bytes


def join_files(files: list[Any]) -> UploadedContent:
    """Return one file, or several packed into one."""
    if len(files) == 1:
        _refuse_size(files[0].size, settings.IMPORT_MB)
        return UploadedContent(files[0].name[-200:], files[0].read())
    _refuse_unrelated(files)
    names = ", ".join(each.name for each in files)
    content = pack({each.name: each.read() for each in files})
    _refuse_size(len(content), settings.IMPORT_MB)
    return UploadedContent(truncate(names, 200), content)


def _refuse_size(size: int, most: int) -> None:
    if size > most * 1024 * 1024:
        message = _("The file is larger than %(most)s MB: divide it into several files.")
        raise ValidationError(message % {"most": most})


def _refuse_unrelated(files: list[Any]) -> None:
    """Raise a `ValidationError` for several files that are not one programme."""
    if not any(each.name.lower().endswith(".json") for each in files):
        raise ValidationError(
            _("Import one file at a time. Only the files of another service (events.json) belong together.")
        )
    if len({each.name for each in files}) < len(files):
        raise ValidationError(_("Two of the files have the same name."))
    _refuse_size(sum(each.size for each in files), settings.IMPORT_UNPACKED_MB)


class FilesInput(forms.FileInput):
    allow_multiple_selected = True

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:  # noqa: ARG002 - Django's
        return files.getlist(name) if hasattr(files, "getlist") else files.get(name)


class FilesField(forms.FileField):
    """One file or more, as a list."""

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        files = data if isinstance(data, list) else [data]
        return [super(FilesField, self).clean(each, initial) for each in files or [None]]
