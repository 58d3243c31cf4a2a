"""Uploaded files are stored whole or not at all."""

import errno
import os
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.storage.filesystem import locks

from festival.http.media_storage import MediaStorage


@pytest.fixture
def storage(tmp_path: Path) -> MediaStorage:
    return MediaStorage(tmp_path)


def list_files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_stores_uploads() -> None:
    assert isinstance(default_storage, MediaStorage)


def test_a_file_gets_its_name_when_it_is_complete(storage: MediaStorage, tmp_path: Path) -> None:
    names = [storage.save("events/bild.png", ContentFile(content)) for content in (b"one", b"two")]
    assert names[0] == "events/bild.png"
    assert list_files(tmp_path) == {names[0]: b"one", names[1]: b"two"}


def test_a_name_that_is_taken_meanwhile_is_left_alone(
    storage: MediaStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bild.png").write_bytes(b"other")
    monkeypatch.setattr(storage, "is_name_available", lambda *_arguments, **_named: True)
    monkeypatch.setattr(storage, "get_available_name", lambda *_arguments, **_named: "bild_2.png")
    assert storage._save("bild.png", ContentFile(b"mine")) == "bild_2.png"
    assert list_files(tmp_path) == {"bild.png": b"other", "bild_2.png": b"mine"}


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_nothing_is_left_of_a_file_that_cannot_be_written(
    storage: MediaStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*_arguments: object) -> None:
        # Django has created the file by now, and writes to it next.
        assert list_files(tmp_path) != {}
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(locks, "lock", refuse)
    with pytest.raises(OSError) as caught:
        storage.save("events/bild.png", ContentFile(b"one"))
    assert caught.value.errno == number
    assert list_files(tmp_path) == {}
