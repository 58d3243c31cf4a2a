"""Passwords: how they are hashed, which are refused, and the links at which they are chosen.

A link is that of an invitation, one to hand over, or for who has forgotten the password.
"""

import logging
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from threading import RLock, Thread
from typing import Any

from allauth.account.internal.flows.login import record_authentication
from django.conf import settings
from django.contrib.auth import views
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import connection
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils.encoding import force_bytes
from django.utils.http import base36_to_int, urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from zxcvbn import zxcvbn

from festival import clock
from festival.accounts import limits, log
from festival.accounts.access import account_of, has_ended, is_invited, keep
from festival.accounts.models import Account, Kind
from programme.models import Festival

logger = logging.getLogger(__name__)

# Seconds within which an account gets no second message, however often somebody asks for one.
MAIL_INTERVAL = 120
# The highest of zxcvbn's scores: more than 10^10 guesses.
NEEDED = 4
# Beyond this many characters nobody guesses, and estimating takes time.
CONSIDERED = 40
# zxcvbn has English words and names; these are what Swedish passwords are made of.
SWEDISH = """
    vinter vår sommar sommaren höst jul julen påsk midsommar januari februari augusti oktober måndag tisdag
    onsdag torsdag fredag lördag söndag lösenord lösen hemligt välkommen inloggning användare redaktör hejhej
    hejsan tjena festivalen programmet konserten scenen musiken kulturnatten teatern staden sverige stockholm
    göteborg malmö uppsala älskling hjärta katten hunden
"""


# Verifying a password encodes it.
_turn = RLock()


class Argon2Hasher(Argon2PasswordHasher):
    """Argon2id with OWASP's first recommendation: 19 MiB, two passes, one thread; 45 ms on two 2020s cores.

    Django's default takes 100 MiB and eight threads, all processors of the machine that readers share. Here
    they hash in turn, so that a flood of sign-ins takes one processor at most.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _turn:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with _turn:
            return super().verify(password, encoded)


class NotGuessableValidator:
    """Refuse what is made of known words, years, rows of keys and names of the user and the festival.

    People write `sommar26` unless somebody tells them what to write instead.
    """

    def validate(self, password: str, user: Any = None) -> None:
        known = [*find_names(user), *SWEDISH.split()]
        if zxcvbn(password[:CONSIDERED], user_inputs=known)["score"] < NEEDED:
            message = _(
                "This password is easy to guess: it is made of common words, names, years or rows of keys."
            )
            raise ValidationError(message, code="password_guessable")

    def password_changed(self, password: str, user: Any) -> None:  # noqa: ARG002 - Django's hook
        """Log it and unlock the account: Django tells validators alone, and not when it renews a hash."""
        # Not its second step: whoever reads the mail would guess codes again after each link.
        limits.unlock_password(user)
        log.record(Kind.PASSWORD, user)

    def get_help_text(self) -> str:
        return _("Best are three or four words that have nothing to do with each other or with the festival.")


def find_names(user: Any) -> list[str]:
    """Return the words of the user's names and address, and of the festival's name."""
    texts = [text for names in Festival.objects.values_list("name_sv", "name_en") for text in names]
    texts += [str(getattr(user, name, "") or "") for name in ("username", "first_name", "last_name", "email")]
    return [word for text in texts for word in re.split(r"[\W_\d]+", text.casefold()) if word]


class LinkTokens(PasswordResetTokenGenerator):
    """Tokens that end with time, once used, at the next sign-in, without access, or with a new link."""

    def check_token(self, user: Any, token: str | None) -> bool:
        return (
            user is not None
            and user.is_active
            and not has_ended(user)
            and super().check_token(user, token)
            and self._find_age(token or "") <= find_lifetime(user)
        )

    def _find_age(self, token: str) -> timedelta:
        made = base36_to_int(token.partition("-")[0])
        return timedelta(seconds=self._num_seconds(self._now()) - made)

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        link_at = account_of(user).link_at
        return f"{super()._make_hash_value(user, timestamp)}{link_at.timestamp() if link_at else ''}"

    def _now(self) -> datetime:
        # Without a zone, as the base class calculates.
        return clock.now().replace(tzinfo=None)


tokens = LinkTokens()


def find_lifetime(user: User) -> timedelta:
    """Return how long a link for this user's password is valid: an invitation may lie over a weekend."""
    is_first = is_invited(user)
    return timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT if is_first else settings.SECOND_LINK_TIMEOUT)


def build_link(user: User) -> str:
    """Return the address at which this user, and whoever else has it, can choose the account's password."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    token = tokens.make_token(user)
    page = reverse("password_reset_confirm", kwargs={"uidb64": uid, "token": token})
    return f"{settings.BASE_URL}{page}"


def renew_link(user: User) -> str:
    """Return a link to hand over, which ends all links made before."""
    keep(user, link_at=clock.now(), is_undelivered=False)
    return build_link(user)


class ForgottenPasswordForm(PasswordResetForm):
    """Sends the link in the background: how long the page takes does not say who has an account."""

    def get_users(self, email: str) -> Any:
        """Yield the accounts that get a link: those with a password, and those that are to choose one."""
        for user in User.objects.select_related("account").filter(email__iexact=email, is_active=True):
            if (user.has_usable_password() or is_invited(user)) and not has_ended(user):
                yield user

    def save(self, *_arguments: Any, **_options: Any) -> None:
        users = self.get_users(self.cleaned_data["email"])
        asked = [each for each in users if cache.add(f"password-mail-{each.pk}", 1, timeout=MAIL_INTERVAL)]
        if settings.HAS_EMAIL:
            send_in_background([(user, build_message(user)) for user in asked])


def build_message(user: User) -> EmailMessage:
    texts = {"user": user, "link": build_link(user), "address": settings.BASE_URL}
    subject = render_to_string("admin/password/subject.txt", texts).strip()
    return EmailMessage(subject, render_to_string("admin/password/message.txt", texts), None, [user.email])


def send_in_background(messages: Sequence[tuple[User, EmailMessage]]) -> None:
    """Send messages in a thread: a mail server takes its time. Note the accounts whose message it refuses."""
    Thread(target=_send_all, args=[messages], name="account-mail").start()


def _send_all(messages: Sequence[tuple[User, EmailMessage]]) -> None:
    for user, message in messages:
        try:
            message.send()
        except OSError as error:  # smtplib's errors are such, too
            logger.error("A link for choosing a password could not be sent: %s", error)  # noqa: TRY400 - the cause is enough
            Account.objects.filter(user=user.pk).update(is_undelivered=True)
    connection.close()


class ChoosePasswordView(views.PasswordResetConfirmView):
    title = gettext_lazy("Choose a password")
    template_name = "admin/password/choose.html"
    token_generator = tokens

    def form_valid(self, form: Any) -> HttpResponse:
        """Set the password; sign in who is invited and so has no second step yet."""
        if is_invited(form.user):
            self.post_reset_login, self.success_url = True, reverse("admin:index")
            record_authentication(self.request, form.user, "password")
        return super().form_valid(form)

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        page = super().get_context_data(**context)
        if not self.validlink:
            return page | {"title": _("The link is no longer valid")}
        if is_invited(page["form"].user):
            return page | {"title": _("Choose your password"), "is_invited": True}
        return page


forgotten = views.PasswordResetView.as_view(
    title=gettext_lazy("Forgotten password"),
    template_name="admin/password/forgotten.html",
    form_class=ForgottenPasswordForm,
)
link_sent = views.PasswordResetDoneView.as_view(
    title=gettext_lazy("Look in your e-mail"), template_name="admin/password/sent.html"
)
password_chosen = views.PasswordResetCompleteView.as_view(
    title=gettext_lazy("Your password is chosen"), template_name="admin/password/chosen.html"
)
# Django's own names: its sign-in page shows the first one if there is one.
urlpatterns = [
    path("", forgotten, name="admin_password_reset"),
    path("sent/", link_sent, name="password_reset_done"),
    path("chosen/", password_chosen, name="password_reset_complete"),
    path("<uidb64>/<token>/", ChoosePasswordView.as_view(), name="password_reset_confirm"),
]
