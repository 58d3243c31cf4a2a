"""Static files for production: named by their content, compressed, in STATIC_ROOT."""

from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.contrib.staticfiles.management.commands import collectstatic
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

# The API's browsable pages are not served, so neither is what they are made of.
NOT_SERVED = ["rest_framework"]
MANIFEST = CompressedManifestStaticFilesStorage.manifest_name


def collect() -> None:
    """Collect all static files; those already there are not touched, as a running server gives them out."""
    root = Path(settings.STATIC_ROOT)
    with TemporaryDirectory(dir=root.parent) as folder:
        command = collectstatic.Command()
        command.storage = CompressedManifestStaticFilesStorage(folder, settings.STATIC_URL)
        call_command(command, interactive=False, verbosity=0, ignore_patterns=NOT_SERVED)
        manifest = Path(folder, MANIFEST)
        for path in filter(Path.is_file, Path(folder).rglob("*")):
            # Named by its content: whatever has the same name already is the same file.
            target = root / path.relative_to(folder)
            if path != manifest and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                path.replace(target)
        # Last, because it names the others.
        manifest.replace(root / MANIFEST)
