"""How many workers a machine gets."""

import os
import sys

import pytest

from festival.server import server_options
from festival.server.server_options import recommend_workers

GB = 1_000_000_000


@pytest.mark.parametrize(
    ("processors", "memory", "expected"),
    [
        (1, 4 * GB, 2),
        (2, 4 * GB, 2),
        (4, 16 * GB, 4),
        (64, 256 * GB, 8),
        (2, GB // 10, 1),
        # One for the back office beside them.
        (8, GB, 1),
        (8, 1_100_000_000, 2),
    ],
)
def test_a_machine_gets_the_workers_that_it_has_room_for(monkeypatch, processors, memory, expected):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: range(processors))
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 1, "SC_PHYS_PAGES": memory}.get)
    assert recommend_workers() == expected


def test_a_reload_follows_the_path_of_the_command(tmp_path, monkeypatch):
    (tmp_path / "1.0.0" / "bin").mkdir(parents=True)
    (tmp_path / "1.0.0" / "bin" / "python").touch()
    (tmp_path / "festival").symlink_to("1.0.0")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "1.0.0" / "bin" / "python"))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "festival" / "bin" / "festival"), "serve"])
    assert server_options.find_python() == str(tmp_path / "festival" / "bin" / "python")
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "elsewhere" / "festival"), "serve"])
    assert server_options.find_python() == sys.executable
