"""Choosing a password, by a link that `festival user` prints or that is sent to who has forgotten theirs."""

import logging
from datetime import datetime
from threading import Thread
from typing import Any

from django.conf import settings
from django.contrib.admin import site
from django.contrib.auth import views
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from festival import clock

logger = logging.getLogger(__name__)

# Seconds within which an account gets no second message, however often somebody asks for one.
MAIL_INTERVAL = 120


class LinkTokens(PasswordResetTokenGenerator):
    """Tokens that end after PASSWORD_RESET_TIMEOUT, once used, at the next sign-in, or without access."""

    def check_token(self, user: Any, token: str | None) -> bool:
        return user is not None and user.is_active and super().check_token(user, token)

    def _now(self) -> datetime:
        # Without a zone, as the base class calculates.
        return clock.now().replace(tzinfo=None)


tokens = LinkTokens()


def build_link(user: User) -> str:
    """Return the address at which this user, and whoever else has it, can choose the account's password."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    token = tokens.make_token(user)
    page = reverse("password_reset_confirm", kwargs={"uidb64": uid, "token": token})
    return f"{settings.BASE_URL}{page}"


class ForgottenPasswordForm(PasswordResetForm):
    """Sends the link, in a thread of its own: how long the page takes does not say who has an account."""

    def send_mail(  # noqa: PLR0913, PLR0917 - as the base class declares it
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,  # noqa: ARG002 - the same
    ) -> None:
        user: User = context["user"]
        if not cache.add(f"password-mail-{user.pk}", value=True, timeout=MAIL_INTERVAL):
            return
        texts = {"user": user, "link": build_link(user), "address": settings.BASE_URL}
        subject = render_to_string(subject_template_name, texts).strip()
        message = EmailMessage(subject, render_to_string(email_template_name, texts), from_email, [to_email])
        Thread(target=deliver, args=[message], name="password-mail").start()


def deliver(message: EmailMessage) -> None:
    try:
        message.send()
    except OSError as error:  # smtplib's errors are such, too
        logger.error("A link for choosing a password could not be sent: %s", error)  # noqa: TRY400 - the cause is enough


class BackOfficePage:
    """The back office's look for Django's views."""

    request: HttpRequest

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        page: dict[str, Any] = super().get_context_data(**context)  # type: ignore[misc]  # the view's
        return site.each_context(self.request) | page | {"has_email": settings.HAS_EMAIL}


class ForgottenPasswordView(BackOfficePage, views.PasswordResetView):
    title = gettext_lazy("Forgotten password")
    template_name = "admin/password/forgotten.html"
    form_class = ForgottenPasswordForm
    subject_template_name = "admin/password/subject.txt"
    email_template_name = "admin/password/message.txt"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        # Without e-mail, the page says so instead of showing a form.
        handle = super().post if settings.HAS_EMAIL else super().get
        return handle(request, *args, **kwargs)


class LinkSentView(BackOfficePage, views.PasswordResetDoneView):
    title = gettext_lazy("Look in your e-mail")
    template_name = "admin/password/sent.html"


class ChoosePasswordView(BackOfficePage, views.PasswordResetConfirmView):
    title = gettext_lazy("Choose a password")
    template_name = "admin/password/choose.html"
    token_generator = tokens

    def form_valid(self, form: Any) -> HttpResponse:
        """Set the password, unless the link was used meanwhile by a request at the same time."""
        # Hashing waits for its turn; the row is not locked for so long.
        user: User = form.save(commit=False)
        token = self.request.session[views.INTERNAL_RESET_SESSION_TOKEN]
        with transaction.atomic():
            self.validlink = tokens.check_token(
                User.objects.select_for_update().filter(pk=user.pk).first(), token
            )
            if not self.validlink:
                return self.render_to_response(self.get_context_data())
            user.save(update_fields=["password"])
        del self.request.session[views.INTERNAL_RESET_SESSION_TOKEN]
        return HttpResponseRedirect(self.get_success_url())

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        page = super().get_context_data(**context)
        return page if self.validlink else page | {"title": _("The link is no longer valid")}


class PasswordChosenView(BackOfficePage, views.PasswordResetCompleteView):
    title = gettext_lazy("Your password is chosen")
    template_name = "admin/password/chosen.html"


# Django's own names: its sign-in page shows the first one if there is one.
urlpatterns = [
    path("", ForgottenPasswordView.as_view(), name="admin_password_reset"),
    path("sent/", LinkSentView.as_view(), name="password_reset_done"),
    path("chosen/", PasswordChosenView.as_view(), name="password_reset_complete"),
    path("<uidb64>/<token>/", ChoosePasswordView.as_view(), name="password_reset_confirm"),
]
