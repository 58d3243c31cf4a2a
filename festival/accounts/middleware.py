"""Middleware of accounts: the look of their pages, sessions that last while used, a required second step."""

from collections.abc import Callable

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from requests import RequestException

from festival import clock
from festival.accounts import two_factor, views
from festival.accounts.adapters import PROVIDER_FAILED, refuse
from festival.accounts.receivers import EXTENDED
from festival.http.headers import BACK_OFFICE

# Of requests that a page sends by itself, so that an open window is no use of a session.
IN_BACKGROUND = "X-In-Background"

GetResponse = Callable[[HttpRequest], HttpResponse]


class BackOfficeAccountMiddleware:
    """Show django-allauth's pages in the back office's look, and a sentence if a provider fails."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_template_response(self, request: HttpRequest, response: TemplateResponse) -> TemplateResponse:
        context = response.context_data or {}
        if request.path_info.startswith(BACK_OFFICE) and "site_header" not in context:
            name = getattr(request.resolver_match, "url_name", None)
            shared = admin.site.each_context(request) | {"has_email": settings.HAS_EMAIL}
            titled = {"title": views.TITLES[name]} if name in views.TITLES else {}
            response.context_data = shared | titled | context
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, RequestException):
            return refuse(request, PROVIDER_FAILED)
        return None


class KeepSessionMiddleware:
    """Move the end of a session that is in use, at most once in SESSION_EXTENDED_EVERY seconds."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_used = request.path_info.startswith(BACK_OFFICE) and IN_BACKGROUND not in request.headers
        if is_used and request.user.is_authenticated:
            now = int(clock.now().timestamp())
            if now - request.session.get(EXTENDED, 0) >= settings.SESSION_EXTENDED_EVERY:
                # Saving it moves its end, in the database and in the cookie.
                request.session[EXTENDED] = now
        return self.get_response(request)


class RequireTwoFactorMiddleware:
    """Lead who must have a second step, and has none, to the page that sets it up."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _needs_second_step(request):
            return HttpResponseRedirect(reverse("mfa_index"))
        return self.get_response(request)


def _needs_second_step(request: HttpRequest) -> bool:
    path = request.path_info
    if not settings.TWO_FACTOR_REQUIRED or not path.startswith(BACK_OFFICE):
        return False
    names = ("admin_password_reset", "admin:logout", "admin:jsi18n")
    if path.startswith((f"{BACK_OFFICE}account/", *map(reverse, names))) or not request.user.is_authenticated:
        return False
    return two_factor.is_required(request.user) and not two_factor.is_set_up(request.user)
