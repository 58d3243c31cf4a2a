"""Installations of the service, each with a database and a folder of its own, used by its command line."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote
from uuid import uuid4

from django.db import connection

from tests.conftest import SITE
from tests.failures.processes import ROOT
from tests.failures.service import build_environment


class Output(NamedTuple):
    code: int
    out: str
    err: str


class Installation(NamedTuple):
    directory: Path
    database_url: str

    def run(self, *arguments: str) -> Output:
        """Run a command of the service."""
        process = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        return Output(process.returncode, process.stdout, process.stderr)

    def environment(self) -> dict[str, str]:
        addresses = {"BASE_URL": SITE.base_url, "EXTENSION_NAMESPACE": SITE.extension_namespace}
        return build_environment(self.directory, self.database_url) | addresses


@contextmanager
def new_installation(directory: Path, vendor: str = "") -> Iterator[Installation]:
    """Yield an installation with an empty database, of the kind that the tests run on unless it is named."""
    directory.mkdir()
    if (vendor or connection.vendor) == "sqlite":
        yield Installation(directory, f"sqlite:///{directory}/programme.sqlite3")
        return
    name = f"test_backup_{uuid4().hex[:8]}"
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    try:
        yield Installation(directory, build_url(name))
    finally:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def build_url(name: str) -> str:
    server = connection.settings_dict
    login = quote(server["USER"], safe="") + (
        f":{quote(server['PASSWORD'], safe='')}" if server["PASSWORD"] else ""
    )
    return f"postgres://{login}@{server['HOST']}:{server['PORT'] or 5432}/{name}"
