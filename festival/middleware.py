"""What every request passes through: the clock read once, and what does not belong to the API kept off it."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from corsheaders.conf import conf
from corsheaders.middleware import (
    ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS,
    CorsMiddleware,
)
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.middleware.common import CommonMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from whitenoise.middleware import WhiteNoiseMiddleware

from festival import clock, errors
from programme.publishing.current import DatabaseUnavailable, current

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
BACK_OFFICE = "/admin/"
# What a page may load and do. Its own inline styles hold the areas' colours; scripts are never inline.
CONTENT_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' https: data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "frame-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


class RequestInstantMiddleware:
    """Read the clock into the request: `programme.api.instant.get_instant` returns it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.instant = clock.now()  # type: ignore[attr-defined]
        return self.get_response(request)


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """Static files: those too that the next version has collected while this process still runs.

    Otherwise a page of a process that was reloaded would be without its style where the request
    for it comes to one that is still to be.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self.directories.append((f"{settings.STATIC_ROOT}/", self.static_prefix))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if path.startswith(self.static_prefix) and path not in self.files:
            file = self.find_file(path)
            if file is not None:
                return self.serve(file, request)
        return super().__call__(request)


class PublicCorsMiddleware(CorsMiddleware):
    """Says to everybody that every origin may read.

    The library says so only to requests with an `Origin` and adds `Vary: origin`; a shared cache
    would keep an answer for each website, or give one without the header to a browser that needs it.
    """

    def add_response_headers(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        vary = response.get("Vary")
        response = super().add_response_headers(request, response)
        if self.is_enabled(request):
            response[ACCESS_CONTROL_ALLOW_ORIGIN] = "*"
            exposed = (each for each in conf.CORS_EXPOSE_HEADERS if each == "ETag" or each in response)
            response[ACCESS_CONTROL_EXPOSE_HEADERS] = ", ".join(exposed)
            del response["Vary"]
            if vary is not None:
                response["Vary"] = vary
        return response


class ContentLengthMiddleware(CommonMiddleware):
    """Django's, but 304 tells no length, which would be that of the 200 and not 0 (RFC 9110, section 8.6)."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            del response["Content-Length"]
        return response


class _BackOfficeOnly:
    """Keeps a middleware to the back office: what is public has no cookies, and no language but its own."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(BACK_OFFICE):
            return super().__call__(request)  # type: ignore[misc]
        return self.get_response(request)  # type: ignore[attr-defined]


class BackOfficeSessionMiddleware(_BackOfficeOnly, SessionMiddleware):
    """Sessions; elsewhere a broken session cookie would be answered with another one."""


class BackOfficeLocaleMiddleware(_BackOfficeOnly, LocaleMiddleware):
    """The browser chooses the back office's language, and no other page's or answer's."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # The language belongs to the thread, which may have served the back office before.
        translation.activate(settings.LANGUAGE_CODE)
        return super().__call__(request)


class BackOfficeCsrfMiddleware(_BackOfficeOnly, CsrfViewMiddleware):
    """Protection of forms, all of which are the back office's."""

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        return super().process_view(request, *view) if request.path_info.startswith(BACK_OFFICE) else None


class BackOfficeAuthenticationMiddleware(_BackOfficeOnly, AuthenticationMiddleware):
    """Who the editor is."""


class BackOfficeMessageMiddleware(_BackOfficeOnly, MessageMiddleware):
    """What the editor is told after saving."""


# Nothing is saved by what is refused.
REFUSED = range(HTTPStatus.BAD_REQUEST, HTTPStatus.INTERNAL_SERVER_ERROR)


def _may_have_saved(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether somebody who may save has: others can send as much as they like."""
    user = getattr(request, "user", None)
    return response.status_code not in REFUSED and user is not None and user.is_authenticated


class ReadYourWritesMiddleware:
    """Lets the process in which something was saved ask for the revision at once.

    Other processes trust theirs a little longer (`REVISION_TRUST_MS`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method not in SAFE_METHODS and _may_have_saved(request, response):
            current.doubt()
        return response


# What is HTML of these is a part of somebody else's page.
API = ("/api/areas", "/api/events", "/api/occations")


def content_policy(*, framed: bool) -> str:
    """Return the policy of public pages; `framed`: other websites may frame this one."""
    policy = CONTENT_POLICY | ({"frame-ancestors": "*"} if framed else {})
    return "; ".join(f"{directive} {sources}" for directive, sources in policy.items())


class ContentSecurityPolicyMiddleware:
    """Gives public pages their Content-Security-Policy, unless the view has given another."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if is_page and not request.path_info.startswith((BACK_OFFICE, *API)):
            framed = getattr(response, "xframe_options_exempt", False)
            response.headers.setdefault("Content-Security-Policy", content_policy(framed=framed))
        return response


class DatabaseUnavailableMiddleware:
    """Answers 503 where the database is away and no programme was kept to answer from."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return errors.database_unavailable(request) if isinstance(exception, DatabaseUnavailable) else None
