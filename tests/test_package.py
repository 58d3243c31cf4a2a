"""The package: built, installed into an empty environment, and used from another folder as an operator does."""

import os
import re
import socket
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from feeds.formats import FORMATS
from festival import __version__

ROOT = Path(__file__).parents[1]
DEADLINE = 60


class Installation:
    """A virtual environment with the package, which finds its dependencies in the tests' own environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
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
        """The settings, and none of the tests' own."""
        return {"PATH": os.environ["PATH"], "DATA_DIR": str(self.data)}

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
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [self.bin / "festival", "serve", f"--port={port}", "--workers=1", "--no-access-log"]
        with subprocess.Popen(
            command, env=self.environment, cwd=self.folder, stderr=subprocess.PIPE
        ) as server:
            try:
                with closing(HTTPConnection("127.0.0.1", port, timeout=DEADLINE)) as connection:
                    wait_until_it_answers(connection)
                    yield connection
            finally:
                server.terminate()
                server.communicate()


def wait_until_it_answers(connection: HTTPConnection) -> None:
    end = time.monotonic() + DEADLINE
    while True:
        try:
            connection.connect()
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.05)
        else:
            return


def get(connection: HTTPConnection, path: str) -> tuple[int, str, bytes]:
    connection.request("GET", path)
    response = connection.getresponse()
    return response.status, response.headers.get_content_type(), response.read()


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    folder = tmp_path_factory.mktemp("installation")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL, timeout=DEADLINE)
    [wheel] = folder.glob("*.whl")
    assert wheel.name == f"festival_programme-{__version__}-py3-none-any.whl"
    made = Installation(folder)
    made.install(wheel)
    made.run("demo", "--no-serve")
    return made


def test_the_command_lists_the_services_own_commands_first(installation):
    first, _, others = installation.run("help").partition("\n\nDjango's own commands:\n\n")
    assert first.startswith(f"festival {__version__}\n\nUsage: festival COMMAND [options]\n")
    sentences = dict(re.findall(r"^  (\w+) +(\S.*)$", first, re.MULTILINE))
    assert set(sentences) >= {"announce", "check", "demo", "export", "import", "migrate", "serve"}
    assert [name for name, sentence in sentences.items() if not sentence.endswith(".")] == []
    assert "runserver" in others
    assert "serve," not in re.split(r"\W+", others)


def test_the_version_is_told_without_any_settings(installation):
    assert installation.run("--version", DATA_DIR="/proc/none") == f"festival {__version__}\n"


def test_commands_find_what_stands_outside_the_packages_in_a_checkout(installation):
    assert installation.run("check") == "System check identified no issues (0 silenced).\n"
    exported = installation.folder / "export.csv"
    installation.run("export", str(exported))
    assert "created" not in installation.run("import", str(exported), "--dry-run")
    # No command has written beside the packages.
    assert not (installation.packages / "var").exists()


def test_the_service_answers_from_the_package(installation):
    with installation.serve() as connection:
        answers = {each: get(connection, f"/api/events.{each.extension}") for each in FORMATS}
        page = get(connection, "/")[2].decode()
        login = get(connection, "/admin/login/")[2].decode()
        handbook = get(connection, "/admin/handbook/")[0]
        paths = re.findall(r'(?:href|src)="(/static/[^"]+)"', page + login)
        files = {path: get(connection, path)[0] for path in paths}
    assert {each.extension: status for each, (status, _type, _body) in answers.items()} == {
        each.extension: 200 for each in FORMATS
    }
    assert [each.extension for each, (_status, _type, body) in answers.items() if len(body) < 1000] == []
    # The pages' and the back office's catalogues.
    assert ("Prenumerera" in page, "Lösenord" in login) == (True, True)
    assert handbook == 302
    assert len(files) > 4
    assert set(files.values()) == {200}
