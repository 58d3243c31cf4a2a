"""WordPress as Debian ships it, in a folder and a database of its own."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.failures.cluster import as_owner
from tests.failures.processes import start
from tests.failures.wait import wait_until

CORE = Path("/usr/share/wordpress")
DRIVER = Path(__file__).parent / "wordpress.php"
DAEMON = shutil.which("mariadbd") or shutil.which("mysqld", path="/usr/sbin")
OWNER = "mysql"
CONFIGURATION = Path(__file__).parent / "configuration/wp-config.php"


def find_missing() -> str:
    """Return what is not installed of Debian's packages that WordPress needs; empty: nothing."""
    themes = any(CORE.glob("wp-content/themes/*/style.css"))
    needed = {
        "wordpress": CORE.is_dir(),
        "one of its themes": themes,
        "php-cli": shutil.which("php"),
        "mariadb-server": DAEMON,
    }
    return ", ".join(name for name, found in needed.items() if not found)


class WordPress:
    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = os.environ | environment

    def run(self, do: str, **more: Any) -> dict[str, Any]:
        command = ["php", "-d", "memory_limit=512M", "-d", "display_errors=stderr", DRIVER]
        done = subprocess.run(
            [*command, json.dumps({"do": do, **more})],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (done.stdout[-2000:], done.stderr[-4000:])
        answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
        return answer


@contextmanager
def _database(folder: Path) -> Iterator[Path]:
    """Start MariaDB without a network, with an empty database; yields its socket."""
    folder.mkdir()
    if os.geteuid() == 0:
        shutil.chown(folder, OWNER, OWNER)
    data, socket = folder / "data", folder / "socket"
    shared = ["--no-defaults", f"--datadir={data}"]
    make = ["mariadb-install-db", *shared, "--auth-root-authentication-method=normal"]
    subprocess.run(make, check=True, capture_output=True, **as_owner(OWNER))
    options = [*shared, f"--socket={socket}", "--skip-networking", "--skip-log-bin"]
    with (folder / "log").open("wb") as log:
        server = start(
            [DAEMON, *options], stdin=subprocess.DEVNULL, stdout=log, stderr=log, **as_owner(OWNER)
        )
    try:
        wait_until("MariaDB accepts connections", socket.exists)
        client = ["mariadb", "--no-defaults", f"--socket={socket}", "-uroot"]
        subprocess.run([*client, "-e", "CREATE DATABASE wordpress"], check=True)
        yield socket
    finally:
        server.terminate()
        server.wait()


@contextmanager
def install(folder: Path, environment: dict[str, str]) -> Iterator[WordPress]:
    """Install WordPress into an empty folder whose parents everybody may pass through."""
    with _database(folder / "database") as socket:
        site = folder / "site"
        # Its own folder says where its content is: links would lead back to Debian's.
        shutil.copytree(CORE, site, ignore=shutil.ignore_patterns("wp-config.php"), dirs_exist_ok=True)
        (site / "wp-config.php").write_text(CONFIGURATION.read_text().replace("{socket}", str(socket)))
        blog = WordPress(site, environment)
        blog.run("install")
        yield blog
