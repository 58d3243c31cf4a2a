"""A festival on four machines, and nginx in front of them."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from tests.failures import nginx
from tests.failures.cluster import OWNER, find_binaries
from tests.failures.processes import free_port
from tests.failures.service import create_festival
from tests.machines.databases import DatabaseServer
from tests.machines.network import Machine, Network, open_network
from tests.machines.servers import BACK_OFFICE_PORT, ApplicationServer, in_front_of

DATABASE = "festival"


class Variant(NamedTuple):
    """How the application servers are set: by default nginx stores nothing, and they know the primary only."""

    cache_seconds: int = 0
    names_both: bool = False


class Site(NamedTuple):
    """Two application servers, a primary, its replica, and the port of nginx, which readers ask."""

    servers: list[ApplicationServer]
    primary: DatabaseServer
    replica: DatabaseServer
    port: int
    editors: list[dict[str, Any]]


@pytest.fixture(scope="session")
def network() -> Iterator[Network]:
    with open_network() as network:
        yield network


@pytest.fixture(scope="session")
def prepared() -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """The folder of a stopped PostgreSQL server with the programme of `sample_festival`, and the editors."""
    found = find_binaries()
    if found is None or nginx.BINARY is None:
        pytest.skip(
            "PostgreSQL's server programs or nginx are not installed (Debian: postgresql nginx-light)"
        )
    with ExitStack() as stack:
        # Not in pytest's directory, which only its owner may enter.
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="machines-")))
        server = DatabaseServer(folder, found, Machine("127.0.0.1"))
        server.make()
        server.start()
        server.run(f"CREATE DATABASE {DATABASE}")
        (folder / "files").mkdir()
        editors = create_festival("sample_festival", folder / "files", server.url(DATABASE))
        server.stop()
        yield folder, editors


@pytest.fixture
def site(
    network: Network,
    prepared: tuple[Path, list[dict[str, Any]]],
    tmp_path: Path,
    report: Callable[[str], None],
    request: pytest.FixtureRequest,
) -> Iterator[Site]:
    """The running machines; a parameter is their `Variant`."""
    variant = getattr(request, "param", Variant())
    report(network.description)
    folder, editors = prepared
    with ExitStack() as stack:
        primary, replica = (_make_database_server(network, stack) for _ in range(2))
        shutil.copytree(folder / "data", primary.directory / "data", symlinks=True)
        _give_to_owner(primary.directory)
        primary.start()
        replica.follow(primary)
        port = free_port()
        settings = {
            "BASE_URL": f"http://127.0.0.1:{port}",
            "DATABASE_URL": name_both(primary, replica) if variant.names_both else primary.url(DATABASE),
            "SECRET_KEY": "only-for-tests-" * 4,
            "ALLOWED_HOSTS": "*",
            "TRUSTED_PROXIES": "10.0.0.1,127.0.0.1",
            "MONITORING_ALLOW": "10.0.0.0/24,127.0.0.0/8",
            "WEB_ACCESS_LOG": "false",
            "BACK_OFFICE_PORT": str(BACK_OFFICE_PORT),
            "CACHE_SECONDS": str(variant.cache_seconds),
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
    if os.geteuid() == 0:
        shutil.chown(folder, OWNER, OWNER)
    return server


def _make_application_server(network: Network, folder: Path, settings: dict[str, str]) -> ApplicationServer:
    folder.mkdir()
    machine = network.machine()
    return ApplicationServer(machine, folder, settings | {"WEB_HOST": machine.address})


def _give_to_owner(folder: Path) -> None:
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            shutil.chown(path, OWNER, OWNER)


@pytest.fixture
def report(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """A function that reports a measurement, which `pytest -rA` shows."""
    return lambda line: request.node.add_report_section("call", "measured", f"{line}\n")
