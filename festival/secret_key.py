"""The secret key of an installation that was not given one: made once and kept in a file."""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path


def stored_secret(path: Path) -> str:
    """Return the key kept at `path`, made on first use and readable by the owner alone."""
    if not path.exists():
        _write_once(path, secrets.token_urlsafe(50))
    return path.read_text()


def _write_once(path: Path, text: str) -> None:
    # Linked when whole: of two processes that start together the second finds the first one's key.
    with tempfile.NamedTemporaryFile("w", dir=path.parent) as file:
        file.write(text)
        file.flush()
        with contextlib.suppress(FileExistsError):
            os.link(file.name, path)
