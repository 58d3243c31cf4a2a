"""Storage of uploaded files, which the web server's group reads."""

from pathlib import Path
from typing import Any

from django.core.files.storage import FileSystemStorage

from festival.data_files import share_folder


class MediaStorage(FileSystemStorage):
    """Django's storage, in folders whose files all belong to the group of MEDIA_ROOT.

    Django would use `chmod`, which takes the inherited group from a user who is not in it.
    """

    def save(self, name: str | None, content: Any, max_length: int | None = None) -> str:
        share_folder(Path(self.path(name or content.name)).parent)
        return super().save(name, content, max_length)
