"""Files that are no backup, or none any more, are refused with a sentence."""

import io
import tarfile
from pathlib import Path

import msgspec
import pytest

from festival.backup.archive import BackupError, read_manifest
from festival.backup.creating import create_backup
from tests.conftest import NOW

pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture
def backup(filled: Path, tmp_path: Path) -> Path:
    create_backup(tmp_path / "backup.tar", NOW)
    return tmp_path / "backup.tar"


def refusal(path: Path) -> str:
    with pytest.raises(BackupError) as error:
        read_manifest(path)
    return str(error.value).replace(str(path), "X")


NOT_ONE = "X is not a backup of this service, or only the beginning of one."


def test_a_file_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8" * 1000)
    assert refusal(tmp_path / "photo.jpg") == NOT_ONE
    (tmp_path / "empty").touch()
    assert refusal(tmp_path / "empty") == NOT_ONE
    with tarfile.open(tmp_path / "other.tar", "w") as tar:
        tar.add(tmp_path / "photo.jpg", "manifest.json")
    assert refusal(tmp_path / "other.tar") == NOT_ONE


def test_no_file(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none") == "X cannot be read: No such file or directory."
    assert refusal(tmp_path) == "X cannot be read: Is a directory."


@pytest.mark.parametrize("share", [0.01, 0.3, 0.6, 1.0])
def test_a_backup_that_is_cut_off(backup: Path, share: float) -> None:
    with tarfile.open(backup) as tar:
        last = tar.getmember("manifest.json")
    end = last.offset_data + last.size - 1
    backup.write_bytes(backup.read_bytes()[: int(end * share)])
    assert refusal(backup) == NOT_ONE


def test_a_backup_of_which_one_byte_is_another(backup: Path) -> None:
    with tarfile.open(backup) as tar:
        member = tar.getmember("media/events/jazz.jpg")
    content = bytearray(backup.read_bytes())
    content[member.offset_data] ^= 1
    backup.write_bytes(content)
    assert refusal(backup) == "X is damaged: media/events/jazz.jpg is not what was saved."


def rewrite(backup: Path, **values: object) -> None:
    """Change values of the manifest."""
    with tarfile.open(backup) as tar:
        members = [(member, tar.extractfile(member).read()) for member in tar]
    with tarfile.open(backup, "w") as tar:
        for member, content in members:
            written = content
            if member.name == "manifest.json":
                written = msgspec.json.encode(msgspec.json.decode(content) | values)
            copy = tarfile.TarInfo(member.name)
            copy.size = len(written)
            tar.addfile(copy, io.BytesIO(written))


@pytest.mark.parametrize("number", [1, 3])
def test_a_backup_of_another_format(backup: Path, number: int) -> None:
    rewrite(backup, format=number, version="9.0.0")
    assert refusal(backup) == "X was made by version 9.0.0, whose backups this version cannot read."


def test_a_backup_that_lacks_a_member(backup: Path) -> None:
    rewrite(backup, files={"media/events/gone.jpg": "00"})
    assert refusal(backup) == "X is damaged: media/events/gone.jpg is not what was saved."
