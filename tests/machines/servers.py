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
from tests.machines.network import Machine

PORT, BACK_OFFICE_PORT = 8000, 8001
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
        self.servers: list[subprocess.Popen[Any]] = []

    @property
    def environment(self) -> dict[str, str]:
        file = self.directory / "festival.env"
        file.write_text("".join(f"{name}={value}\n" for name, value in self.settings.items()))
        built = build_environment(self.directory, "")
        ours = {name: value for name, value in built.items() if name not in self.settings}
        return ours | {"FESTIVAL_ENV_FILE": str(file)}

    def start(self) -> None:
        command = [sys.executable, "manage.py", "serve"]
        environment = self.environment
        for options in ([f"--port={PORT}", f"--workers={WORKERS}", "--threads=4"], ["--back-office"]):
            with self.log_file.open("ab") as log, self.machine.entered():
                files = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
                self.servers.append(start([*command, *options], cwd=ROOT, env=environment, **files))

    def wait_for_answers(self) -> None:
        def answers() -> bool:
            assert {each.poll() for each in self.servers} == {None}, self.log()
            try:
                # Which asks the back office's process, too.
                return self.get("/readyz").status == HTTPStatus.OK
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
        for server in self.servers:
            server.send_signal(signal.SIGHUP)

    def processes(self) -> list[int]:
        """Return the IDs of all processes of the server."""
        found = [each.pid for each in self.servers]
        for pid in found:
            found += children(pid)
        return found

    def lose(self) -> None:
        """Lose the machine, as if its power failed."""
        self.machine.cut()
        kill(*self.processes())
        self.stop()

    def return_(self) -> None:
        self.start()
        self.machine.mend()
        self.wait_for_answers()

    def stop(self) -> None:
        for server in self.servers:
            server.terminate()
            server.wait()
        self.servers = []

    @property
    def log_file(self) -> Path:
        return self.directory / "log"

    def log(self) -> str:
        return self.log_file.read_text()


DOCUMENTED = ROOT / "docs" / "scaling.md"
# Where the documentation has the two application servers.
ADDRESSES = ("10.0.0.11", "10.0.0.12")


def build_site(servers: Sequence[ApplicationServer], port: int, directory: Path) -> str:
    """Return nginx's configuration of docs/install.md with the changes of docs/scaling.md, without TLS."""
    upstreams, in_server, in_back_office = re.findall(
        r"```nginx\n(.*?)```", DOCUMENTED.read_text(), re.DOTALL
    )
    for documented, server in zip(ADDRESSES, servers, strict=True):
        assert documented in upstreams
        upstreams = upstreams.replace(documented, server.machine.address)
    site = nginx.prepare(nginx.read_page(), port, directory)
    site = re.sub(r"^upstream \w+ \{.*?^\}\n", "", site, flags=re.DOTALL | re.MULTILINE)
    site = re.sub(r"^ *proxy_connect_timeout .*;\n", "", site, flags=re.MULTILINE)
    site = site.replace("server {\n", f"server {{\n{in_server}", 1)
    site = site.replace("location /admin {\n", f"location /admin {{\n{in_back_office}")
    return upstreams + site


@contextmanager
def in_front_of(servers: Sequence[ApplicationServer], port: int, directory: Path) -> Iterator[None]:
    with nginx.serving(build_site(servers, port, directory), port, directory):
        yield
