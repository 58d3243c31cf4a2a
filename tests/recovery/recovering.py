"""Backups and restores under load, and PostgreSQL brought back to a moment as docs/operating.md describes."""

import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.failures.cluster import OWNER, Cluster, as_owner
from tests.failures.processes import ROOT
from tests.failures.reading import Readers
from tests.failures.wait import wait_until
from tests.recovery.edits import Edits
from tests.recovery.releases import QUESTIONS, Place, from_sources

OPERATING = ROOT / "docs" / "operating.md"


def test_backups_are_made_and_restored_while_readers_and_editors_are_at_work(place):
    release = from_sources(ROOT)
    place.make_demo()
    with place.serve(release) as served, Readers(served.port, QUESTIONS) as readers:
        before = served.read("/api/events.bbcode")
        first = place.data / "first.tar.gz"
        assert "checked by restoring it" in place.run(release, "backup", f"--to={first}")
        with Edits(place) as edits:
            for _ in range(2):
                number = edits.number + 3
                assert "checked by restoring it" in place.run(release, "backup")
                wait_until("the editor goes on", lambda number=number: edits.number >= number)
        edits.edit(edits.number + 1)
        edited = f"{Edits.title} {edits.number + 1}".encode()
        wait_until("readers see the last edit", lambda: edited in served.read("/api/events.bbcode"))
        place.run(release, "restore", "--replace", str(first))
        wait_until("readers see what was restored", lambda: served.read("/api/events.bbcode") == before)
        readers.wait_for_reads()
    assert readers.failed == []


@pytest.fixture
def documented(cluster: Cluster, tmp_path: Path) -> Callable[[str], None]:
    """A function that runs the documented commands that contain a text, with this server's paths."""
    text = OPERATING.read_text()
    section = text[text.index("### To any moment") : text.index("## Upgrade")]
    blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    folder = cluster.directory
    paths = {
        "/var/lib/postgresql/15/main": str(folder / "data"),
        "/var/backups": str(folder),
        "/root": str(folder),
        "runuser -u postgres -- ": "",
    }

    def run(contained: str) -> None:
        (block,) = (block for block in blocks if contained in block)
        for path, own in paths.items():
            block = block.replace(path, own)
        # The server is the test's own, so it is not systemd's.
        lines = [line for line in block.splitlines() if not line.startswith("systemctl")]
        environment = {
            "PATH": f"{cluster.binaries}:{os.environ['PATH']}",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(cluster.port),
            "PGUSER": OWNER,
        }
        script = "set -e\n" + "\n".join(lines)
        subprocess.run(["bash", "-c", script], cwd=folder, env=environment, check=True, **as_owner())

    return run


def test_postgresql_is_brought_back_to_a_moment(cluster, documented, tmp_path):
    cluster.run("CREATE DATABASE festival")
    place, release = Place(cluster.url("festival"), tmp_path), from_sources(ROOT)
    place.make_demo()
    documented("archive_mode")
    cluster.stop()
    cluster.start()
    documented("pg_basebackup")
    edits = Edits(place)
    edits.edit(1)
    before = place.run(release, "export", "--format=csv")
    time.sleep(1)
    ((moment,),) = cluster.run("SELECT now()::text")
    time.sleep(1)
    cluster.run("DELETE FROM programme_occasion", "festival")
    cluster.run("SELECT pg_switch_wal()")
    archived = cluster.directory / "festival-wal"
    wait_until("the log is archived", lambda: any(archived.iterdir()))
    cluster.stop()
    text = OPERATING.read_text()
    (example,) = re.findall(r"recovery_target_time = '(.*)'", text)
    documented("recovery.signal")
    configuration = cluster.directory / "data" / "postgresql.auto.conf"
    configuration.write_text(configuration.read_text().replace(example, moment))
    cluster.start()
    wait_until("recovery has ended", lambda: cluster.run("SELECT pg_is_in_recovery()") == [(False,)])
    assert place.run(release, "export", "--format=csv") == before
