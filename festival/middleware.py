"""Reads the clock once for each request, so that all of an answer belongs to one instant."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from festival import clock


class RequestInstant:
    """Set `request.instant`, an aware datetime in UTC."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.instant = clock.now()  # type: ignore[attr-defined]
        return self.get_response(request)
