"""The port to serve on, and the base URL of links."""

import errno
import socket
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import CommandError

PORT, LAST_PORT = 8000, 65535
LOCAL_URL = "http://localhost:{port}"
# Both, because a browser may find another service on the other one under the name `localhost`.
LOOPBACK = ("127.0.0.1", "::1")
LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1", "[::1]", "", None}

PORT_TAKEN = "Port {port} is taken: choose another one, as in {example}."


def is_local(url: str) -> bool:
    """Return whether only this machine's own browser can follow a URL."""
    return urlsplit(url).hostname in LOCAL_HOSTS


def base_url(port: int) -> str:
    """Return BASE_URL if it was set, else the local address of the port."""
    configured: str = settings.BASE_URL
    is_default = configured == LOCAL_URL.format(port=PORT)
    return LOCAL_URL.format(port=port) if is_default else configured


def require_free_port(port: int, example: str, host: str = LOOPBACK[0]) -> None:
    """Raise a CommandError unless the port can be bound; `example` chooses another one, `{port}`."""
    if not 1 <= port <= LAST_PORT:
        raise CommandError(f"There is no port {port}; choose one from 1024 to {LAST_PORT}.")
    for address in LOOPBACK if host in LOOPBACK else (host,):
        try:
            with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
                # As the server does: connections of a server that has just stopped do not count.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((address, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                chosen = example.format(port=port + 1 if port < LAST_PORT else PORT)
                raise CommandError(PORT_TAKEN.format(port=port, example=chosen)) from None
            # A machine without IPv6 cannot bind ::1.
            if address == host:
                raise CommandError(f"{host} port {port} cannot be used: {error.strerror}.") from None
