"""The pages of signing in that extend django-allauth's."""

from http import HTTPStatus
from typing import Any

from allauth.account.forms import LoginForm
from allauth.mfa.base.views import IndexView
from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from festival.accounts.access import has_second_step, needs_second_step
from festival.accounts.log import read_lines


class SignInForm(LoginForm):  # type: ignore[misc]  # untyped
    """Username and password, in fields of the names that Django's admin has."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            del field.widget.attrs["placeholder"]
        self.fields["login"].widget.attrs |= {"autofocus": True, "autocapitalize": "none"}

    def add_prefix(self, field_name: str) -> str:
        return "username" if field_name == "login" else field_name

    def clean_login(self) -> str:
        """Return the username that equals an e-mail address in any case."""
        name: str = super().clean_login()
        found = list(User.objects.filter(username__iexact=name)) if "@" in name else []
        return found[0].username if len(found) == 1 else name


class OwnSignInView(IndexView):  # type: ignore[misc]  # untyped
    """The user's ways of signing in, their setup, and the latest log of the account."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        user = self.request.user
        context: dict[str, Any] = super().get_context_data(**kwargs)
        is_missing = needs_second_step(user) and not has_second_step(user)
        return context | {"is_missing": is_missing, "events": read_lines(user, 10)}


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """Answer 429 for django-allauth, which counts by the minute."""
    context = admin.site.each_context(request) | {"title": _("Please wait")}
    response = render(request, "account/wait.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)
    response["Retry-After"] = "60"
    return response
