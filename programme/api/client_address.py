"""The address of a client, from trusted sources only."""

from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings


def get_client_address(meta: Mapping[str, Any]) -> str:
    """Return the client's IP address from a request's `META`, "" if there is none.

    `X-Forwarded-For` is read from the right as long as the sender is one of `TRUSTED_PROXIES`: an entry that
    the client wrote itself is to the left of the entries of trusted proxies.
    """
    found = ""
    forwarded = meta.get("HTTP_X_FORWARDED_FOR", "").split(",")
    for hop in [meta.get("REMOTE_ADDR", ""), *reversed(forwarded)]:
        address = _parse(hop)
        if address is None:
            break
        found = str(address)
        if not is_trusted(found):
            break
    return found


def is_trusted(address: str) -> bool:
    """Return whether an address is one of `TRUSTED_PROXIES`."""
    parsed = _parse(address)
    networks = (ip_network(each, strict=False) for each in settings.TRUSTED_PROXIES)
    return parsed is not None and any(parsed in each for each in networks)


def find_network(address: str) -> str:
    """Return an IPv4 address, or the /64 network of an IPv6 address: devices change the rest daily."""
    if address and isinstance(ip_address(address), IPv6Address):
        return str(ip_network(f"{address}/64", strict=False))
    return address


def _parse(hop: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(hop.strip())
    except ValueError:
        return None
    # A socket that listens on IPv6 shows IPv4 clients as ::ffff:192.0.2.1.
    return getattr(address, "ipv4_mapped", None) or address
