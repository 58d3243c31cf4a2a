"""/healthz, /readyz and /metrics, before other middleware: monitors use any host name, without TLS."""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any

from django.http import HttpRequest, HttpResponse

from festival import __version__
from festival.http.base import Middleware
from festival.monitoring import exposition, health
from programme.api.client_address import get_client_address

Respond = Callable[[HttpRequest], HttpResponse]

# Headers that proxies add: such a request comes from another client than its connection.
FORWARDING_HEADERS = (
    *("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO"),
    *("HTTP_X_REAL_IP", "HTTP_FORWARDED", "HTTP_VIA"),
)


class MonitoringMiddleware(Middleware):
    """Serves the addresses for monitors; other clients get 404."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        respond = ENDPOINTS.get(request.path_info)
        if respond is None or not (respond is show_life or may_monitor(request.META)):
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "GET, HEAD"})
        response = respond(request)
        response["Cache-Control"] = "no-store"
        return response


def may_monitor(meta: Mapping[str, Any]) -> bool:
    """Return whether a request with this `META` comes directly from this machine or a private network."""
    address = get_client_address(meta)
    is_forwarded = any(name in meta for name in FORWARDING_HEADERS)
    return bool(address) and ip_address(address).is_private and not is_forwarded


def show_life(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Return `ok`, without using the database or the disk."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


def show_readiness(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Return 200, or 503 with the reasons."""
    problems = health.run()
    body = {"status": "unavailable" if problems else "ready", "version": __version__, "problems": problems}
    status = HTTPStatus.SERVICE_UNAVAILABLE if problems else HTTPStatus.OK
    text = json.dumps(body, indent=2, ensure_ascii=False) + "\n"
    response = HttpResponse(text, status=status, content_type="application/json")
    # Not logged, because monitors repeat the request and show the reasons.
    vars(response)["_has_been_logged"] = True
    return response


def show_metrics(request: HttpRequest) -> HttpResponse:
    body, content_type = exposition.write(request.headers.get("Accept", ""))
    return HttpResponse(body, content_type=content_type)


ENDPOINTS: dict[str, Respond] = {"/healthz": show_life, "/readyz": show_readiness, "/metrics": show_metrics}
