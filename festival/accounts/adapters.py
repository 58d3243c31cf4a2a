"""How django-allauth fits the back office: no accounts of its own, limits, addresses, names, messages."""

import re
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote, urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from festival.accounts import limits, two_factor
from festival.accounts.access import account_of, has_access, speak
from festival.accounts.log import record
from festival.accounts.models import Kind
from festival.http.client_address import get_client_address
from festival.http.headers import BACK_OFFICE
from festival.metrics import SIGN_INS
from programme.models import Festival

NO_ACCOUNT = gettext_lazy(
    "You have signed in there, but no account of the back office has your e-mail address. "
    "Ask an administrator to create one, or to write your address into it."
)
PROVIDER_FAILED = gettext_lazy("Signing in there did not work. Try again, or sign in with a password.")


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # untyped
    """Sign in accounts that administrators have made."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": gettext_lazy("The username or the password is wrong."),
        "too_many_login_attempts": gettext_lazy(
            "There were too many failed attempts. Try again in a quarter of an hour, or ask an administrator "
            "to unlock the account."
        ),
    }

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt; refuse it if there were too many, which is logged once."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            SIGN_INS.labels("refused").inc()
            if limits.is_news(request, credentials["username"]):
                record(Kind.BLOCKED, name=credentials["username"], request=request)
            raise

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        return limits.build_key(request, credentials["username"])

    def pre_login(self, request: HttpRequest, user: Any, **_login: Any) -> HttpResponse | None:
        """Refuse accounts that have lost their access, by whichever way they have signed in."""
        if not has_access(user):
            return refuse(request, NO_ACCOUNT)
        limits.open_second_step(request, user)
        # The second step is asked for in it.
        speak(request, account_of(user).language)
        return None

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002 - allauth's hook
        return False

    def is_safe_url(self, url: str | None) -> bool:
        """Return whether `next` leads inside the back office."""
        if not url or not url_has_allowed_host_and_scheme(url, allowed_hosts=None):
            return False
        path = unquote(urlsplit(url).path)
        # Browsers resolve dots, and read backslashes as slashes.
        return path.startswith(BACK_OFFICE) and not re.search(r"\\|/\.{1,2}(/|$)|[\x00-\x1f]", unquote(url))

    def get_client_ip(self, request: HttpRequest) -> str:
        return get_client_address(request.META)


def refuse(request: HttpRequest, message: Any) -> HttpResponse:
    """Return to the sign-in page with a message."""
    messages.error(request, message)
    return HttpResponseRedirect(reverse("account_login"), status=HTTPStatus.FOUND)


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # the same
    """Second steps under the festival's name and address."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": gettext_lazy("The code is not right. Wait for the next one and try again."),
    }

    def generate_authenticator_name(self, user: Any, type: Any) -> str:  # noqa: A002 - allauth's hook
        others = Authenticator.objects.filter(user=user, type=type)
        name: str = super().generate_authenticator_name(user, type) if others.exists() else _("My phone")
        return name

    def get_totp_issuer(self) -> str:
        return find_festival_name()

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {"id": urlsplit(settings.BASE_URL).hostname or "", "name": find_festival_name()}

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """Keep the last second step of an account that must have one."""
        user = authenticator.user
        others = Authenticator.objects.filter(user=user, type__in=two_factor.STEPS).exclude(
            pk=authenticator.pk
        )
        return not two_factor.is_required(user) or others.exists()


def find_festival_name() -> str:
    name: str | None = Festival.objects.values_list("name_sv", flat=True).first()
    return name or _("Festival programme")


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # the same
    """Sign in with the organization's accounts: matched each time by e-mail address, never stored."""

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Find the one account that has the verified address; refuse all else."""
        active = User.objects.filter(is_active=True, is_staff=True)
        verified = [each.email for each in sociallogin.email_addresses if each.verified is True]
        found = [user for address in verified for user in active.filter(email__iexact=address)]
        if len(found) != 1:
            record(Kind.FAILED, detail="openid_connect", request=request)
            raise ImmediateHttpResponse(refuse(request, NO_ACCOUNT))
        [sociallogin.user] = found

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:  # noqa: ARG002 - allauth's hook
        return False

    def on_authentication_error(self, request: HttpRequest, provider: Any, **_error: Any) -> None:  # noqa: ARG002 - allauth's hook
        raise ImmediateHttpResponse(refuse(request, PROVIDER_FAILED))
