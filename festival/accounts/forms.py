"""The forms of signing in, where django-allauth's or Django's need the back office's ways."""

from collections.abc import Callable
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import LoginForm
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django.contrib.admin.forms import AdminPasswordChangeForm
from django.contrib.auth.forms import AdminPasswordChangeForm as AdminSetPasswordForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from festival.accounts import limits


class SignInForm(LoginForm):  # type: ignore[misc]  # untyped
    """Username and password, in fields of the names that Django's admin has."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
            field.help_text = ""
        self.fields["login"].widget.attrs |= {
            "autofocus": True,
            "autocapitalize": "none",
            "spellcheck": "false",
        }

    def add_prefix(self, field_name: str) -> str:
        return "username" if field_name == "login" else field_name


class ChangePasswordForm(AdminPasswordChangeForm):
    """The old password and a new one; wrong old ones count as failed attempts to sign in."""

    def clean_old_password(self) -> str:
        password: str = self.cleaned_data["old_password"]
        if not get_adapter().reauthenticate(self.user, password):
            raise ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        return password


class SetPasswordForm(AdminSetPasswordForm):  # type: ignore[type-arg]  # generic in its stubs only
    """A password that an administrator sets for somebody: Django's form also has a way to take it away."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("usable_password", None)
        for field in self.fields.values():
            field.required = True


def _try_step(user: Any, check: Callable[[], Any]) -> Any:
    """Check a second step, which counts as failed if it raises an error."""
    try:
        attempt = limits.begin_second_step(context.request, user.get_username())
    except limits.BlockedError:
        raise get_adapter().validation_error("too_many_login_attempts") from None
    checked = check()
    attempt.forgive()
    return checked


class _Code:
    """Limit how often a code is tried."""

    user: Any

    def clean_code(self) -> Any:
        return _try_step(self.user, super().clean_code)  # type: ignore[misc]


class SecondStepCodeForm(_Code, AuthenticateForm):  # type: ignore[misc]  # the same
    """A code after the password."""


class ConfirmCodeForm(_Code, ReauthenticateForm):  # type: ignore[misc]  # the same
    """A code before something changes."""


class _Credential:
    """Refuse a credential that is malformed, on which the library may fail; limit how often one is tried."""

    user: Any

    def clean_credential(self) -> Any:
        check = super().clean_credential  # type: ignore[misc]
        try:
            # A passkey instead of a password says itself whose it is.
            return _try_step(self.user, check) if self.user else check()
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValidationError(_("The passkey could not be read.")) from error


class SignInPasskeyForm(_Credential, LoginWebAuthnForm):  # type: ignore[misc]  # the same
    """A passkey instead of a password."""


class SecondStepPasskeyForm(_Credential, AuthenticateWebAuthnForm):  # type: ignore[misc]  # the same
    """A key after the password."""


class ConfirmPasskeyForm(_Credential, ReauthenticateWebAuthnForm):  # type: ignore[misc]  # the same
    """A key before something changes."""


class PasskeyForm(AddWebAuthnForm):  # type: ignore[misc]  # the same
    """A key that replaces the password too, unless its owner wants to write both."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the key")
        self.fields["passwordless"].label = _("Sign in with this key alone, without a password")
        self.fields["passwordless"].help_text = ""
        self.fields["passwordless"].initial = True

    def clean(self) -> dict[str, Any]:
        try:
            cleaned: dict[str, Any] = super().clean()
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValidationError(_("The passkey could not be read.")) from error
        return cleaned


class RenamePasskeyForm(EditWebAuthnForm):  # type: ignore[misc]  # the same
    """A new name for a key."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the key")
