"""The private parts of granian that `festival.server.reader_server.Server` overrides or sets."""

import inspect
import logging
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from granian.constants import Interfaces
from granian.net import SocketHolder
from granian.server.mp import MPServer, WorkerProcess

from festival.server.reader_server import Server, ThreadAdviceFilter

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
