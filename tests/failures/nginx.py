"""nginx as a caching proxy in front of the service."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.failures.processes import free_port, start
from tests.failures.service import connect
from tests.failures.wait import wait_until

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
# Without cache times: `Cache-Control` sets them.
CACHE = """
    proxy_cache_path {directory}/cache keys_zone=answers:1m;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{service};
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_cache answers;
            add_header X-Cache-Status $upstream_cache_status always;
        }}
    }}
"""


@contextmanager
def in_front_of(service: int, directory: Path) -> Iterator[int]:
    """Run nginx in front of a port; yield the port of nginx."""
    port = free_port()
    with serving(CACHE.format(directory=directory, port=port, service=service), port, directory):
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
