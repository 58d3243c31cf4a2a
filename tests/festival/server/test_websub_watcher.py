"""Which process watches for edits, and which threads a worker has."""

from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread, current_thread
from types import SimpleNamespace
from typing import Any

import pytest

from festival import wsgi
from festival.server import websub_watcher


def test_one_of_several_processes_watches_and_another_takes_over(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    started: Queue[str] = Queue()
    notifier = SimpleNamespace(update=lambda _programme, _instant: None)

    def start(_hub: object, _path: Path) -> Any:
        started.put(current_thread().name)
        return notifier

    monkeypatch.setattr(websub_watcher, "HubNotifier", start)
    monkeypatch.setattr(websub_watcher.current, "at", lambda _instant: SimpleNamespace(programme=None))
    monkeypatch.setattr(websub_watcher, "POLL_INTERVAL", 0.01)
    ends = {"one": Event(), "two": Event()}
    threads = [Thread(target=websub_watcher.watch, args=(end,), name=name) for name, end in ends.items()]
    for thread in threads:
        thread.start()
    first = started.get(timeout=10)
    with pytest.raises(Empty):
        started.get(timeout=0.1)
    ends.pop(first).set()
    assert started.get(timeout=10) in ends
    ends.popitem()[1].set()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize(
    ("hub", "announce", "readers_only", "started"),
    [
        ("", True, False, ["sweeping", "schedule", "cards"]),
        ("https://hub.example/", False, False, ["sweeping", "schedule", "cards"]),
        ("https://hub.example/", True, True, ["websub"]),
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
