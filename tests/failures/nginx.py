"""nginx as a caching proxy in front of the service."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

from tests.failures.processes import free_port, start
from tests.failures.service import connect
from tests.failures.wait import wait_until
from tests.install.page import PAGE, read_blocks

# It is outside the PATH of ordinary users.
BINARY = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")

CONFIGURATION = """
{user}
daemon off;
worker_processes 1;
pid {directory}/nginx.pid;
error_log {directory}/nginx.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
{site}
}}
"""
SITE = "/etc/nginx/sites-available/festival"


def read_page() -> str:
    """Return nginx's configuration of docs/install.md."""
    (site,) = (files[SITE] for block in read_blocks(PAGE.read_text()) if SITE in (files := block.files))
    return site


def read_composition() -> str:
    """Return that of compose.yaml, with the page's addresses of the processes."""
    composition = yaml.safe_load((PAGE.parent.parent / "compose.yaml").read_text())
    site: str = composition["configs"]["nginx"]["content"].replace("$$", "$")
    return re.sub(r"172\.30\.0\.1[01]:", "127.0.0.1:", site)


def prepare(site: str, port: int, directory: Path) -> str:
    """Return a configuration on a port, without TLS and with its files in a folder."""
    site = re.sub(r"^ *(listen|ssl_\w+) .*;\n", "", site, flags=re.MULTILINE)
    site = site.replace("server {\n", f"server {{\n    listen 127.0.0.1:{port};\n", 1)
    site = site.replace("program.example", "127.0.0.1")
    for folder in ("/var/cache/nginx", "/var/log/nginx", "/var/lib/festival"):
        site = site.replace(folder, str(directory))
    return site


@contextmanager
def as_documented(service: int, back_office: int, directory: Path, site: str = "") -> Iterator[int]:
    """Run nginx as docs/install.md has it, or another site, in front of two ports; yield the port of nginx."""
    port = free_port()
    site = prepare(site or read_page(), port, directory).replace("127.0.0.1:8000", f"127.0.0.1:{service}")
    with serving(site.replace("127.0.0.1:8001", f"127.0.0.1:{back_office}"), port, directory):
        yield port


@contextmanager
def serving(site: str, port: int, directory: Path) -> Iterator[None]:
    """Run nginx with the configuration of a site, which listens on a port."""
    user = "user root;" if os.geteuid() == 0 else ""
    configuration = directory / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(user=user, directory=directory, site=site))
    command = [BINARY, "-p", str(directory), "-e", str(directory / "nginx.log"), "-c", str(configuration)]
    with start(command, stdin=subprocess.DEVNULL) as server:
        try:
            wait_until("nginx accepts connections", lambda: server.poll() is not None or _listens(port))
            assert server.poll() is None, "nginx has ended"
            yield
        finally:
            server.terminate()


def _listens(port: int) -> bool:
    connection = connect(port)
    try:
        connection.connect()
    except OSError:
        return False
    finally:
        connection.close()
    return True
