"""The forms of signing in, where django-allauth's or Django's need the back office's ways."""

from typing import Any

from allauth.account.forms import LoginForm
from allauth.mfa.webauthn.forms import LoginWebAuthnForm
from django.contrib.auth.forms import AdminPasswordChangeForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError


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


class SignInPasskeyForm(LoginWebAuthnForm):  # type: ignore[misc]  # the same
    """A passkey instead of a password; the library fails on some that are malformed."""

    def clean_credential(self) -> Any:
        try:
            return super().clean_credential()
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValidationError("malformed") from error


class SetPasswordForm(AdminPasswordChangeForm):  # type: ignore[type-arg]  # generic in its stubs only
    """A password that an administrator sets for somebody: Django's form also has a way to take it away."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("usable_password", None)
        for field in self.fields.values():
            field.required = True
