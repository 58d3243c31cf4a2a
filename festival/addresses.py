"""Where the service is served: ports that may be used, and the address that links begin with."""

import errno
import socket

from django.conf import settings
from django.core.management.base import CommandError

PORT, LAST_PORT = 8000, 65535
OWN_ADDRESS = "http://localhost:{port}"
# Both: a browser may find somebody else's `localhost` on the other one.
LOOPBACK = ("127.0.0.1", "::1")

TAKEN = "Port {port} is taken: choose another one, as in `{example} PORT={another}`."


def base_url(port: int) -> str:
    """Return what absolute links begin with: BASE_URL if one was chosen, else where we serve."""
    stated = settings.BASE_URL
    return OWN_ADDRESS.format(port=port) if stated == OWN_ADDRESS.format(port=PORT) else stated


def refuse_taken_port(port: int, example: str, host: str = LOOPBACK[0]) -> None:
    """Raise a CommandError unless the port can be served on; `example` is a command that takes another."""
    if not 1 <= port <= LAST_PORT:
        raise CommandError(f"There is no port {port}; choose one from 1024 to {LAST_PORT}.")
    for address in LOOPBACK if host in LOOPBACK else (host,):
        try:
            _bind(address, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                another = port + 1 if port < LAST_PORT else PORT
                raise CommandError(TAKEN.format(port=port, example=example, another=another)) from None
            # A machine without IPv6 has nobody there.
            if address == host:
                raise CommandError(f"{host} port {port} cannot be used: {error.strerror}.") from None


def _bind(address: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # As the server does: connections of a server that has just ended do not count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((address, port))
