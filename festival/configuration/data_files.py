"""Where the service's files are, and who may read what it stores: its user, and the web server's group.

Nobody else passes through DATA_DIR, so nothing below it needs a look at its mode. UMASK does the rest, as the
unit file's does: only `media/` and `static/` are for the group, too.
"""

import contextlib
import os
import secrets
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.core.exceptions import ImproperlyConfigured

# The folder that holds the packages: a checkout, or site-packages.
PACKAGES = Path(__file__).resolve().parents[2]
# Where pyproject.toml puts, in the package, the folders that stand outside it in a checkout.
RESOURCES = "festival/resources"

# For all that is created without a mode of its own.
UMASK = 0o077
PRIVATE_FOLDER, SHARED_FOLDER, SHARED_FILE = 0o700, 0o750, 0o640
# The web server's group may pass through DATA_DIR; what is created there inherits that group.
DATA_FOLDER = 0o2710

OTHERS_FOLDER = (
    "{folder} belongs to {owner}, and what root creates there the service could not read."
    " Run the command as that user: `sudo -u {owner} …`."
)


def is_checkout(packages: Path = PACKAGES) -> bool:
    """Return whether the packages are a checkout rather than an installation."""
    return (packages / "manage.py").is_file()


def find_folder(name: str, packages: Path = PACKAGES) -> Path:
    """Return a folder of the repository, such as `docs/handbook`, wherever it is now."""
    return packages / name if is_checkout(packages) else packages / RESOURCES / name


def default_data_dir(packages: Path = PACKAGES) -> Path:
    """Return the default of DATA_DIR, which is never inside site-packages."""
    return packages / "var" if is_checkout(packages) else Path("/var/lib/festival")


def make_data_folder(folder: Path) -> None:
    """Create DATA_DIR if it does not exist; refuse root, who would write what its user could not read."""
    if not folder.is_dir():
        make_folder(folder)
        folder.chmod(DATA_FOLDER)
    if os.geteuid() == 0 != folder.stat().st_uid:
        raise ImproperlyConfigured(OTHERS_FOLDER.format(folder=folder, owner=folder.owner()))


def make_folder(folder: Path, mode: int = SHARED_FOLDER) -> None:
    """Create a folder with this mode, and its parents, unless it exists.

    With an umask rather than by `chmod`, which would take an inherited group from a user who is not in it.
    """
    former = os.umask(~mode & 0o777)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    finally:
        os.umask(former)


def read_or_create_secret_key(path: Path) -> str:
    """Return the key in the file `path`, which is created on first use, readable only by its owner."""
    if not path.exists():
        # A hard link to the complete file: if two start together, the second uses the first one's key.
        with NamedTemporaryFile("w", dir=path.parent) as file:
            file.write(secrets.token_urlsafe(50))
            file.flush()
            with contextlib.suppress(FileExistsError):
                os.link(file.name, path)
    return path.read_text()
