"""A festival on four machines, and nginx in front of them."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from tests.failures import nginx
from tests.failures.cluster import OWNER, find_binaries, run_cluster
from tests.failures.processes import free_port
from tests.failures.service import create_festival
from tests.machines.databases import ACCESS, DatabaseServer
from tests.machines.network import Network, open_network
from tests.machines.servers import BACK_OFFICE_PORT, ApplicationServer, in_front_of

DATABASE = "festival"


class Site(NamedTuple):
    """Two application servers, a primary, its replica, and the port of nginx, which readers ask."""

    servers: list[ApplicationServer]
    primary: DatabaseServer
    replica: DatabaseServer
    port: int
    editors: list[dict[str, Any]]


@pytest.fixture(scope="session")
def network() -> Iterator[Network]:
    if os.geteuid() != 0:
        pytest.skip("only root can make network namespaces")
    with open_network() as network:
        yield network


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """The data of a stopped PostgreSQL server with the programme of `sample_festival`, and the editors."""
    if nginx.BINARY is None:
        pytest.skip("nginx is not installed (Debian: nginx-light)")
    with run_cluster() as cluster:
        cluster.run(f"CREATE DATABASE {DATABASE}")
        files = tmp_path_factory.mktemp("files")
        editors = create_festival("sample_festival", files, cluster.url(DATABASE))
        cluster.stop()
        data = cluster.directory / "data"
        with (data / "pg_hba.conf").open("a") as file:
            file.write(ACCESS)
        yield data, editors


@pytest.fixture
def site(
    network: Network,
    prepared: tuple[Path, list[dict[str, Any]]],
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> Iterator[Site]:
    """The running machines; application servers know the primary, and with a true parameter the replica too."""
    data, editors = prepared
    with ExitStack() as stack:
        primary, replica = (_make_database_server(network, stack) for _ in range(2))
        # With its owner, and not shutil, which would make another one the owner.
        subprocess.run(["cp", "--archive", data, primary.directory], check=True)
        primary.start()
        replica.follow(primary)
        port = free_port()
        settings = {
            "BASE_URL": f"http://127.0.0.1:{port}",
            "DATABASE_URL": name_both(primary, replica)
            if getattr(request, "param", False)
            else primary.url(DATABASE),
            "SECRET_KEY": "only-for-tests-" * 4,
            "ALLOWED_HOSTS": "*",
            "TRUSTED_PROXIES": "10.0.0.1,127.0.0.1",
            "WEB_ACCESS_LOG": "false",
            "BACK_OFFICE_PORT": str(BACK_OFFICE_PORT),
            "CACHE_SECONDS": "0",
        }
        servers = [_make_application_server(network, tmp_path / name, settings) for name in ("one", "two")]
        for server in servers:
            stack.callback(server.stop)
            server.start()
        for server in servers:
            server.wait_for_answers()
        stack.enter_context(in_front_of(servers, port, tmp_path))
        yield Site(servers, primary, replica, port, editors)


def name_both(primary: DatabaseServer, replica: DatabaseServer) -> str:
    """Return the URL of whichever of both takes changes."""
    hosts = ",".join(f"{each.address}:{each.port}" for each in (primary, replica))
    return f"postgres://{OWNER}@{hosts}/{DATABASE}?target_session_attrs=read-write"


def _make_database_server(network: Network, stack: ExitStack) -> DatabaseServer:
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="machines-")))
    binaries = find_binaries()
    assert binaries is not None
    server = DatabaseServer(folder, binaries, network.machine())
    stack.callback(server.stop, "immediate")
    shutil.chown(folder, OWNER, OWNER)
    return server


def _make_application_server(network: Network, folder: Path, settings: dict[str, str]) -> ApplicationServer:
    folder.mkdir()
    machine = network.machine()
    return ApplicationServer(machine, folder, settings | {"WEB_HOST": machine.address})
