"""The counters of all processes together never decrease, whichever of them end."""

from pathlib import Path

import pytest

from festival.counters import Counters
from festival.monitoring import process_file
from festival.monitoring.process_file import ProcessFile, Writer, read_all


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Counters:
    counters = Counters()
    monkeypatch.setattr(process_file, "counters", counters)
    monkeypatch.setattr(process_file, "read_counters", dict)
    return counters


def test_processes_are_added_up(tmp_path: Path, count: Counters) -> None:
    first, second = ProcessFile(tmp_path, "reader"), ProcessFile(tmp_path, "back office")
    count.add("imports", "done")
    for each in (first, second):
        each.write()
    totals = read_all(tmp_path)
    assert totals.counters == {("imports", "done"): 2}
    assert sorted(each.kind for each in totals.gauges) == ["back office", "reader"]


def test_an_ended_process_keeps_counting(tmp_path: Path, count: Counters) -> None:
    ended, living = ProcessFile(tmp_path, "reader"), ProcessFile(tmp_path, "reader")
    count.add("imports", "done")
    for each in (ended, living):
        each.write()
    ended.close()
    for _ in range(2):
        totals = read_all(tmp_path)
        assert (totals.counters, len(totals.gauges)) == ({("imports", "done"): 2}, 1)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(
        ["ended.json", "in-use", living.path.name, living.path.with_suffix(".lock").name]
    )


def test_a_process_is_added_once_even_if_its_file_could_not_be_removed(
    tmp_path: Path, count: Counters, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = ProcessFile(tmp_path, "reader")
    count.add("imports", "done")
    ended.write()
    ended.close()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", _refuse)
        with pytest.raises(PermissionError):
            read_all(tmp_path)
    assert read_all(tmp_path).counters == {("imports", "done"): 1}


def _refuse(*_arguments: object, **_named: object) -> None:
    raise PermissionError


@pytest.mark.parametrize("content", [b"", b"{", b'{"counters": 5}', b"\xff\xfe"])
def test_a_damaged_file_counts_nothing(tmp_path: Path, count: Counters, content: bytes) -> None:
    living = ProcessFile(tmp_path, "reader")
    living.write()
    living.path.write_bytes(content)
    (tmp_path / "ended.json").write_bytes(content)
    assert read_all(tmp_path).counters == {}


def test_a_removed_folder_is_made_again(tmp_path: Path, count: Counters, settings: object) -> None:
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    writer = Writer()
    count.add("imports", "done")
    writer.flush()
    for path in (tmp_path / "metrics").iterdir():
        path.unlink()
    (tmp_path / "metrics").rmdir()
    writer.flush()
    writer.flush()
    assert read_all(tmp_path / "metrics").counters == {("imports", "done"): 1}


def test_a_full_disk_leaves_one_file_that_is_counted_once(
    tmp_path: Path, count: Counters, settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "metrics"
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    writer = Writer()
    count.add("imports", "done")
    writer.flush()
    before = sorted(folder.iterdir())
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", _write_nothing)
        for _ in range(3):
            writer.flush()
    (new,) = {*folder.iterdir()} - {*before}
    assert new.suffix == ".new"
    assert read_all(folder).counters == {("imports", "done"): 1}
    count.add("imports", "done")
    writer.flush()
    assert read_all(folder).counters == {("imports", "done"): 2}
    assert sorted(folder.iterdir()) == before


def _write_nothing(path: Path, _content: bytes) -> None:
    path.touch()
    raise OSError(28, "No space left on device")


def test_what_ended_processes_could_not_write_is_removed(tmp_path: Path, count: Counters) -> None:
    ended = ProcessFile(tmp_path, "reader")
    ended.write()
    for path in (ended.path, tmp_path / "long-gone.json"):
        path.with_suffix(".new").touch()
    ended.close()
    read_all(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ended.json", "in-use"]


def test_a_folder_that_cannot_be_written_is_logged_once(
    tmp_path: Path, count: Counters, settings: object, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "metrics").write_text("a file")
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    writer = Writer()
    writer.flush()
    writer.flush()
    assert [each.getMessage().partition(":")[0] for each in caplog.records] == [
        "The metrics of this process cannot be written"
    ]
