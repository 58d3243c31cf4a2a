"""Collect the static files for production: hashed names, compressed, in STATIC_ROOT."""

from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.contrib.staticfiles.management.commands import collectstatic
from django.core.management import call_command
from django.core.management.base import CommandError

from festival.configuration.data_files import SHARED_FILE, share_folder
from festival.http.static_storage import StaticFilesStorage

# Files of the browsable API, which is not served.
IGNORED = ["rest_framework"]
MANIFEST = StaticFilesStorage.manifest_name


def collect() -> None:
    """Collect all static files; leave existing ones alone, because a running server serves them.

    Raises a CommandError if they cannot be written; what a running server serves is then as it was.
    """
    root = Path(settings.STATIC_ROOT)
    try:
        _collect(root)
    except OSError as error:
        raise CommandError(f"The static files cannot be written to {root}: {error.strerror}.") from None


def _collect(root: Path) -> None:
    with TemporaryDirectory(dir=root.parent) as folder:
        command = collectstatic.Command()
        command.storage = StaticFilesStorage(folder, settings.STATIC_URL)
        call_command(command, interactive=False, verbosity=0, ignore_patterns=IGNORED)
        manifest = Path(folder, MANIFEST)
        for path in filter(Path.is_file, Path(folder).rglob("*")):
            # The name holds a hash of the content, so an existing file of that name is the same.
            target = root / path.relative_to(folder)
            if path != manifest and not target.exists():
                share_folder(target.parent)
                # The compressed ones are written with the process's mask.
                path.chmod(SHARED_FILE)
                path.replace(target)
        # Last, because it lists the others.
        manifest.chmod(SHARED_FILE)
        manifest.replace(root / MANIFEST)
