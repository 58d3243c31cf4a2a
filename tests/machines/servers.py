"""Application servers, each on its machine, and nginx in front of them as the documentation has it."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

from tests.failures import nginx
from tests.failures.processes import ROOT, children, kill, start
from tests.failures.service import Answer, build_environment, connect, get
from tests.failures.wait import wait_until
from tests.install.page import PAGE, read_blocks
from tests.machines.network import Machine

PORT = 8000
# In seconds.
START_TIMEOUT = 180
WORKERS = 2
# The back office's process, too, loads the programme.
PROCESSES = WORKERS + 1
LOADS = re.compile(r"^festival_programme_loads_total (\d+)", re.MULTILINE)


class ApplicationServer:
    """The service as `serve` runs it, on a machine, with a settings file that a reload reads again."""

    def __init__(self, machine: Machine, directory: Path, settings: dict[str, str]) -> None:
        self.machine = machine
        self.directory = directory
        self.settings = settings
        self.server: subprocess.Popen[Any] | None = None

    @property
    def environment(self) -> dict[str, str]:
        file = self.directory / "festival.env"
        file.write_text("".join(f"{name}={value}\n" for name, value in self.settings.items()))
        built = build_environment(self.directory, "")
        ours = {name: value for name, value in built.items() if name not in {*self.settings, "CLOCK_AHEAD"}}
        return ours | {"FESTIVAL_ENV_FILE": str(file), "DJANGO_SETTINGS_MODULE": "festival.settings"}

    def start(self) -> None:
        options = [f"--host={self.machine.address}", f"--port={PORT}", f"--workers={WORKERS}", "--threads=4"]
        command = [sys.executable, "manage.py", "serve", *options, "--no-access-log"]
        with self.log_file.open("ab") as log, self.machine.entered():
            self.server = start(
                command, cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def wait_for_answers(self) -> None:
        def answers() -> bool:
            assert self.server is not None
            assert self.server.poll() is None, self.log()
            try:
                return self.get("/readyz").status == HTTPStatus.OK and self.get("/admin/login/").status == 200
            except OSError:
                return False

        wait_until("the application server answers", answers, START_TIMEOUT)

    def get(self, path: str) -> Answer:
        with self.machine.entered(), closing(connect(PORT, self.machine.address)) as connection:
            return get(connection, path)

    def count_loads(self) -> int:
        """Return how often the processes of this server have loaded the programme."""
        return int(LOADS.search(self.get("/metrics").body.decode())[1])

    def reload(self, settings: dict[str, str]) -> None:
        """Change settings, and replace the processes as `systemctl reload` does."""
        self.settings |= settings
        _ = self.environment
        self.server.send_signal(signal.SIGHUP)

    def processes(self) -> list[int]:
        """Return the IDs of all processes of the server."""
        found = [self.server.pid]
        for pid in found:
            found += children(pid)
        return found

    def lose(self) -> None:
        """Lose the machine, as if its power failed."""
        self.machine.cut()
        kill(*self.processes())
        self.server.wait()
        self.server = None

    def return_(self) -> None:
        self.start()
        self.machine.mend()
        self.wait_for_answers()

    def stop(self) -> None:
        if self.server is not None:
            self.server.terminate()
            self.server.wait()
            self.server = None

    @property
    def log_file(self) -> Path:
        return self.directory / "log"

    def log(self) -> str:
        return self.log_file.read_text()


# --- nginx --------------------------------------------------------------------------------------

SITE = "/etc/nginx/sites-available/festival"
DOCUMENTED = ROOT / "docs" / "scaling.md"
# Where the documentation has the two application servers.
ADDRESSES = ("10.0.0.11:8000", "10.0.0.12:8000")


def build_site(servers: Sequence[ApplicationServer], port: int, directory: Path) -> str:
    """Return nginx's configuration of docs/install.md with the changes of docs/scaling.md, without TLS."""
    (site,) = (files[SITE] for block in read_blocks(PAGE.read_text()) if SITE in (files := block.files))
    upstream, in_server = re.findall(r"```nginx\n(.*?)```", DOCUMENTED.read_text(), re.DOTALL)
    for documented, server in zip(ADDRESSES, servers, strict=True):
        assert documented in upstream
        upstream = upstream.replace(documented, f"{server.machine.address}:{PORT}")
    site = re.sub(r"^upstream festival \{.*?^\}\n", upstream, site, flags=re.DOTALL | re.MULTILINE)
    site = re.sub(r"^ *(listen|ssl_\w+|proxy_connect_timeout) .*;\n", "", site, flags=re.MULTILINE)
    here = f"    listen 127.0.0.1:{port};\n{in_server}"
    site = site.replace("server {\n", f"server {{\n{here}").replace("program.example", "127.0.0.1")
    return site.replace("/var/cache/nginx", str(directory)).replace("/var/lib/festival", str(directory))


@contextmanager
def in_front_of(servers: Sequence[ApplicationServer], port: int, directory: Path) -> Iterator[None]:
    with nginx.serving(build_site(servers, port, directory), port, directory):
        yield
