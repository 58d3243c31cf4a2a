"""Who may read what the service stores: its user, and the web server's group for `media/` and `static/`.

Nobody else passes through DATA_DIR, so nothing below it needs a look at its mode.
"""

import os
import pwd
import stat
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

# For all that is created without a mode of its own.
UMASK = 0o077
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
SHARED_FILE, SHARED_FOLDER = 0o640, 0o2750
# The web server's group may pass through DATA_DIR; what is created there inherits that group.
DATA_FOLDER = 0o2710

CANNOT_CREATE = (
    "the folder {folder} (DATA_DIR) cannot be created ({reason}). Create it as root, for the service's user:"
    " `install -d -o festival -g www-data -m 2710 {folder}`"
)
OTHERS_FOLDER = (
    "{folder} belongs to {owner}, and what root creates there the service could not read."
    " Run the command as that user: `sudo -u {owner} …`."
)


def make_data_folder(folder: Path) -> None:
    """Create DATA_DIR if it does not exist.

    Raises ImproperlyConfigured if root would create files in another user's folder.
    """
    try:
        make_folder(folder, DATA_FOLDER)
    except OSError as error:
        raise ImproperlyConfigured(CANNOT_CREATE.format(folder=folder, reason=error.strerror)) from None
    owner = folder.stat().st_uid
    if os.geteuid() == 0 != owner:
        raise ImproperlyConfigured(OTHERS_FOLDER.format(folder=folder, owner=_name_user(owner)))


def _name_user(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"#{user}"


def make_folder(folder: Path, mode: int) -> None:
    """Create a folder with this mode, and its parents, unless it exists."""
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    # With an umask rather than by `chmod`, which would take an inherited group from a user who is not in it.
    former = os.umask(~mode & 0o777)
    try:
        folder.mkdir(exist_ok=True)
    finally:
        os.umask(former)
    if mode & ~stat.S_IMODE(folder.stat().st_mode):
        folder.chmod(mode)


def share_folder(folder: Path) -> None:
    """Create a folder that the web server reads, and its parents, unless they exist."""
    if not folder.is_dir():
        share_folder(folder.parent)
        make_folder(folder, SHARED_FOLDER)
