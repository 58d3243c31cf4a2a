"""The port to serve on, and the base URL of links."""

import os
import socket

from django.conf import settings
from django.core.management.base import CommandError

PORT = 8000
LOCAL_URL = "http://localhost:{port}"


def base_url(port: int) -> str:
    """Return BASE_URL if it was set, else the local address of the port."""
    configured: str = settings.BASE_URL
    is_default = configured == LOCAL_URL.format(port=PORT)
    return LOCAL_URL.format(port=port) if is_default else configured


def require_free_port(port: int, example: str, host: str = "127.0.0.1") -> None:
    """Raise a CommandError unless the port can be bound; `example` chooses another one."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        sentence = f"Port {port} cannot be used ({reason}): choose another one, as in {example}."
        raise CommandError(sentence) from None
