"""The file of a backup: a tar with the tables, the images, and at its end the manifest."""

import gzip
import hashlib
import io
import os
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import IO, Self

import msgspec

from festival.backup.manifest import FORMAT, BackupError, Manifest
from festival.backup.tables import Digest

MANIFEST = "manifest.json"
TABLES, MEDIA = "tables/", "media/"
PRIVATE = 0o600
CHUNK = 1 << 20

FOREIGN = "{path} is not a backup of this service, or only the beginning of one."
DAMAGED = "{path} is damaged: {reason}."
NEWER = "{path} was made by version {version}, whose backups this version cannot read."


class ArchiveWriter:
    """Adds members to a backup, and keeps their digests."""

    def __init__(self, file: IO[bytes]) -> None:
        self.tar = tarfile.open(fileobj=file, mode="w")  # noqa: SIM115 - closed by the manifest
        self.files: dict[str, str] = {}

    def add_table(self, table: str, lines: Iterable[bytes]) -> Digest:
        """Add the rows of a table; return their digest."""
        digest = Digest()
        with tempfile.TemporaryFile() as spool:
            with gzip.GzipFile(fileobj=spool, mode="wb", compresslevel=6, mtime=0) as packed:
                for line in lines:
                    digest.add(line)
                    packed.write(line + b"\n")
            self._add(f"{TABLES}{table}.jsonl.gz", spool)
        return digest

    def add_media(self, name: str, content: bytes) -> None:
        """Add an image by its path below MEDIA_ROOT."""
        self._add(f"{MEDIA}{name}", io.BytesIO(content))

    def close(self, manifest: Manifest) -> None:
        """Add the manifest, and end the file."""
        self._add(MANIFEST, io.BytesIO(msgspec.json.format(msgspec.json.encode(manifest), indent=1)))
        self.tar.close()

    def _add(self, name: str, file: IO[bytes]) -> None:
        member = tarfile.TarInfo(name)
        member.mode = PRIVATE
        member.size = file.seek(0, os.SEEK_END)
        file.seek(0)
        self.files[name] = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # typeshed's protocol
        file.seek(0)
        self.tar.addfile(member, file)


class Archive:
    """A backup that is read. Every method raises BackupError for a file that cannot be used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._explain(), ExitStack() as stack:
            self.tar = stack.enter_context(tarfile.open(path))
            self.members = {member.name: member for member in self.tar if member.isfile()}
            self.manifest = self._read_manifest()
            # What is open stays so until the context ends.
            stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.tar.close()

    def _read_manifest(self) -> Manifest:
        if MANIFEST not in self.members:
            raise BackupError(FOREIGN.format(path=self.path))
        content = self.read(MANIFEST)
        try:
            number, version = msgspec.json.decode(content, type=_Beginning).as_pair()
            if number != FORMAT:
                raise BackupError(NEWER.format(path=self.path, version=version))
            return msgspec.json.decode(content, type=Manifest)
        except msgspec.MsgspecError:
            raise BackupError(FOREIGN.format(path=self.path)) from None

    def read(self, name: str) -> bytes:
        with self._explain():
            file = self.tar.extractfile(self.members[name])
            assert file is not None  # noqa: S101 - a regular file, as chosen above
            return file.read()

    def check(self) -> None:
        """Raise BackupError unless every member is there and has its digest, and has a harmless name."""
        for name, digest in self.manifest.files.items():
            if name not in self.members:
                raise BackupError(DAMAGED.format(path=self.path, reason=f"{name} is missing"))
            if hashlib.sha256(self.read(name)).hexdigest() != digest:
                raise BackupError(DAMAGED.format(path=self.path, reason=f"{name} is not what was saved"))
            if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
                raise BackupError(DAMAGED.format(path=self.path, reason=f"{name} is outside its folder"))

    def read_table(self, table: str) -> Iterator[bytes]:
        """Yield the rows of a table, as `read_lines` has written them."""
        name = f"{TABLES}{table}.jsonl.gz"
        with self._explain(), gzip.open(io.BytesIO(self.read(name))) as lines:
            for line in lines:
                yield line.rstrip(b"\n")

    @property
    def media(self) -> list[str]:
        """The paths of the images below MEDIA_ROOT."""
        return [name.removeprefix(MEDIA) for name in self.manifest.files if name.startswith(MEDIA)]

    def read_media(self, name: str) -> bytes:
        return self.read(f"{MEDIA}{name}")

    @contextmanager
    def _explain(self) -> Iterator[None]:
        try:
            yield
        except tarfile.ReadError:
            raise BackupError(FOREIGN.format(path=self.path)) from None
        except (tarfile.TarError, EOFError, gzip.BadGzipFile) as error:
            raise BackupError(DAMAGED.format(path=self.path, reason=error)) from None
        except OSError as error:
            raise BackupError(f"{self.path} cannot be read: {error.strerror}.") from None


class _Beginning(msgspec.Struct):
    """What the manifest of every version has."""

    format: int
    version: str

    def as_pair(self) -> tuple[int, str]:
        return self.format, self.version
