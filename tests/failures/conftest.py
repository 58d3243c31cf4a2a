"""A temporary database server, and the service on it."""

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

from tests.failures import sample_festival
from tests.failures.cluster import Cluster, find_binaries
from tests.failures.processes import ROOT
from tests.failures.service import Service, build_environment

TEMPLATE = "festival"
_numbers = count(1)


@pytest.fixture(scope="session")
def _cluster() -> Iterator[Cluster]:
    found = find_binaries()
    if found is None:
        pytest.skip("PostgreSQL's server programs are not installed here (Debian: postgresql)")
    # Not in pytest's directory, which only its owner may enter.
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
    """The running server, whatever the previous test did to it."""
    if _cluster.server is None:
        _cluster.start()
    return _cluster


@pytest.fixture(scope="session")
def editors(_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The editors' sessions and events; the programme is in the template of all databases."""
    _cluster.run(f"CREATE DATABASE {TEMPLATE}")
    directory = tmp_path_factory.mktemp("filling")
    (directory / "clock").write_text("0")
    made = run_in_service(
        "sample_festival.create_festival()", build_environment(directory, _cluster.url(TEMPLATE))
    )
    return json.loads(made)


def run_in_service(statement: str, environment: dict[str, str]) -> str:
    """Run a statement in a process with the service's settings; return its output."""
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c"]
    process = subprocess.run(
        [*command, f"from tests.failures import sample_festival; {statement}"],
        cwd=ROOT,
        env=environment,
        check=True,
        text=True,
        stdout=subprocess.PIPE,
    )
    return process.stdout


@pytest.fixture
def database(cluster: Cluster, editors: list[dict[str, Any]]) -> Iterator[str]:
    """The name of a new database with the programme of `sample_festival`."""
    name = f"test_{next(_numbers)}"
    cluster.copy(name, TEMPLATE)
    yield name
    if cluster.server is not None:
        cluster.drop(name)


@pytest.fixture
def stopped(cluster: Cluster, database: str, tmp_path: Path) -> Iterator[Service]:
    """The service before its start; its clock shows an hour before the first occasion."""
    service = Service(tmp_path, cluster, database)
    service.set_clock(sample_festival.START - sample_festival.HOUR)
    yield service
    service.stop()


@pytest.fixture
def service(stopped: Service) -> Service:
    """The running service."""
    stopped.start()
    return stopped


@pytest.fixture
def rounds() -> Callable[[int], int]:
    """A function that multiplies a number of rounds by `FAILURE_ROUNDS`."""
    times = int(os.environ.get("FAILURE_ROUNDS", "1"))
    return lambda number: number * times


@pytest.fixture
def report_duration(request: pytest.FixtureRequest) -> Callable[[str, float], None]:
    """A function that reports a duration, which `pytest -rA` shows."""
    return lambda what, seconds: request.node.add_report_section(
        "call", "measured", f"{what} {seconds:.3f} s\n"
    )
