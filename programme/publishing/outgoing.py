"""Requests to other servers: never to private networks, unless `ALLOWED_PRIVATE_HOSTS` names the host.

A host name is resolved once, and the connection goes to an address that was checked: a name server cannot
answer with a public address first and a private one afterwards. Each redirect is a connection of its own.
"""

import socket
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
    UnknownHandler,
)

from django.conf import settings

Address = IPv4Address | IPv6Address

# Where translators put the IPv4 addresses of hosts that have no other (RFC 6052, section 2.1).
NAT64 = ip_network("64:ff9b::/96")
IPV4_BITS = 0xFFFF_FFFF


class PrivateAddressError(OSError):
    """A host leads to a private network, and no setting allows it."""


def is_public(address: Address) -> bool:
    """Return whether an address belongs to the internet, in whatever form it is written."""
    address = _unwrap(address)
    is_special = address.is_multicast or address.is_reserved or getattr(address, "is_site_local", False)
    return address.is_global and not is_special


def _unwrap(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 address stands for."""
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64:
        return IPv4Address(int(address) & IPV4_BITS)
    return address.ipv4_mapped or address.sixtofour or (address.teredo or [address])[-1]


def is_private_literal(host: str) -> bool:
    """Return whether a host is known to be private without asking a name server."""
    try:
        return not is_public(ip_address(host))
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_allowed_by_name(host: str) -> bool:
    return host.rstrip(".").lower() in {each.rstrip(".").lower() for each in settings.ALLOWED_PRIVATE_HOSTS}


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses to which connections to a host may go.

    Raises PrivateAddressError if it has any other, and OSError if it has none.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    private = [each for each in addresses if not is_public(ip_address(each))]
    if private and not is_allowed_by_name(host):
        raise PrivateAddressError(
            f"{host} leads to {private[0]}, in a private network: ALLOWED_PRIVATE_HOSTS does not name it"
        )
    return addresses


def open_request(request: Request, timeout: float, *, follow: bool = False) -> HTTPResponse:
    """Return the response to a request, whose caller closes it; redirects are followed on request.

    `timeout` is for each wait, in seconds. Raises HTTPError for another status than 2xx, and OSError
    (`URLError`, of which a PrivateAddressError may be the reason) if there is no response.
    """
    opener = OpenerDirector()
    # Not urllib's default ones: those read files, FTP and the proxies of the environment.
    for handler in (_HttpHandler, _HttpsHandler, HTTPDefaultErrorHandler, HTTPErrorProcessor, UnknownHandler):
        opener.add_handler(handler())
    if follow:
        opener.add_handler(_RedirectHandler())
    response: HTTPResponse = opener.open(request, timeout=timeout)
    return response


def _connect(host: str, port: int, timeout: Any) -> socket.socket:
    failure = OSError(f"{host} has no address")
    for address in resolve(host, port):
        try:
            return socket.create_connection((address, port), timeout)
        except OSError as error:
            failure = error
    raise failure


class _Connection(HTTPConnection):
    def connect(self) -> None:
        self.sock = _connect(self.host, self.port, self.timeout)


class _TlsConnection(HTTPSConnection, _Connection):
    """HTTPSConnection begins TLS, under the host's name, on the connection that `_Connection` has made."""


class _HttpHandler(HTTPHandler):
    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(_Connection, req)


class _HttpsHandler(HTTPSHandler):
    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(_TlsConnection, req)


class _RedirectHandler(HTTPRedirectHandler):
    max_redirections = 5

    def redirect_request(self, req: Request, *answer: Any) -> Request | None:
        """Return the next request; None, which makes the redirect an error, if it would leave TLS."""
        following = super().redirect_request(req, *answer)
        leaves_tls = req.type == "https" and following is not None and following.type != "https"
        return None if leaves_tls else following
