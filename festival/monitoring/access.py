"""Who may read the health and the metrics of the service: nobody else learns that they exist."""

from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare

from festival.http.client_address import get_client_address

# What proxies add. With one of them, a connection from this machine is somebody else's request.
FORWARDING_HEADERS = (
    *("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO"),
    *("HTTP_X_REAL_IP", "HTTP_FORWARDED", "HTTP_VIA"),
)
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


def may_monitor(meta: Mapping[str, Any]) -> bool:
    """Return whether a request may be answered, by its `META`."""
    return _has_token(meta) or _is_local(meta) or _is_allowed(get_client_address(meta))


def _has_token(meta: Mapping[str, Any]) -> bool:
    scheme, _, token = meta.get("HTTP_AUTHORIZATION", "").partition(" ")
    expected = settings.MONITORING_TOKEN
    return bool(expected) and scheme.lower() == "bearer" and constant_time_compare(token.strip(), expected)


def _is_local(meta: Mapping[str, Any]) -> bool:
    """Return whether a program on this machine asks.

    A proxy on this machine that adds no header is recognized by the name that its client has asked for.
    """
    if any(name in meta for name in FORWARDING_HEADERS):
        return False
    host = meta.get("HTTP_HOST", "")
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return name in LOOPBACK_NAMES and _is_loopback(meta.get("REMOTE_ADDR", ""))


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _is_allowed(address: str) -> bool:
    networks = [ip_network(each, strict=False) for each in settings.MONITORING_ALLOW]
    return bool(address) and any(ip_address(address) in each for each in networks)
