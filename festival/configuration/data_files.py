"""Who may read what the service stores: its user, and the web server's group for `media/` and `static/`."""

import os
import pwd
import stat
from collections.abc import Iterable, Iterator
from glob import escape
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from festival.configuration.database_settings import SQLITE

# For all that is created without a mode of its own.
UMASK = 0o077
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
SHARED_FILE, SHARED_FOLDER = 0o640, 0o2750
# The web server's group may pass through DATA_DIR; what is created there inherits that group.
DATA_FOLDER = 0o2710

# What the service stores in DATA_DIR, as patterns; anything else there is left alone.
PRIVATE = (
    *("secret-key", "*.sqlite3*", "*.kept*", "*.lock", "swept", "alerts.json", "check.json"),
    *("backups", "imports", "logs", "metrics", "run"),
)

CANNOT_CREATE = (
    "the folder {folder} (DATA_DIR) cannot be created ({reason}). Create it as root, for the service's user:"
    " `install -d -o festival -g www-data -m 2710 {folder}`"
)
OTHERS_FOLDER = (
    "{folder} belongs to {owner}, and what root creates there the service could not read."
    " Run the command as that user: `sudo -u {owner} …`."
)


class Excess(NamedTuple):
    """A file or folder whose mode gives users more or less than they need, and the mode that does not."""

    path: Path
    found: int
    mode: int


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


def tighten(excesses: Iterable[Excess]) -> tuple[list[Path], list[Path]]:
    """Set the right modes; return what has it now, and what belongs to another user and was left."""
    done, left = [], []
    for path, _found, mode in excesses:
        try:
            path.chmod(mode)
        except OSError:
            left.append(path)
        else:
            done.append(path)
    return done, left


def find_excesses() -> Iterator[Excess]:
    """Find wrong modes of what the service stores, wherever the settings put it."""
    data, shared = Path(settings.DATA_DIR), {Path(settings.MEDIA_ROOT), Path(settings.STATIC_ROOT)}
    private = {path for pattern in PRIVATE for path in data.glob(pattern)}
    # A folder with other things in it, such as /var/lib by mistake, is not the service's own.
    if private | shared >= set(data.iterdir()):
        yield from _find(data, PRIVATE_FILE, DATA_FOLDER)
    for path in private | _find_files_elsewhere():
        yield from _find_below(path, PRIVATE_FILE, PRIVATE_FOLDER)
    for path in shared:
        yield from _find_below(path, SHARED_FILE, SHARED_FOLDER)


def _find_files_elsewhere() -> set[Path]:
    """Return the database's files, if it is SQLite, and those of the kept programme."""
    database = settings.DATABASES["default"]
    names = [database["NAME"]] if database["ENGINE"] == SQLITE else []
    return {
        path
        for name in (*names, settings.KEPT_PROGRAMME)
        if name
        for path in Path(name).parent.glob(f"{escape(Path(name).name)}*")
    }


def _find_below(path: Path, file: int, folder: int) -> Iterator[Excess]:
    yield from _find(path, file, folder)
    for parent, folders, files in os.walk(path):
        for name in (*folders, *files):
            yield from _find(Path(parent, name), file, folder)


def _find(path: Path, file: int, folder: int) -> Iterator[Excess]:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if stat.S_ISREG(found.st_mode) and stat.S_IMODE(found.st_mode) != file:
        yield Excess(path, stat.S_IMODE(found.st_mode), file)
    if stat.S_ISDIR(found.st_mode):
        # The set-group-ID bit stays where it is, and is missed only where this user may set it.
        may_set = os.geteuid() == 0 or found.st_gid in {os.getegid(), *os.getgroups()}
        mode = folder | found.st_mode & stat.S_ISGID
        missed = stat.S_IMODE(found.st_mode) ^ mode
        if missed & ~(0 if may_set else stat.S_ISGID):
            yield Excess(path, stat.S_IMODE(found.st_mode), mode)
