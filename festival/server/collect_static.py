"""Collect the static files for production: hashed names, compressed, in STATIC_ROOT."""

import hashlib
import json
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.management.commands import collectstatic
from django.core.management import call_command
from django.core.management.base import CommandError

from festival.configuration.data_files import SHARED_FILE, make_folder
from festival.http.files import StaticFilesStorage

# Files of the browsable API, which is not served.
IGNORED = ["rest_framework"]
MANIFEST = StaticFilesStorage.manifest_name
# What makes files of the sources, and the name under which the manifest has a digest of these.
PACKAGES, SOURCES = ("django", "whitenoise"), "sources"


def collect() -> None:
    """Collect all static files; leave existing ones alone, because a running server serves them.

    Does nothing if the same sources were collected before, because compressing them takes seconds. Raises a
    CommandError if they cannot be written; what a running server serves is then as it was.
    """
    root, sources = Path(settings.STATIC_ROOT), _digest_sources()
    if _has_collected(root, sources):
        return
    try:
        _collect(root, sources)
    except OSError as error:
        raise CommandError(f"The static files cannot be written to {root}: {error.strerror}.") from None


def _digest_sources() -> str:
    """Return what is the same as long as the sources and the packages that collect them are."""
    digests = [f"{package} {version(package)}" for package in PACKAGES]
    for finder in get_finders():
        for path, storage in finder.list(IGNORED):
            with storage.open(path) as file:
                digests.append(f"{path} {hashlib.file_digest(file, 'sha256').hexdigest()}")
    return hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest()


def _has_collected(root: Path, sources: str) -> bool:
    try:
        manifest = json.loads((root / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return False
    return manifest.get(SOURCES) == sources and all(
        (root / each).is_file() for each in manifest["paths"].values()
    )


def _collect(root: Path, sources: str) -> None:
    with TemporaryDirectory(dir=root.parent) as folder:
        command = collectstatic.Command()
        command.storage = StaticFilesStorage(folder, settings.STATIC_URL)
        call_command(command, interactive=False, verbosity=0, ignore_patterns=IGNORED)
        manifest = Path(folder, MANIFEST)
        for path in filter(Path.is_file, Path(folder).rglob("*")):
            # The name holds a hash of the content, so an existing file of that name is the same.
            target = root / path.relative_to(folder)
            if path != manifest and not target.exists():
                make_folder(target.parent)
                # The compressed ones are written with the process's mask.
                path.chmod(SHARED_FILE)
                path.replace(target)
        # Last, because it lists the others.
        manifest.write_text(json.dumps(json.loads(manifest.read_bytes()) | {SOURCES: sources}))
        manifest.chmod(SHARED_FILE)
        manifest.replace(root / MANIFEST)
