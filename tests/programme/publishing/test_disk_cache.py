"""The programme on disk: what was written is read back, and what cannot be trusted is refused."""

import logging
import os
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feeds.programme import Programme
from feeds.vocabulary import Revision
from programme.publishing import disk_cache, loading
from programme.publishing.current import Current
from tests.conftest import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def path(tmp_path: Path, settings: Any) -> Path:
    settings.KEPT_PROGRAMME = str(tmp_path / "programme.kept")
    return tmp_path / "programme.kept"


@pytest.fixture
def programme(sample: None) -> Programme:
    return loading.load()


def shift_revision(programme: Programme, seconds: float) -> Programme:
    revision = programme.revision
    later = Revision(revision.number, revision.moved_at + timedelta(seconds=seconds))
    return msgspec.structs.replace(programme, revision=later)


def wait_for(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_stored_programme_is_the_loaded_one_and_its_shared_values_stay_shared(programme, path):
    disk_cache.write(programme, path)
    read = disk_cache.load()
    assert read == programme
    assert read.by_event[7001][0].event is read.by_event[7001][1].event


def test_there_is_no_programme_without_a_file(programme, path):
    assert (disk_cache.is_there(), disk_cache.load()) == (False, None)
    disk_cache.write(programme, path)
    assert disk_cache.is_there()


def test_another_programme_replaces_it_and_the_same_one_is_not_written_twice(programme, path):
    disk_cache.write(shift_revision(programme, 5), path)
    disk_cache.write(programme, path)
    assert disk_cache.load() == programme
    written = path.stat()
    disk_cache.write(programme, path)
    # Not all of stat(): the file is read for the comparison.
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (written.st_ino, written.st_mtime_ns)


def _changed(content: bytes) -> bytes:
    return content[:-10] + bytes([content[-10] ^ 1]) + content[-9:]


@pytest.mark.parametrize(
    "damage",
    [lambda it: it[: len(it) // 2], _changed, lambda _: b"", lambda _: b"x" * 31, lambda _: bytes(5_000)],
)
def test_a_damaged_file_is_refused_and_replaced(programme, path, caplog, damage):
    disk_cache.write(programme, path)
    path.write_bytes(damage(path.read_bytes()))
    assert disk_cache.load() is None
    assert "damaged" in caplog.text
    disk_cache.write(programme, path)
    assert disk_cache.load() == programme


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("BASE_URL", "https://other.example"), ("MEDIA_URL", "/pictures/")),
        *(("SECRET_KEY", "another"), ("FESTIVAL_DAY_FIRST_HOUR", 5)),
    ],
)
def test_a_file_of_other_settings_is_refused(programme, path, settings, name, value):
    disk_cache.write(programme, path)
    setattr(settings, name, value)
    assert disk_cache.load() is None


def test_a_file_of_another_version_is_refused(programme, path, monkeypatch):
    disk_cache.write(programme, path)
    monkeypatch.setattr(disk_cache, "_VERSION", "another")
    assert disk_cache.load() is None


def test_an_unreadable_file_counts_as_missing(path):
    path.mkdir()
    assert disk_cache.load() is None


def test_a_loaded_programme_is_written_in_the_background(sample, path, monkeypatch):
    monkeypatch.setattr(disk_cache, "writer", disk_cache.DiskCacheWriter())
    monkeypatch.setattr(disk_cache, "WRITE_INTERVAL", 0)
    snapshot = Current().at(NOW)
    wait_for(path.exists)
    assert disk_cache.load() == snapshot.programme


def test_the_writer_continues_after_a_full_disk(programme, path, monkeypatch, caplog):
    monkeypatch.setattr(disk_cache, "WRITE_INTERVAL", 0)
    writer, fsync = disk_cache.DiskCacheWriter(), os.fsync

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    writer.write_soon(programme)
    wait_for(lambda: "cannot be written" in caplog.text)
    assert not path.exists()
    monkeypatch.setattr(os, "fsync", fsync)
    writer.write_soon(programme)
    wait_for(path.exists)


def test_a_start_without_the_database_answers_from_disk(programme, path, break_down, caplog):
    break_down()
    disk_cache.write(programme, path)
    assert Current().at(NOW).programme == programme
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "connection refused" in caplog.text


def test_the_stored_programme_is_used_until_the_database_answers(programme, path, break_down, monkeypatch):
    disk_cache.write(shift_revision(programme, -60), path)
    started = Current()
    break_down()
    assert started.at(NOW).programme.revision != programme.revision
    monkeypatch.undo()
    assert started.at(NOW).programme == programme
