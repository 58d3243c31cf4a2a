"""/healthz, /readyz and /metrics, ahead of other middleware: monitors ask by any host name, without TLS."""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from festival import __version__
from festival.http.client_address import get_client_address
from festival.monitoring import exposition, health

Respond = Callable[[HttpRequest], HttpResponse]

# What proxies add. With one of them, a connection from this machine is somebody else's request.
FORWARDING_HEADERS = (
    *("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO"),
    *("HTTP_X_REAL_IP", "HTTP_FORWARDED", "HTTP_VIA"),
)
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


class MonitoringMiddleware:
    """Answer the addresses for monitors; to everybody else they do not exist."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        respond = ENDPOINTS.get(request.path_info)
        if respond is None or not (respond is show_life or may_monitor(request.META)):
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "GET, HEAD"})
        response = respond(request)
        response["Cache-Control"] = "no-store"
        response["X-Content-Type-Options"] = "nosniff"
        response["Content-Length"] = str(len(response.content))
        if request.method == "HEAD":
            response.content = b""
        return response


def may_monitor(meta: Mapping[str, Any]) -> bool:
    """Return whether a request may be answered, by its `META`: sender, network or token."""
    scheme, _, token = meta.get("HTTP_AUTHORIZATION", "").partition(" ")
    expected = settings.MONITORING_TOKEN
    if expected and scheme.lower() == "bearer" and constant_time_compare(token.strip(), expected):
        return True
    address = get_client_address(meta)
    networks = [ip_network(each, strict=False) for each in settings.MONITORING_ALLOW]
    return bool(address) and (_is_local(meta) or any(ip_address(address) in each for each in networks))


def _is_local(meta: Mapping[str, Any]) -> bool:
    """Return whether a program on this machine asks.

    A proxy on this machine that adds no header is recognized by the name that its client has asked for.
    """
    if any(name in meta for name in FORWARDING_HEADERS):
        return False
    host = meta.get("HTTP_HOST", "")
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return name in LOOPBACK_NAMES and ip_address(meta["REMOTE_ADDR"]).is_loopback


def show_life(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Answer that this process lives: no database, no disk."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


def show_readiness(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Answer 200, or 503 with the reasons."""
    outcomes = health.run()
    problems = {name: each.problem for name, each in outcomes.items() if each.problem}
    body = {
        "status": "unavailable" if problems else "ready",
        "version": __version__,
        "problems": problems,
        "checks": {name: each.figures for name, each in outcomes.items()},
    }
    status = HTTPStatus.SERVICE_UNAVAILABLE if problems else HTTPStatus.OK
    text = json.dumps(body, indent=2, ensure_ascii=False) + "\n"
    response = HttpResponse(text, status=status, content_type="application/json")
    # A monitor asks again and again, and shows the reasons.
    vars(response)["_has_been_logged"] = True
    return response


def show_metrics(request: HttpRequest) -> HttpResponse:
    body, content_type = exposition.write(request.headers.get("Accept", ""))
    return HttpResponse(body, content_type=content_type)


ENDPOINTS: dict[str, Respond] = {"/healthz": show_life, "/readyz": show_readiness, "/metrics": show_metrics}
