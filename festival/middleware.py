"""What every request passes through: the clock read once, and what does not belong to the API kept off it."""

from collections.abc import Callable

from corsheaders.conf import conf
from corsheaders.middleware import (
    ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS,
    CorsMiddleware,
)
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.locale import LocaleMiddleware
from django.utils import translation

from festival import clock

BACK_OFFICE = "/admin/"


class RequestInstant:
    """Set `request.instant`, an aware datetime in UTC."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.instant = clock.now()  # type: ignore[attr-defined]
        return self.get_response(request)


class PublicCors(CorsMiddleware):
    """Says to everybody that every origin may read.

    The library says so only to requests with an `Origin` and adds `Vary: origin`; a shared cache
    would keep an answer for each website, or give one without the header to a browser that needs it.
    """

    def add_response_headers(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        vary = response.get("Vary")
        response = super().add_response_headers(request, response)
        if self.is_enabled(request):
            response[ACCESS_CONTROL_ALLOW_ORIGIN] = "*"
            response[ACCESS_CONTROL_EXPOSE_HEADERS] = ", ".join(conf.CORS_EXPOSE_HEADERS)
            del response["Vary"]
            if vary is not None:
                response["Vary"] = vary
        return response


class BackOfficeLocale(LocaleMiddleware):
    """Lets the browser choose the back office's language, and no other page's or answer's."""

    def process_request(self, request: HttpRequest) -> None:
        if request.path_info.startswith(BACK_OFFICE):
            super().process_request(request)
        else:
            # The language belongs to the thread, which may have served the back office before.
            translation.activate(settings.LANGUAGE_CODE)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if request.path_info.startswith(BACK_OFFICE):
            return super().process_response(request, response)
        return response
