"""The middleware of accounts: extension of sessions, required second steps, and the context of pages."""

import struct

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from requests import RequestException

from festival import clock
from festival.accounts.access import has_second_step, needs_second_step
from festival.accounts.adapters import PROVIDER_FAILED, refuse
from festival.http.base import Middleware
from festival.http.headers import BACK_OFFICE

# When the end of a session was last moved, in its data.
EXTENDED = "accounts.extended"
# The exceptions of django-allauth and its passkey library for malformed input.
MALFORMED = (AttributeError, LookupError, RuntimeError, TypeError, ValueError, struct.error)
NO_PASSKEY = _(
    "The passkey was not used: it was cancelled, is not known here, or this browser does not support it."
)


class BackOfficeAccountMiddleware(Middleware):
    """Extends sessions and requires second steps in the back office."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(BACK_OFFICE) and request.user.is_authenticated:
            now = int(clock.now().timestamp())
            if now - request.session.get(EXTENDED, 0) >= settings.SESSION_EXTENDED_EVERY:
                # Saving the session extends it, in the database and in the cookie.
                request.session[EXTENDED] = now
            if _must_set_up_a_step(request):
                return HttpResponseRedirect(reverse("mfa_index"))
        return self.get_response(request)

    def process_template_response(self, request: HttpRequest, response: TemplateResponse) -> TemplateResponse:
        """Show django-allauth's and Django's pages in the back office's look."""
        context = response.context_data or {}
        if request.path_info.startswith(BACK_OFFICE) and "site_header" not in context:
            shared = admin.site.each_context(request) | {"has_email": settings.HAS_EMAIL}
            response.context_data = shared | context
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Show a message if a provider does not respond, or if a passkey is malformed."""
        if isinstance(exception, RequestException):
            return refuse(request, PROVIDER_FAILED)
        is_passkeys = isinstance(exception, MALFORMED) and "credential" in request.POST
        return refuse(request, NO_PASSKEY) if is_passkeys else None


def _must_set_up_a_step(request: HttpRequest) -> bool:
    """Return whether a user lacks a required second step and is not setting it up."""
    names = ("admin_password_reset", "admin:logout", "admin:jsi18n")
    open_paths = (f"{BACK_OFFICE}account/", *map(reverse, names))
    is_open = request.path_info.startswith(open_paths)
    return not is_open and needs_second_step(request.user) and not has_second_step(request.user)
