"""How many workers a machine gets, and of which version they are."""

import os
import sys
from pathlib import Path

import pytest

from festival.server.server_options import recommend_workers, switch_version

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


def test_a_servers_version_is_that_of_its_start_or_reload(tmp_path, monkeypatch, settings):
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    link = tmp_path / "festival"
    for version in ("1.0.0", "1.1.0"):
        (tmp_path / version).mkdir()
        link.unlink(missing_ok=True)
        link.symlink_to(version)
        monkeypatch.setattr(sys, "prefix", str(link))
        assert switch_version(8000) == settings.DATA_DIR / "version-8000" / "bin" / Path(sys.executable).name
        assert (settings.DATA_DIR / "version-8000").readlink() == tmp_path / version
    # Nothing is left over, nothing is written again, and an installation without folders has no link.
    before = settings.DATA_DIR.stat().st_mtime_ns
    switch_version(8000)
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    assert switch_version(8001) == Path(sys.executable)
    assert [path.name for path in settings.DATA_DIR.iterdir()] == ["version-8000"]
    assert settings.DATA_DIR.stat().st_mtime_ns == before
