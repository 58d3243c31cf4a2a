"""The file of a backup: a tar with the database, the images, and at its end the manifest."""

import hashlib
import io
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import msgspec
from django.conf import settings

from festival.configuration import data_files

DATABASE, MEDIA, MANIFEST = "database", "media/", "manifest.json"
FOREIGN = "{path} is not a backup of this service, or only the beginning of one."
DAMAGED = "{path} is damaged: {reason}."
OTHER = "{path} was made by version {version}, whose backups this version cannot read."
# Increased when other versions of the service cannot read a backup.
FORMAT = 2


class BackupError(Exception):
    """A backup cannot be made, read or restored; the message is a sentence for an operator."""


class ScratchError(BackupError):
    """There is nowhere to restore a backup, be it to check it."""


class Manifest(msgspec.Struct, frozen=True):
    """What the last member of a backup holds, so that a backup that is cut off has none.

    `migrations` are `app.name`, `rows` the numbers of rows by table, `revision` the programme's number then.
    `answers` are SHA-256 digests of the bodies that readers got at `made_at`, by path, under the settings
    whose digest `site` is; empty if the database was of another version. `files` are those of the members.
    """

    format: int
    version: str
    made_at: datetime
    vendor: str
    migrations: list[str]
    revision: int
    events: int
    rows: dict[str, int]
    answers: dict[str, str]
    site: str
    files: dict[str, str] = {}


def write(path: Path, database: Path, manifest: Manifest) -> Manifest:
    """Write a backup with the images that there are; return the manifest with the members' digests."""
    files: dict[str, str] = {}
    root = Path(settings.MEDIA_ROOT)
    # Cards are drawn again.
    files_below = (each for each in root.rglob("*") if each.parent.name != "cards")
    images = sorted(each for each in files_below if each.is_file() and not each.is_symlink())
    members = {DATABASE: database} | {f"{MEDIA}{each.relative_to(root).as_posix()}": each for each in images}
    with tarfile.open(path, "w") as tar:
        for name, source in members.items():
            try:
                with source.open("rb") as file:
                    files[name] = _add(tar, name, file)
            except FileNotFoundError:
                # An image that was deleted meanwhile, so no row of the backup names it.
                continue
        manifest = msgspec.structs.replace(manifest, files=files)
        _add(tar, MANIFEST, io.BytesIO(msgspec.json.format(msgspec.json.encode(manifest), indent=1)))
    return manifest


def _digest(file: IO[bytes]) -> str:
    return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # typeshed's protocol


def _add(tar: tarfile.TarFile, name: str, file: IO[bytes]) -> str:
    digest = _digest(file)
    member = tarfile.TarInfo(name)
    member.mode, member.size = 0o600, file.seek(0, os.SEEK_END)
    file.seek(0)
    tar.addfile(member, file)
    return digest


def read_manifest(path: Path) -> Manifest:
    """Return what a backup says of itself, if it is whole. Raises BackupError."""
    with _open(path) as tar:
        names = [member.name for member in tar if member.isfile()]
        if MANIFEST not in names:
            raise BackupError(FOREIGN.format(path=path))
        manifest = _decode(path, _member(tar, MANIFEST).read())
        for name, digest in manifest.files.items():
            if name not in names or _digest(_member(tar, name)) != digest:
                raise BackupError(DAMAGED.format(path=path, reason=f"{name} is not what was saved"))
    return manifest


def _decode(path: Path, content: bytes) -> Manifest:
    try:
        beginning: Any = msgspec.json.decode(content)
        if beginning["format"] != FORMAT:
            raise BackupError(OTHER.format(path=path, version=beginning["version"]))
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, KeyError, TypeError):
        raise BackupError(FOREIGN.format(path=path)) from None


def extract_database(path: Path, folder: Path) -> Path:
    """Write the database of a backup into a folder; return its file."""
    with _open(path) as tar:
        tar.extract(DATABASE, folder, filter="data")
    return folder / DATABASE


def restore_media(path: Path) -> None:
    """Write the images, each of them whole, below MEDIA_ROOT."""
    with _open(path) as tar:
        for member in tar:
            if member.name.startswith(MEDIA):
                target = Path(settings.MEDIA_ROOT, member.name.removeprefix(MEDIA))
                data_files.make_folder(target.parent)
                new = target.with_name(f".{target.name}.restored")
                new.write_bytes(_member(tar, member.name).read())
                new.chmod(data_files.SHARED_FILE)
                new.replace(target)


def _member(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    file = tar.extractfile(name)
    assert file is not None  # noqa: S101 - a regular file
    return file


@contextmanager
def _open(path: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(path) as tar:
            yield tar
    except tarfile.ReadError:
        raise BackupError(FOREIGN.format(path=path)) from None
    except (tarfile.TarError, EOFError) as error:
        raise BackupError(DAMAGED.format(path=path, reason=error)) from None
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror}.") from None
