"""A database of each kind, for releases of the service."""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.failures.cluster import Cluster, find_binaries
from tests.recovery.releases import Place


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A running PostgreSQL server."""
    found = find_binaries()
    if found is None:
        pytest.skip("PostgreSQL's server programs are not installed here (Debian: postgresql)")
    # Not in pytest's directory, which only its owner may enter.
    with TemporaryDirectory(prefix="recovery-") as directory:
        cluster = Cluster(Path(directory), found)
        cluster.make()
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop("immediate")


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty database with a folder."""
    data = tmp_path / "data"
    data.mkdir()
    if request.param == "sqlite":
        return Place(f"sqlite:///{data}/programme.sqlite3", data)
    cluster: Cluster = request.getfixturevalue("cluster")
    cluster.run("CREATE DATABASE festival")
    return Place(cluster.url("festival"), data)


@pytest.fixture
def report(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """A function that reports a measurement, which `pytest -rA` shows."""
    return lambda line: request.node.add_report_section("call", "measured", f"{line}\n")
