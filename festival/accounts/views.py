"""The pages of signing in that are more than django-allauth's or Django's own."""

from http import HTTPStatus
from typing import Any

from allauth.account.forms import LoginForm
from allauth.account.views import LoginView
from allauth.mfa.base.views import IndexView
from django.contrib import admin
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from festival.accounts import two_factor
from festival.accounts.models import AccountEvent
from programme.models.parsing import parse_int

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


class SignInForm(LoginForm):  # type: ignore[misc]  # untyped
    """Username and password, in fields of the names that Django's admin has."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
            field.help_text = ""
        attributes = {"autofocus": True, "autocapitalize": "none", "spellcheck": "false"}
        self.fields["login"].widget.attrs |= attributes

    def add_prefix(self, field_name: str) -> str:
        return "username" if field_name == "login" else field_name

    def clean_login(self) -> str:
        """Return an e-mail address as the account has it: people write capitals in theirs."""
        name: str = super().clean_login()
        if "@" not in name:
            return name
        found = list(User.objects.filter(username__iexact=name).values_list("username", flat=True))
        return found[0] if len(found) == 1 else name


class SignInView(LoginView):  # type: ignore[misc]  # untyped
    """The sign-in page: password, passkey, or the organization's accounts."""

    form_class = SignInForm

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
            "events": AccountEvent.objects.filter(account=user)[:RECENT],
        }


@require_safe
@never_cache
def show_session(request: HttpRequest) -> HttpResponse:
    """Return the token with which forms are sent now, and the dialog if `user` is not who is signed in.

    A session may end while a form is written: its page asks before it is sent, and a dialog on the page
    signs in; a second step and the organization's accounts have a window (static/accounts/sign-in-again.js).
    """
    is_signed_in = admin.site.has_permission(request)
    answer = {"token": get_token(request)}
    if not is_signed_in or request.user.pk != parse_int(request.GET.get("user")):
        context = {"other": request.user if is_signed_in else None, "done": reverse("account_signed_in")}
        answer["dialog"] = render_to_string("account/sign_in_again.html", context, request)
    return JsonResponse(answer)


@require_safe
@never_cache
def show_signed_in(request: HttpRequest) -> HttpResponse:
    """The last page of a window that has signed in; it tells the page with the form, and closes itself."""
    if not admin.site.has_permission(request):
        return redirect_to_login(request.path)
    context = admin.site.each_context(request) | {"title": _("You are signed in")}
    return TemplateResponse(request, "account/signed_in.html", context)


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """Answer 429 for django-allauth, which counts by the minute."""
    text = _("There were too many attempts from your network. Wait a minute, go back and try again.")
    context = admin.site.each_context(request) | {"title": _("Please wait"), "text": text}
    response = render(request, "account/wait.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)
    response["Retry-After"] = "60"
    return response
