"""/healthz, /readyz and /metrics, ahead of other middleware: monitors ask by any host name, without TLS."""

import json
from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse

from festival import __version__
from festival.monitoring import exposition, health
from festival.monitoring.access import may_monitor

Respond = Callable[[HttpRequest], HttpResponse]


class MonitoringMiddleware:
    """Answer the addresses for monitors; to everybody else they do not exist."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        is_open = path == "/healthz"
        respond = ENDPOINTS.get(path)
        if respond is None or not (is_open or may_monitor(request.META)):
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
    text = json.dumps(body, indent=2, ensure_ascii=False, default=str) + "\n"
    response = HttpResponse(text, status=status, content_type="application/json")
    # A monitor asks again and again, and shows the reasons.
    vars(response)["_has_been_logged"] = True
    return response


def show_metrics(request: HttpRequest) -> HttpResponse:
    body, content_type = exposition.write(request.headers.get("Accept", ""))
    return HttpResponse(body, content_type=content_type)


ENDPOINTS: dict[str, Respond] = {
    "/healthz": show_life,
    "/readyz": show_readiness,
    "/metrics": show_metrics,
}
