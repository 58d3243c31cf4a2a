"""The package: built, installed into an empty environment, and used from another folder as an operator does."""

import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from zipfile import ZipFile

import pytest

from feeds.formats import FORMATS
from festival import __version__
from tests.failures.processes import ROOT, free_port, listening_ports
from tests.failures.service import connect, get
from tests.failures.wait import DEADLINE, wait_until


class Installation:
    """A virtual environment with the package, which finds its dependencies in the tests' own environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = folder / "festival.env"
        self.settings.write_text(f"DATA_DIR={folder / 'data'}\n")
        venv.create(folder / "venv")
        self.bin = folder / "venv" / "bin"
        [self.packages] = (folder / "venv").glob("lib/*/site-packages")
        dependencies = [path for path in sys.path if path.endswith("-packages")]
        (self.packages / "dependencies.pth").write_text("\n".join(dependencies))

    def install(self, wheel: Path) -> None:
        pip = [sys.executable, "-m", "pip", "--python", self.bin / "python", "install", "--quiet"]
        subprocess.run([*pip, "--no-deps", "--no-index", "--no-compile", wheel], check=True, timeout=DEADLINE)

    @property
    def environment(self) -> dict[str, str]:
        """Where the settings are, and none of the tests' own."""
        return {"PATH": os.environ["PATH"], "FESTIVAL_ENV_FILE": str(self.settings)}

    def run(self, *arguments: str, **variables: str) -> str:
        """Return what the command `festival` prints, run from a folder that has nothing to do with it."""
        command = subprocess.run(
            [self.bin / "festival", *arguments],
            env=self.environment | variables,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            check=False,
        )
        assert command.returncode == 0, command.stdout + command.stderr
        return command.stdout

    @contextmanager
    def serve(self) -> Iterator[HTTPConnection]:
        port = free_port()
        command = [self.bin / "festival", "serve", f"--port={port}", "--workers=1"]
        with subprocess.Popen(
            command, env=self.environment, cwd=self.folder, stderr=subprocess.PIPE
        ) as server:
            try:
                wait_until("it listens", lambda: port in listening_ports())
                with closing(connect(port)) as connection:
                    yield connection
            finally:
                server.terminate()
                server.communicate()


def install(folder: Path) -> Installation:
    """Build the package, install it in a folder and make the demo there."""
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=DEADLINE)
    [wheel] = folder.glob("*.whl")
    assert wheel.name == f"festival_programme-{__version__}-py3-none-any.whl"
    assert "festival/resources/docs/handbook/sv.md" in ZipFile(wheel).namelist()
    made = Installation(folder)
    made.install(wheel)
    made.run("demo", "--no-serve")
    return made


@pytest.mark.thorough
def test_the_package_is_the_whole_service(tmp_path):
    """One test: installing takes longer than what is tried."""
    installation = install(tmp_path)
    look_at_the_help(installation)
    assert installation.run("--version", DATA_DIR="/proc/none") == f"festival {__version__}\n"
    export_and_import(installation)
    with installation.serve() as connection:
        read_every_format(connection)
        read_pages(connection)
    # Nothing was written beside the packages.
    assert not (installation.packages / "var").exists()


def look_at_the_help(installation: Installation) -> None:
    commands = set(installation.run("help").split())
    assert commands >= {"check", "demo", "export", "import", "migrate", "serve", "user"}


def export_and_import(installation: Installation) -> None:
    sheet = str(installation.folder / "export.csv")
    installation.run("export", sheet)
    assert "created" not in installation.run("import", sheet, "--dry-run")


def read_every_format(connection: HTTPConnection) -> None:
    answers = {each.extension: get(connection, f"/api/events.{each.extension}") for each in FORMATS}
    assert {each.status for each in answers.values()} == {200}
    assert [extension for extension, each in answers.items() if len(each.body) < 1000] == []


def read_pages(connection: HTTPConnection) -> None:
    """Read a page and the sign-in page, with their catalogues and their static files."""
    page, login = (get(connection, path).body.decode() for path in ("/", "/admin/login/"))
    assert ("Prenumerera" in page, "Lösenord" in login) == (True, True)
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page + login)
    assert len(files) > 4
    assert {get(connection, path).status for path in files} == {200}
