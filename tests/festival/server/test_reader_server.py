"""The server's workers in a reload, and the private parts of granian that `Server` overrides or sets."""

import inspect
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from granian.constants import Interfaces
from granian.net import SocketHolder
from granian.server.mp import MPServer, WorkerProcess

from festival.server import reader_server
from festival.server.reader_server import Server, ThreadAdviceFilter
from tests.failures.processes import ROOT, free_port, is_running, start
from tests.failures.wait import wait_until

RUNTIME = Path(__file__).parents[3] / "requirements" / "runtime.lock"
CHANGED = "granian has changed: read festival/server/reader_server.py beside granian/server/, and adapt both it and this test"


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        (MPServer._init_shared_socket, ["self"]),
        (MPServer._drop_shared_socket, ["self"]),
        (MPServer._spawn_worker, ["self", "idx", "target", "callback_loader"]),
        (MPServer._respawn_workers, ["self", "workers", "spawn_target", "target_loader", "delay"]),
    ],
)
def test_overridden_methods_take_these_arguments(method: Callable[..., Any], parameters: list[str]) -> None:
    assert list(inspect.signature(method).parameters) == parameters, CHANGED


@pytest.mark.parametrize(
    ("method", "names"),
    [
        # A worker serves on the socket that it is given here.
        (MPServer._spawn_worker, {"_ssp", "_shd", "_sso"}),
        # A replacement is spawned and started before the old worker is terminated and joined.
        (MPServer._respawn_workers, {"wrks", "_spawn_worker", "start", "terminate", "join"}),
        (MPServer.startup, {"_init_shared_socket", "_spawn_workers"}),
        (MPServer.shutdown, {"_drop_shared_socket", "_stop_workers"}),
        (MPServer._reload, {"_respawn_workers", "respawn_interval"}),
        (MPServer.signal_handler_interrupt, {"interrupt_signal"}),
        (WorkerProcess._spawn, {"inner", "Process"}),
        # A thread of each worker waits for its end.
        (WorkerProcess._watch, {"_watcher", "Thread"}),
        (WorkerProcess._watcher, {"inner", "join", "interrupt_by_parent", "interrupt_children"}),
    ],
)
def test_methods_use_these_attributes(method: Callable[..., Any], names: set[str]) -> None:
    assert names - set(method.__code__.co_names) == set(), CHANGED


def test_a_worker_is_given_its_socket() -> None:
    server = Server("no:application", port=0, interface=Interfaces.WSGI, workers=2)
    server._init_shared_socket()
    try:
        workers = [server._spawn_worker(number, lambda *_: None, None) for number in range(server.workers)]
        (ignored, holder), socket = workers[1].inner._args[3]
        assert (ignored, socket) == (None, server._listening[1]), CHANGED
        assert isinstance(holder, SocketHolder), CHANGED
        assert holder.get_fd() == server._listening[1].fileno(), CHANGED
    finally:
        server._drop_shared_socket()


def test_the_version_is_the_pinned_one() -> None:
    assert f"granian=={version('granian')} " in RUNTIME.read_text()


@pytest.mark.parametrize(
    ("message", "is_logged"), [("Configuration allows spawning up to 12", False), ("x", True)]
)
def test_the_advice_to_have_fewer_threads_is_left_out(message: str, is_logged: bool) -> None:
    record = logging.LogRecord("_granian", logging.WARNING, "", 0, message, (), None)
    assert ThreadAdviceFilter().filter(record) is is_logged


# --- A reload -----------------------------------------------------------------------------------


class SlowServer:
    """A server with one worker, whose application is loaded while a file exists."""

    def __init__(self, folder: Path) -> None:
        self.may_load, self.log, self.port = folder / "may-load", folder / "log", free_port()
        command = [sys.executable, "-m", "tests.festival.server.slow_application", "--host=127.0.0.1"]
        with self.log.open("wb") as log:
            self.process = start(
                [*command, f"--port={self.port}", "--workers=1", "--threads=1"],
                cwd=ROOT,
                env=os.environ | {"MAY_LOAD": str(self.may_load)},
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def ask(self) -> int:
        """Return the process ID of the worker that answers; 0 if none does."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", "/")
            return int(connection.getresponse().read())
        except ConnectionError:
            return 0
        finally:
            connection.close()

    def has_logged(self, text: str) -> bool:
        return text in self.log.read_text()


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[SlowServer]:
    server = SlowServer(tmp_path)
    yield server
    server.process.kill()
    server.process.wait()


def test_an_old_worker_answers_until_its_replacement_has_loaded(slow: SlowServer) -> None:
    slow.may_load.touch()
    old = wait_until("the worker answers", slow.ask)
    slow.may_load.unlink()
    slow.process.send_signal(signal.SIGHUP)
    # Where granian would let it end.
    wait_until("the interval is over", lambda: slow.has_logged("Stopping old worker-1"))
    assert {slow.ask() for _ in range(20)} == {old}
    slow.may_load.touch()
    wait_until("the old worker has ended", lambda: not is_running(old))
    assert slow.ask() not in {0, old}


class Steps:
    """What a main process does with an old worker, and when its replacement has loaded: never, or then."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, loads_after: float) -> None:
        self.seconds, self.loads_after, self.terminated_at = 0.0, loads_after, -1.0
        monkeypatch.setattr(reader_server, "time", SimpleNamespace(monotonic=lambda: self.seconds))
        self.server = Server("no:application", port=0, interface=Interfaces.WSGI)
        self.server._loaded = {0: SimpleNamespace(wait=self.wait)}  # type: ignore[dict-item]
        self.replacement = SimpleNamespace(is_alive=lambda: True)
        self.server.wrks = [SimpleNamespace(inner=self.replacement)]  # type: ignore[list-item]
        self.at: dict[float, Callable[[], object]] = {}

    def wait(self, seconds: float) -> bool:
        self.seconds = round(self.seconds + seconds, 6)
        self.at.get(self.seconds, lambda: None)()
        return self.seconds >= self.loads_after

    def terminate(self) -> float:
        """Return after how many seconds the old worker is terminated."""
        old = SimpleNamespace(idx=0, inner=SimpleNamespace(terminate=self._terminate))
        self.server._terminate_replaced(old)  # type: ignore[arg-type]
        return self.terminated_at

    def _terminate(self) -> None:
        self.terminated_at = self.seconds


NEVER = float("inf")


@pytest.mark.parametrize(("loads_after", "expected"), [(0.1, 0.1), (18, 18), (NEVER, 60)])
def test_an_old_worker_waits_for_its_replacement_for_a_minute(
    loads_after: float, expected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Steps(monkeypatch, loads_after).terminate() == expected


def test_an_old_worker_waits_no_longer_for_a_replacement_that_has_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = Steps(monkeypatch, NEVER)
    steps.replacement.is_alive = lambda: steps.seconds < 7
    assert steps.terminate() == 7


def test_an_old_worker_waits_no_longer_when_the_server_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, NEVER)
    steps.at[7.0] = steps.server.signal_handler_interrupt
    assert steps.terminate() == 7
