"""The pages of signing in that are more than django-allauth's or Django's own."""

from http import HTTPStatus
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.views import LoginView
from allauth.mfa.base.views import IndexView
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from festival.accounts import two_factor
from festival.accounts.access import keep
from festival.accounts.forms import SignInForm
from festival.accounts.language import speak
from festival.accounts.log import describe_latest

# Lines of the log that users see of their own accounts.
RECENT = 10

TITLES = {
    "account_login": gettext_lazy("Sign in"),
    "account_reauthenticate": gettext_lazy("Confirm that it is you"),
    "mfa_authenticate": gettext_lazy("The second step"),
    "mfa_reauthenticate": gettext_lazy("Confirm that it is you"),
    "mfa_reauthenticate_webauthn": gettext_lazy("Confirm that it is you"),
    "mfa_index": gettext_lazy("Signing in"),
    "mfa_activate_totp": gettext_lazy("Set up an authenticator app"),
    "mfa_deactivate_totp": gettext_lazy("Stop using the authenticator app"),
    "mfa_view_recovery_codes": gettext_lazy("Recovery codes"),
    "mfa_generate_recovery_codes": gettext_lazy("Make recovery codes"),
    "mfa_add_webauthn": gettext_lazy("Add a passkey"),
    "mfa_edit_webauthn": gettext_lazy("Rename the passkey"),
    "mfa_remove_webauthn": gettext_lazy("Remove the passkey"),
}


class SignInView(LoginView):  # type: ignore[misc]  # untyped
    """The sign-in page: password, passkey, or the organization's accounts."""

    form_class = SignInForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        provider = settings.OIDC_NAME if settings.OIDC_SERVER_URL else ""
        return context | {"provider": provider, "next": self.get_next_url()}

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        response: HttpResponse = super().form_invalid(form)
        if form.has_error(NON_FIELD_ERRORS, "too_many_login_attempts"):
            response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        return response


class OwnSignInView(IndexView):  # type: ignore[misc]  # the same
    """How the user signs in, what can be set up, and what has happened to the account lately."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        user = self.request.user
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {
            "is_missing": two_factor.is_required(user) and not two_factor.is_set_up(user),
            "events": describe_latest(user, RECENT),
        }


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Keep the choice of a user or of an organizer's browser; go back to the page on which it was made."""
    language, page = request.POST.get("language", ""), request.POST.get("next", "")
    if language in dict(settings.LANGUAGES):
        if request.user.is_authenticated:
            keep(request.user, language=language)
        speak(request, language)
    return HttpResponseRedirect(page if get_adapter().is_safe_url(page) else reverse("admin:index"))


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """Answer 429 for django-allauth, which counts by the minute."""
    text = _("There were too many attempts from your network. Wait a minute, go back and try again.")
    context = admin.site.each_context(request) | {"title": _("Please wait"), "text": text}
    response = render(request, "account/wait.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)
    response["Retry-After"] = "60"
    return response
