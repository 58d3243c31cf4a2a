"""A temporary database server, and the service on it."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.failures.cluster import Cluster, run_cluster
from tests.failures.service import Service, create_festival

TEMPLATE = "festival"
_numbers = count(1)


@pytest.fixture(scope="session")
def _cluster() -> Iterator[Cluster]:
    with run_cluster() as cluster:
        yield cluster


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
    return create_festival("sample_festival", tmp_path_factory.mktemp("filling"), _cluster.url(TEMPLATE))


@pytest.fixture(scope="module")
def shared(
    _cluster: Cluster, editors: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """A running service for all tests of a module, which readers' caches keep for a second."""
    if _cluster.server is None:
        _cluster.start()
    name = f"test_{next(_numbers)}"
    _cluster.copy(name, TEMPLATE)
    service = Service(tmp_path_factory.mktemp("service"), _cluster, name)
    service.environment["CACHE_SECONDS"] = "1"
    service.start()
    yield service
    service.stop()


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
    """The service before its start."""
    service = Service(tmp_path, cluster, database)
    yield service
    service.stop()


@pytest.fixture
def service(stopped: Service) -> Service:
    """The running service."""
    stopped.start()
    return stopped
