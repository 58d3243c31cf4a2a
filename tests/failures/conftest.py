"""A database server of the tests' own, and the service on it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.failures import festival
from tests.failures.cluster import Cluster, binaries
from tests.failures.processes import ROOT
from tests.failures.service import Service, environment

TEMPLATE = "festival"
_numbers = count(1)


@pytest.fixture(scope="session")
def _cluster() -> Iterator[Cluster]:
    found = binaries()
    if found is None:
        pytest.skip("PostgreSQL's server programs are not installed here (Debian: postgresql)")
    # Not below pytest's own directory, into which nobody but its owner may go.
    with TemporaryDirectory(prefix="failures-") as directory:
        cluster = Cluster(Path(directory), found)
        cluster.make()
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop("immediate")


@pytest.fixture
def cluster(_cluster: Cluster) -> Cluster:
    """The server, running, whatever the test before did to it."""
    if _cluster.server is None:
        _cluster.start()
    return _cluster


@pytest.fixture(scope="session")
def editors(_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the editors' browsers know; the programme is in the database that others are copied from."""
    _cluster.run(f"CREATE DATABASE {TEMPLATE}")
    directory = tmp_path_factory.mktemp("filling")
    (directory / "clock").write_text("0")
    made = in_the_service("festival.make()", environment(directory, _cluster.url(TEMPLATE)))
    return json.loads(made)


def in_the_service(statement: str, environment: dict[str, str]) -> str:
    """Run a statement in a process with the service's settings; return what it prints."""
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c"]
    told = subprocess.run(
        [*command, f"from tests.failures import festival; {statement}"],
        cwd=ROOT,
        env=environment,
        check=True,
        text=True,
        stdout=subprocess.PIPE,
    )
    return told.stdout


@pytest.fixture
def database(cluster: Cluster, editors: list[dict[str, Any]]) -> Iterator[str]:
    """The name of a database with the programme of `festival`, for this test alone."""
    name = f"test_{next(_numbers)}"
    cluster.copy(name, TEMPLATE)
    yield name
    if cluster.server is not None:
        cluster.drop(name)


@pytest.fixture
def stopped(cluster: Cluster, database: str, tmp_path: Path) -> Iterator[Service]:
    """The service, not started yet; an hour before the first occasion on its clock."""
    service = Service(tmp_path, cluster, database)
    service.set_clock(festival.START - festival.HOUR)
    yield service
    service.stop()


@pytest.fixture
def service(stopped: Service) -> Service:
    """The service, running."""
    stopped.start()
    return stopped


@pytest.fixture
def rounds() -> Callable[[int], int]:
    """How often something is done: more often where `FAILURE_ROUNDS` says how many times as often."""
    times = int(os.environ.get("FAILURE_ROUNDS", "1"))
    return lambda number: number * times


@pytest.fixture
def measured(request: pytest.FixtureRequest) -> Callable[[str, float], None]:
    """Tell how many seconds something took: `pytest -rA` shows it, and nothing is demanded of it."""
    return lambda what, seconds: request.node.add_report_section(
        "call", "measured", f"{what} {seconds:.3f} s\n"
    )
