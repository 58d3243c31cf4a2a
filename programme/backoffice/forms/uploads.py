"""Uploaded files that cannot be written: an error stands beside their field, and nothing else is lost."""

import errno
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

logger = logging.getLogger(__name__)

NO_ROOM = _("The file was not stored: the server's disk is full. Tell the person who runs the server.")
NOT_WRITABLE = _("The file was not stored: the server may not write it. Tell the person who runs the server.")
MESSAGES = {
    errno.ENOSPC: NO_ROOM,
    errno.EDQUOT: NO_ROOM,
    errno.EROFS: NOT_WRITABLE,
    errno.EACCES: NOT_WRITABLE,
    errno.EPERM: NOT_WRITABLE,
    errno.EIO: NOT_WRITABLE,
}


class UnstoredFile(SimpleUploadedFile):
    """Stands for a file that was sent and could not be written."""

    def __init__(self, name: str, error: OSError) -> None:
        super().__init__(name, b"")
        self.message = MESSAGES[error.errno or 0]
        logger.error("The uploaded file %r was not stored: %s", name, error)


class UploadHandler(TemporaryFileUploadHandler):
    """Reads large files into a folder for temporary ones; a full one refuses the file, not the whole form."""

    error: OSError | None = None

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        self.error = None
        # That of the file before.
        vars(self).pop("file", None)
        self._attempt(lambda: super(UploadHandler, self).new_file(*args, **kwargs))

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self._attempt(lambda: super(UploadHandler, self).receive_data_chunk(raw_data, start))

    def file_complete(self, file_size: int) -> Any:
        completed = self._attempt(lambda: super(UploadHandler, self).file_complete(file_size))
        return UnstoredFile(str(self.file_name), self.error) if self.error else completed

    def _attempt(self, step: Callable[[], Any]) -> Any:
        """Do one step, unless one before has failed."""
        if self.error:
            return None
        try:
            return step()
        except OSError as error:
            if error.errno not in MESSAGES:
                raise
            self.error = error
        # What was written so far takes up room.
        with suppress(OSError):
            self.upload_interrupted()
        return None


class StoredFileField(forms.FileField):
    """A file that is refused if it could not be written."""

    def to_python(self, data: Any) -> Any:
        require_stored(data)
        return super().to_python(data)


def require_stored(data: Any) -> None:
    """Raise a ValidationError for a file that could not be written."""
    if isinstance(data, UnstoredFile):
        raise ValidationError(data.message, code="not_stored")


def save_with_files(request: HttpRequest, save: Callable[[], Any]) -> Any:
    """Return what `save` returns; if the files of a form cannot be stored, call it again without them.

    Then the form is not valid, and says so beside each file.
    """
    if not request.FILES:
        return save()
    try:
        with transaction.atomic():
            return save()
    except OSError as error:
        if error.errno not in MESSAGES:
            raise
        for name, files in list(request.FILES.lists()):
            request.FILES.setlist(name, [UnstoredFile(str(file.name), error) for file in files])
        return save()
