"""The adapters of django-allauth: no sign-up, and rate limits."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy

from festival.accounts.access import STEPS, has_access, needs_second_step
from festival.metrics import SIGN_INS
from programme.api.client_address import find_network, get_client_address

NO_ACCOUNT = gettext_lazy(
    "You have signed in there, but no account of the back office has your e-mail address. "
    "Ask an administrator to create one, or to write your address into it."
)
PROVIDER_FAILED = gettext_lazy("Signing in there did not work. Try again, or sign in with a password.")


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # untyped
    """Signs in accounts that administrators have created."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "too_many_login_attempts": gettext_lazy(
            "There were too many failed attempts. Try again in a quarter of an hour."
        )
    }

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt, and refuse it if there were too many."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            SIGN_INS.labels("refused").inc()
            raise

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count by account and network, so that nobody can lock out a user elsewhere."""
        return f"{credentials['username'].casefold()}|{find_network(self.get_client_ip(request))}"

    def pre_login(self, request: HttpRequest, user: Any, **_login: Any) -> HttpResponse | None:
        """Refuse accounts without access, whichever way they have signed in."""
        return None if has_access(user) else refuse(request, NO_ACCOUNT)

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002 - allauth's hook
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        return get_client_address(request.META)


def refuse(request: HttpRequest, message: Any) -> HttpResponse:
    """Return to the sign-in page with a message."""
    messages.error(request, message)
    return HttpResponseRedirect(reverse("account_login"))


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # the same
    """Second steps, which some accounts must not remove."""

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        user = authenticator.user
        others = Authenticator.objects.filter(user=user, type__in=STEPS).exclude(pk=authenticator.pk)
        return not needs_second_step(user) or others.exists()


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # the same
    """Signs in by the organization's accounts, matched by e-mail address and not stored."""

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Find the account with the verified address; refuse if there is not exactly one."""
        active = User.objects.filter(is_active=True, is_staff=True)
        verified = [each.email for each in sociallogin.email_addresses if each.verified is True]
        found = [user for address in verified for user in active.filter(email__iexact=address)]
        if len(found) != 1:
            SIGN_INS.labels("failed").inc()
            raise ImmediateHttpResponse(refuse(request, NO_ACCOUNT))
        [sociallogin.user] = found

    def on_authentication_error(self, request: HttpRequest, provider: Any, **_error: Any) -> None:  # noqa: ARG002 - allauth's hook
        raise ImmediateHttpResponse(refuse(request, PROVIDER_FAILED))
