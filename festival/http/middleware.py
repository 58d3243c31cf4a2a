"""Middleware: the request's instant, headers of public responses, and features of the back office only."""

from collections.abc import Awaitable
from http import HTTPStatus
from typing import Any

from corsheaders.conf import conf
from corsheaders.middleware import CorsMiddleware
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin

from festival import clock
from festival.http import errors
from festival.http.base import Middleware
from festival.http.headers import BACK_OFFICE
from festival.http.replay_cache import INSTANT
from programme.models.dates import CURRENT_INSTANT
from programme.publishing.current import DatabaseUnavailable

Response = HttpResponseBase | Awaitable[HttpResponseBase]


class ProgrammeMiddleware(Middleware):
    """Sets the request's instant, which `get_instant` returns; responds with 503 without a programme."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.instant = request.META.get(INSTANT) or clock.now()  # type: ignore[attr-defined]
        token = CURRENT_INSTANT.set(request.instant)  # type: ignore[attr-defined]
        try:
            return self.get_response(request)
        finally:
            CURRENT_INSTANT.reset(token)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, DatabaseUnavailable):
            return None
        return errors.database_unavailable(request, exception)


class PublicCorsMiddleware(CorsMiddleware):
    """Allows every origin in every response.

    The library does so only for requests with an `Origin`, with `Vary: origin`: a shared cache would store a
    response for each website.
    """

    def add_response_headers(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        vary = response.get("Vary")
        response = super().add_response_headers(request, response)
        if self.is_enabled(request):
            response["Access-Control-Allow-Origin"] = "*"
            exposed = (each for each in conf.CORS_EXPOSE_HEADERS if each == "ETag" or each in response)
            response["Access-Control-Expose-Headers"] = ", ".join(exposed)
            del response["Vary"]
            if vary is not None:
                response["Vary"] = vary
        return response


class ContentLengthMiddleware(CommonMiddleware):
    """Removes `Content-Length: 0` from 304: it must be the length of the 200 (RFC 9110, section 8.6)."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response = super().process_response(request, response)
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            del response["Content-Length"]
        return response


class _BackOfficeOnly(MiddlewareMixin):
    """Restricts a middleware to the back office."""

    def __call__(self, request: HttpRequest) -> Response:
        if request.path_info.startswith(BACK_OFFICE):
            return super().__call__(request)
        return self.get_response(request)


class BackOfficeSessionMiddleware(_BackOfficeOnly, SessionMiddleware):
    """Sessions; on public pages Django would respond to an invalid session cookie with another cookie."""


class BackOfficeLocaleMiddleware(_BackOfficeOnly, LocaleMiddleware):
    """The browser's language, for the back office only."""

    def __call__(self, request: HttpRequest) -> Response:
        # The thread may still have the language of its last request to the back office.
        translation.activate(settings.LANGUAGE_CODE)
        return super().__call__(request)


class BackOfficeCsrfMiddleware(_BackOfficeOnly, CsrfViewMiddleware):
    """Protection of forms, which are all in the back office."""

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponseForbidden | None:
        is_protected = request.path_info.startswith(BACK_OFFICE)
        return super().process_view(request, *view) if is_protected else None


class BackOfficeAuthenticationMiddleware(_BackOfficeOnly, AuthenticationMiddleware):
    """The editor who is logged in."""


class BackOfficeMessageMiddleware(_BackOfficeOnly, MessageMiddleware):
    """Messages after saving."""
