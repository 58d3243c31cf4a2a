"""The folders of the service, and the modes of its files: for its user, and some for the web server's group.

No other user can enter DATA_DIR, so modes below it need no check. With UMASK, as in the unit file, only
`media/` and `static/` are for the group, too.
"""

import contextlib
import os
import secrets
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.core.exceptions import ImproperlyConfigured

# The folder that holds the packages: a checkout, or site-packages.
PACKAGES = Path(__file__).resolve().parents[2]
# The folder of the package for the folders that a checkout has outside it (pyproject.toml).
RESOURCES = "festival/resources"

# For files that are created without a mode.
UMASK = 0o077
PRIVATE_FOLDER, SHARED_FOLDER, SHARED_FILE = 0o700, 0o750, 0o640
# The web server's group may enter DATA_DIR; new files there inherit the group.
DATA_FOLDER = 0o2710

OTHERS_FOLDER = (
    "{folder} belongs to {owner}, and what root creates there the service could not read."
    " Run the command as that user: `sudo -u {owner} …`."
)


def is_checkout(packages: Path = PACKAGES) -> bool:
    """Return whether the packages are a checkout rather than an installation."""
    return (packages / "manage.py").is_file()


def find_folder(name: str, packages: Path = PACKAGES) -> Path:
    """Return a folder of the repository, such as `docs/handbook`, in a checkout or an installation."""
    return packages / name if is_checkout(packages) else packages / RESOURCES / name


def default_data_dir(packages: Path = PACKAGES) -> Path:
    """Return the default of DATA_DIR, which is never inside site-packages."""
    return packages / "var" if is_checkout(packages) else Path("/var/lib/festival")


def make_data_folder(folder: Path) -> None:
    """Create DATA_DIR if it does not exist; refuse root, whose files the service could not read."""
    if not folder.is_dir():
        make_folder(folder)
        folder.chmod(DATA_FOLDER)
    if os.geteuid() == 0 != folder.stat().st_uid:
        raise ImproperlyConfigured(OTHERS_FOLDER.format(folder=folder, owner=folder.owner()))


def make_folder(folder: Path, mode: int = SHARED_FOLDER) -> None:
    """Create a folder with this mode, and its parents, unless it exists.

    By an umask instead of `chmod`, which removes an inherited group if the user is not in it.
    """
    former = os.umask(~mode & 0o777)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    finally:
        os.umask(former)


def read_or_create_secret_key(path: Path) -> str:
    """Return the key in the file `path`, which is created on first use, readable only by its owner."""
    if not path.exists():
        # By a hard link to the complete file, so that of two processes the second uses the first one's key.
        with NamedTemporaryFile("w", dir=path.parent) as file:
            file.write(secrets.token_urlsafe(50))
            file.flush()
            with contextlib.suppress(FileExistsError):
                os.link(file.name, path)
    return path.read_text()
