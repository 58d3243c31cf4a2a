"""Storage of uploaded files, which the web server's group reads, and of which none is stored in part."""

from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any

from django.core.files.move import file_move_safe
from django.core.files.storage import FileSystemStorage

from festival.configuration.data_files import share_folder


class MediaStorage(FileSystemStorage):
    """Django's storage, in folders whose files all belong to the group of MEDIA_ROOT.

    Django would use `chmod`, which takes the inherited group from a user who is not in it.
    """

    def save(self, name: str | None, content: Any, max_length: int | None = None) -> str:
        share_folder(Path(self.path(name or content.name)).parent)
        return super().save(name, content, max_length)

    def _save(self, name: str, content: Any) -> str:
        """Write a file under another name, and give it its own when it is complete."""
        unfinished = f"{name}.{token_hex(8)}.part"
        try:
            super()._save(unfinished, content)  # type: ignore[misc]  # not in the stubs
        except OSError:
            with suppress(OSError):
                Path(self.path(unfinished)).unlink()
            raise
        while True:
            try:
                file_move_safe(self.path(unfinished), self.path(name))
            except FileExistsError:
                # Another request has stored a file of this name since `save` looked.
                name = self.get_available_name(name)
            else:
                return name
