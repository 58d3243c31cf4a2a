"""How many workers a machine gets."""

import os
import sys

import pytest

from festival.server import server_options
from festival.server.server_options import Machine, detect_machine, recommend_workers

GB = 1_000_000_000


@pytest.mark.parametrize(
    ("processors", "memory", "expected"),
    [
        (1, 4 * GB, 2),
        (2, 4 * GB, 2),
        (4, 16 * GB, 4),
        (64, 256 * GB, 8),
        (4, GB // 2, 1),
        (2, GB // 10, 1),
        # One for the back office beside them.
        (8, GB, 1),
        (8, 1_100_000_000, 2),
    ],
)
def test_a_machine_gets_the_workers_that_it_has_room_for(processors, memory, expected):
    assert recommend_workers(Machine(processors, memory)) == expected


def limits(folder, monkeypatch, **limits):
    for name, text in limits.items():
        (folder / name.replace("_", ".")).write_text(text)
    (folder / "cgroup").write_text("1:name=systemd:/x\n0::/\n")
    monkeypatch.setattr(server_options, "CONTROL_GROUP", folder / "cgroup")
    monkeypatch.setattr(server_options, "LIMITS", folder)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: range(4))


def test_the_control_groups_limits_are_kept_to(tmp_path, monkeypatch):
    limits(tmp_path, monkeypatch, cpu_max="150000 100000\n", memory_max="524288000\n")
    assert detect_machine() == Machine(2, 524_288_000)


@pytest.mark.parametrize("stated", [{}, {"cpu_max": "max 100000\n", "memory_max": "max\n"}])
def test_without_limits_there_is_the_machine(tmp_path, monkeypatch, stated):
    limits(tmp_path, monkeypatch, **stated)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert detect_machine() == Machine(4, memory)


def test_a_reload_follows_the_path_of_the_command(tmp_path, monkeypatch):
    (tmp_path / "1.0.0" / "bin").mkdir(parents=True)
    (tmp_path / "1.0.0" / "bin" / "python").touch()
    (tmp_path / "festival").symlink_to("1.0.0")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "1.0.0" / "bin" / "python"))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "festival" / "bin" / "festival"), "serve"])
    assert server_options.find_python() == str(tmp_path / "festival" / "bin" / "python")
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "elsewhere" / "festival"), "serve"])
    assert server_options.find_python() == sys.executable


def test_only_packages_in_a_checkout_are_named_to_python(tmp_path):
    initial = {"PYTHONPATH": "/more"}
    assert server_options.build_environment(initial, tmp_path)["PYTHONPATH"] == f"{tmp_path}:/more"
    assert server_options.build_environment(initial, None)["PYTHONPATH"] == "/more"
