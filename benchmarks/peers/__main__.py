"""Measure pretalx's exports beside ours: `python -m benchmarks.peers`.

It installs pretalx into a temporary Python environment, fills a schedule with 1,000 sessions in a temporary
database, and removes both.
"""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from benchmarks.databases import POSTGRESQL, Databases, run_step
from benchmarks.run import table

PACKAGE = "pretalx[postgres]"
DATABASE = "festival_bench_peer"
SESSIONS = 1000
# The same number of elements: an event has 1.8 occasions.
EVENTS = 556
# pretalx's exports and our counterparts; RSS has none.
EXPORTS = {"json": "json", "xml": "atom", "ics": "ics"}


def install_peer(directory: Path) -> Path:
    """Create an environment with the peer; return its Python."""
    venv.create(directory, with_pip=True)
    python = directory / "bin" / "python"
    print(f"installing {PACKAGE} …", file=sys.stderr)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE]
    if subprocess.run(pip, check=False, stdout=sys.stderr).returncode:
        sys.exit(f"{PACKAGE} cannot be installed here.")
    return python


def measure_peer(directory: Path, own: Databases) -> dict[str, Any]:
    """Return the peer's figures, by export."""
    python = install_peer(directory / "environment")
    data = directory / "data"
    data.mkdir()
    url = urlsplit(own.postgresql(DATABASE))
    environment = {
        **os.environ,
        "PRETALX_DATA_DIR": str(data),
        "PRETALX_DB_TYPE": "postgresql",
        "PRETALX_DB_NAME": DATABASE,
        "PRETALX_DB_USER": url.username or "",
        "PRETALX_DB_PASS": url.password or "",
        "PRETALX_DB_HOST": url.hostname or "",
        "PRETALX_DB_PORT": str(url.port or ""),
    }
    print(f"pretalx: {SESSIONS} sessions …", file=sys.stderr)
    script = Path(__file__).with_name("in_pretalx.py")
    command = [python, "-W", "ignore", script, str(SESSIONS)]
    ran = subprocess.run(
        command, cwd=directory, env=environment, check=True, text=True, stdout=subprocess.PIPE
    )
    return json.loads(ran.stdout.splitlines()[-1])


def main() -> None:
    with Databases() as own, TemporaryDirectory() as directory:
        peer = measure_peer(Path(directory), own)
        ours = json.loads(run_step(own.environment(POSTGRESQL, EVENTS), "exports"))
    rows = []
    for export, extension in EXPORTS.items():
        found = peer[export]
        each = found["ms"] / found["items"]
        mine = [ours[name] / ours["items"] for name in (extension, f"{extension}, loaded")]
        rows.append(
            (
                *(f"{export} beside .{extension}", found["items"], f"{found['bytes']:,}", f"{each:.2f}"),
                *(f"{one:.3f} ({each / one:.0f} times as fast)" for one in mine),
            )
        )
    headings = (
        *("ms per item", "items", "bytes", f"pretalx {peer['version']}"),
        *("ours, the first request of a process", "ours, loaded"),
    )
    table(f"Exports of {SESSIONS} items", headings, *rows)


if __name__ == "__main__":
    main()
