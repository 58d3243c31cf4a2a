"""Which process watches for edits, and which threads a worker has."""

from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from festival import wsgi
from festival.server import websub_watcher


def test_one_of_several_processes_watches_and_another_takes_over(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(websub_watcher, "LOCK_INTERVAL", 0.01)
    started: list[Event] = []

    def watch_until(stop: Event) -> None:
        started.append(stop)
        stop.wait()

    monkeypatch.setattr(websub_watcher, "_notify_of_edits", watch_until)
    ends = [Event(), Event(), Event()]
    threads = [Thread(target=websub_watcher.watch, args=(end,)) for end in ends]
    for thread in threads:
        thread.start()
    for count in (1, 2, 3):
        while len(started) < count:
            Event().wait(0.01)
        # The others keep trying.
        Event().wait(0.1)
        assert len(started) == count
        started[-1].set()
    for thread in threads:
        thread.join()
    assert set(started) == set(ends)


@pytest.mark.parametrize(
    ("hub", "announce", "readers_only", "started"),
    [
        ("", True, False, ["metrics", "sweeping"]),
        ("https://hub.example/", False, False, ["metrics", "sweeping"]),
        ("https://hub.example/", True, True, ["metrics", "websub"]),
    ],
)
def test_a_worker_starts_the_threads_that_it_should(  # noqa: PLR0917 - the table's columns
    settings: Any, monkeypatch: pytest.MonkeyPatch, hub: str, announce: bool, readers_only: bool, started: Any
) -> None:
    settings.WEBSUB_HUB, settings.WEBSUB_ANNOUNCE, settings.READERS_ONLY = hub, announce, readers_only
    found: list[str] = []
    monkeypatch.setattr(wsgi.threads, "start", lambda name, _run: found.append(name))
    monkeypatch.setattr(wsgi.renewal, "start", lambda _warm_up: None)
    monkeypatch.setattr(wsgi.gc, "set_threshold", lambda *_thresholds: None)
    wsgi.start_worker()
    assert found == started
