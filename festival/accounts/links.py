"""Links for choosing a password, for invitations and for forgotten passwords."""

import logging
from collections.abc import Sequence
from datetime import datetime
from threading import Thread
from typing import Any

from allauth.account.internal.flows.login import record_authentication
from django.conf import settings
from django.contrib.auth import views
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.contrib.messages.views import SuccessMessageMixin
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db import connection
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import path, reverse, reverse_lazy
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _

from festival import clock
from festival.accounts.access import account_of, has_access, has_second_step, is_invited, update_account
from festival.accounts.log import LINK_MADE, record
from festival.accounts.models import Account
from programme.backoffice.roles import DESCRIPTIONS, LABELS, role_of
from programme.models import Festival

logger = logging.getLogger(__name__)

# Seconds between two messages to an account.
MAIL_INTERVAL = 120


class LinkTokens(PasswordResetTokenGenerator):
    """Tokens that expire with time, use, the next sign-in, the end of access, or a new link."""

    def check_token(self, user: Any, token: str | None) -> bool:
        return user is not None and has_access(user) and super().check_token(user, token)

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        link_at = account_of(user).link_at
        return f"{super()._make_hash_value(user, timestamp)}{link_at.timestamp() if link_at else ''}"

    def _now(self) -> datetime:
        # Without a zone, as the base class calculates.
        return clock.now().replace(tzinfo=None)


tokens = LinkTokens()


def build_link(user: User) -> str:
    """Return a link with which anyone can choose the account's password."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    page = reverse("password_reset_confirm", args=[uid, tokens.make_token(user)])
    return f"{settings.BASE_URL}{page}"


def renew_link(user: User) -> str:
    """Return a new link, which invalidates all former ones."""
    update_account(user, link_at=clock.now(), is_undelivered=False)
    record(LINK_MADE, user)
    return build_link(user)


class ForgottenPasswordForm(PasswordResetForm):
    """Sends the link in the background, so that the response time does not reveal accounts."""

    def get_users(self, email: str) -> Any:
        """Yield the accounts with access that have a password or an invitation."""
        for user in User.objects.select_related("account").filter(email__iexact=email):
            if (user.has_usable_password() or is_invited(user)) and has_access(user):
                yield user

    def save(self, *_arguments: Any, **_options: Any) -> None:
        users = self.get_users(self.cleaned_data["email"])
        asked = [each for each in users if cache.add(f"password-mail-{each.pk}", 1, timeout=MAIL_INTERVAL)]
        if settings.HAS_EMAIL:
            send_in_background([build_message(user) for user in asked])


def build_message(user: User, by: Any = None) -> EmailMessage:
    """Return the message with a link in all languages, the active one first."""
    role = role_of(user)
    context = {
        "user": user,
        "by": by and (by.get_full_name() or by.get_username()),
        "festival": Festival.objects.values_list("name_sv", flat=True).first() or _("Festival programme"),
        "role": LABELS[role] if role else "",
        "may": DESCRIPTIONS[role] if role else "",
        "link": build_link(user),
        "address": settings.BASE_URL,
    }
    subject = _("Your account for the programme: {festival}").format_map(context)
    texts = []
    for language, _name in sorted(settings.LANGUAGES, key=lambda each: each[0] != get_language()):
        with override(language):
            texts.append(render_to_string("account/message.txt", context).strip())
    return EmailMessage(subject, "\n\n".join(texts) + "\n", None, [user.email])


def send_in_background(written: Sequence[EmailMessage]) -> None:
    """Send messages in a thread, because mail servers are slow; mark accounts whose message is refused."""
    Thread(target=_send_all, args=[written], name="account-mail").start()


def _send_all(written: Sequence[EmailMessage]) -> None:
    for message in written:
        try:
            message.send()
        except OSError as error:  # smtplib's errors are such, too
            logger.error("A link for choosing a password could not be sent: %s", error)  # noqa: TRY400 - the cause is enough
            Account.objects.filter(user__email__in=message.to).update(is_undelivered=True)
    connection.close()


class ForgottenPasswordView(SuccessMessageMixin, views.PasswordResetView):  # type: ignore[type-arg]  # generic in its stubs only
    title = gettext_lazy("Forgotten password")
    template_name = "account/forgotten.html"
    form_class = ForgottenPasswordForm
    success_url = reverse_lazy("account_login")
    success_message = gettext_lazy(
        "If there is an account with this address, a message with a link is on its way."
    )


class ChoosePasswordView(SuccessMessageMixin, views.PasswordResetConfirmView):  # type: ignore[type-arg]  # the same
    title = gettext_lazy("Choose a password")
    template_name = "account/choose_password.html"
    token_generator = tokens
    success_url = reverse_lazy("admin:index")
    success_message = gettext_lazy("Your password is chosen")

    def form_valid(self, form: Any) -> HttpResponse:
        """Set the password; sign in users without a second step, which a link must not bypass."""
        if not has_second_step(form.user):
            self.post_reset_login = True
            record_authentication(self.request, form.user, "password")
        return super().form_valid(form)

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        page = super().get_context_data(**context)
        return page if self.validlink else page | {"title": _("The link is no longer valid")}


# Django's own names: its sign-in page shows the first one if there is one.
urlpatterns = [
    path("", ForgottenPasswordView.as_view(), name="admin_password_reset"),
    path("<uidb64>/<token>/", ChoosePasswordView.as_view(), name="password_reset_confirm"),
]
