"""The secret key of an installation that has not set one: generated once and stored in a file."""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path


def read_or_create_secret_key(path: Path) -> str:
    """Return the key in the file `path`, which is created on first use, readable only by its owner."""
    if not path.exists():
        _write_once(path, secrets.token_urlsafe(50))
    return path.read_text()


def _write_once(path: Path, text: str) -> None:
    # A hard link to the complete file: if two processes start together, the second uses the first one's key.
    with tempfile.NamedTemporaryFile("w", dir=path.parent) as file:
        file.write(text)
        file.flush()
        with contextlib.suppress(FileExistsError):
            os.link(file.name, path)
