"""Collecting the static files for production: hashed names, compressed, in STATIC_ROOT."""

import hashlib
from importlib.metadata import version
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.management.commands import collectstatic
from django.core.management import call_command
from django.core.management.base import CommandError

from festival import __version__
from festival.configuration.data_files import SHARED_FILE, make_folder
from festival.http.files import StaticFilesStorage

# Files of the browsable API, which is not served, and unused files of Swagger UI.
IGNORED = ["rest_framework", "redoc", "oauth2*", "*-standalone-preset.*", "swagger-ui-bundle.js.*"]
# The packages that process the sources.
PACKAGES = ("django", "whitenoise")


def collect() -> None:
    """Collect all static files without changing existing ones, which a running server serves.

    Do nothing if the same sources were collected before, because compressing them takes seconds. Raise a
    CommandError if they cannot be written; existing files then remain.
    """
    root, sources = Path(settings.STATIC_ROOT), _digest_sources()
    # One for each version, so that an earlier version starts again without writing.
    collected = root / f"sources-{__version__}"
    if collected.exists() and collected.read_text() == sources:
        return
    try:
        _collect(root)
        collected.write_text(sources)
    except OSError as error:
        raise CommandError(f"The static files cannot be written to {root}: {error.strerror}.") from None


def _digest_sources() -> str:
    """Return a digest of the sources and of the versions of the packages that process them."""
    digest = hashlib.sha256(repr([version(each) for each in PACKAGES]).encode())
    for finder in get_finders():
        for path, storage in sorted(finder.list(IGNORED), key=itemgetter(0)):
            with storage.open(path) as file:
                digest.update(path.encode() + file.read())
    return digest.hexdigest()


def _collect(root: Path) -> None:
    with TemporaryDirectory(dir=root.parent) as folder:
        command = collectstatic.Command()
        command.storage = StaticFilesStorage(folder, settings.STATIC_URL)
        call_command(command, interactive=False, verbosity=0, ignore_patterns=IGNORED)
        manifest = Path(folder, StaticFilesStorage.manifest_name)
        files = [path for path in Path(folder).rglob("*") if path.is_file() and path != manifest]
        # The manifest last, because it lists the others.
        for path in (*files, manifest):
            # The name holds a hash of the content, so an existing file of that name is the same.
            target = root / path.relative_to(folder)
            if path == manifest or not target.exists():
                make_folder(target.parent)
                # The compressed ones are written with the process's mask.
                path.chmod(SHARED_FILE)
                path.replace(target)
