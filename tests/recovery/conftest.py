"""A database of each kind, for releases of the service."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.failures.cluster import Cluster, run_cluster
from tests.recovery.releases import Place


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A running PostgreSQL server."""
    with run_cluster() as cluster:
        yield cluster


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
