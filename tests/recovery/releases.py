"""Releases of the service, each in a folder of its own, that run on one database."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

from tests.failures.processes import ROOT, children, free_port, start
from tests.failures.reading import Question
from tests.failures.service import connect, get
from tests.failures.wait import wait_until

PACKAGES = ("feeds", "festival", "pages", "programme")
RESOURCES = ("docs/handbook", "locale", "templates")
# What readers ask for while releases change.
QUESTIONS = [
    Question(path) for path in ("/api/events", "/api/events.ics", "/", "/api/areas", "/api/events.rss")
]


class Command(NamedTuple):
    """How the commands of a release are run."""

    words: list[str]
    folder: Path


def from_sources(folder: Path) -> Command:
    return Command([sys.executable, "manage.py"], folder)


def from_installation(folder: Path) -> Command:
    return Command([str(folder / "bin" / "festival")], folder.parent)


class Place(NamedTuple):
    """Where releases run: a database, and a folder for what they store."""

    database_url: str
    data: Path

    def environment(self) -> dict[str, str]:
        unset = {"DJANGO_SETTINGS_MODULE", "PYTHONPATH"}
        return {name: value for name, value in os.environ.items() if name not in unset} | {
            "DATABASE_URL": self.database_url,
            "DATA_DIR": str(self.data),
            "SECRET_KEY": "only-for-tests-" * 4,
            "WEB_ACCESS_LOG": "false",
        }

    def make_demo(self) -> None:
        """Create the demo festival with this release."""
        self.run(from_sources(ROOT), "demo", "--no-serve")

    def run(self, command: Command, *arguments: str) -> str:
        """Run a command of a release; return what it prints."""
        process = subprocess.run(
            [*command.words, *arguments],
            cwd=command.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, process.stderr
        return process.stdout

    @contextmanager
    def serve(self, command: Command) -> Iterator["Served"]:
        """Yield the service, once it answers."""
        port = free_port()
        options = [f"--port={port}", "--workers=2", "--threads=4"]
        with (self.data / "log").open("ab") as log:
            server = start(
                [*command.words, "serve", *options],
                cwd=command.folder,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        served = Served(server, port, self.data / "log")
        try:
            served.wait_for_answers()
            yield served
        finally:
            server.terminate()
            server.wait()


class Served(NamedTuple):
    server: subprocess.Popen[Any]
    port: int
    log_file: Path

    def read(self, path: str) -> bytes:
        with closing(connect(self.port)) as connection:
            answer = get(connection, path)
        assert answer.status == HTTPStatus.OK, answer
        return answer.body

    def wait_for_answers(self) -> None:
        def answers() -> bool:
            assert self.server.poll() is None, self.log_file.read_text()
            try:
                return bool(self.read("/api/areas"))
            except OSError:
                return False

        wait_until("the service answers", answers)

    def version(self) -> str:
        with closing(connect(self.port)) as connection:
            return json.loads(get(connection, "/readyz").body)["version"]

    def readers(self) -> list[int]:
        """Return the processes that answer readers."""
        return children(self.server.pid)


def install(folder: Path, source: Path) -> Path:
    """Install the sources of a release in a new virtual environment, as docs/install.md does with its package."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--symlinks", folder], check=True)
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    for name in PACKAGES:
        shutil.copytree(source / name, packages / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in RESOURCES:
        shutil.copytree(source / name, packages / "festival" / "resources" / name)
    script = folder / "bin" / "festival"
    script.write_text(f"#!{folder}/bin/python\nfrom festival.command_line import main\n\nmain()\n")
    script.chmod(0o755)
    return packages


def switch(link: Path, version: str) -> None:
    """Let a symbolic link lead to another version, in one step."""
    new = link.with_name("new")
    new.symlink_to(version)
    new.replace(link)
