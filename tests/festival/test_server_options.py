"""How many workers a machine gets."""

import os

import pytest

from festival import server_options
from festival.server_options import Machine, detect_machine, recommend_workers

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
    monkeypatch.setattr(server_options, "_GROUP", folder)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: range(4), raising=False)


def test_the_control_groups_limits_are_kept_to(tmp_path, monkeypatch):
    limits(tmp_path, monkeypatch, cpu_max="150000 100000\n", memory_max="524288000\n")
    assert detect_machine() == Machine(2, 524_288_000)


@pytest.mark.parametrize("stated", [{}, {"cpu_max": "max 100000\n", "memory_max": "max\n"}])
def test_without_limits_there_is_the_machine(tmp_path, monkeypatch, stated):
    limits(tmp_path, monkeypatch, **stated)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert detect_machine() == Machine(4, memory)
