"""What is kept of accounts: last day and latest link, a log, and entries of the database cache."""

from django.conf import settings
from django.contrib import admin
from django.db import models
from django.utils.translation import gettext_lazy as _

from programme.backoffice.roles import LABELS, Role


class Kind(models.TextChoices):
    """What happened to an account."""

    SIGNED_IN = "signed-in", _("signed in")
    # No longer written; lines of the last 90 days have it.
    SIGNED_OUT = "signed-out", _("signed out")
    FAILED = "failed", _("wrong password")
    FACTOR_FAILED = "factor-failed", _("wrong second step")
    BLOCKED = "blocked", _("blocked: too many attempts")
    UNLOCKED = "unlocked", _("unlocked")
    PASSWORD = "password", _("password set")
    FACTOR_ADDED = "factor-added", _("second step added")
    FACTOR_REMOVED = "factor-removed", _("second step removed")
    CREATED = "created", _("account created")
    DELETED = "deleted", _("account deleted")
    RIGHTS = "rights", _("rights changed")
    INVITED = "invited", _("invited")
    LINK = "link", _("link for a password made")
    LAST_DAY = "last-day", _("last day changed")


# What is stored of how somebody signed in, and of rights.
WORDS = {
    "password": _("password"),
    "totp": _("authenticator app"),
    "webauthn": _("passkey"),
    "recovery_codes": _("recovery code"),
    "openid_connect": _("the organization’s sign-in"),
    "socialaccount": _("the organization’s sign-in"),
    "is_active": _("active"),
    "is_staff": _("may sign in"),
    "is_superuser": _("superuser"),
} | {role.value: LABELS[role] for role in Role}


class Account(models.Model):
    """What an account has beside Django's user. A user without a row has none of it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="account"
    )
    # No longer written: browsers keep it. The next release removes the column.
    language = models.CharField(max_length=10, blank=True, default="", db_default="")
    # A festival day, after which the account lets nobody in; None: it does not end.
    last_day = models.DateField(_("last day"), null=True)
    # When the latest link for choosing a password was made, which ends those before; None: never.
    link_at = models.DateTimeField(null=True)
    # Whether the mail server refused the message with it.
    is_undelivered = models.BooleanField(default=False, db_default=False)

    class Meta:
        default_permissions = ()
        permissions = [("invite_people", "Can invite people")]

    def __str__(self) -> str:
        return str(self.user)


class AccountEvent(models.Model):
    """One line of the log, without secrets: a name that is no account's may be a password and is left out."""

    at = models.DateTimeField(_("time"), db_index=True)
    kind = models.CharField(_("what happened"), max_length=20, choices=Kind)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("account")
    )
    # As it was then: accounts are renamed and deleted.
    name = models.CharField(_("username"), max_length=150, blank=True)
    by = models.CharField(_("by"), max_length=150, blank=True)
    address = models.GenericIPAddressField(_("network address"), null=True)
    # The address, or the part of an IPv6 address that a household or an office keeps.
    network = models.CharField(max_length=45, blank=True)
    # No longer written. The next release removes the column, which processes of this one's predecessor fill.
    user_agent = models.CharField(_("browser"), max_length=300, blank=True)
    detail = models.TextField(_("details"), blank=True)

    class Meta:
        verbose_name = _("sign-in or change of rights")
        verbose_name_plural = _("log of sign-ins and rights")
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["name", "kind", "network"], name="account_event_by_name")]
        default_permissions = ["view"]

    def __str__(self) -> str:
        return f"{self.name or '–'}: {self.get_kind_display()}"

    @property
    @admin.display(description=_("details"))
    def details(self) -> str:
        """The detail in the active language: `− redaktör, + chefredaktör`."""
        parts = []
        for part in filter(None, self.detail.split(", ")):
            sign, name = (part[0], part[1:]) if part[0] in "+−" else ("", part)
            parts.append(f"{sign} {WORDS.get(name, name)}".strip())
        return ", ".join(parts)


class CacheEntry(models.Model):
    """An entry of Django's database cache, which counts attempts over all processes and restarts."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "accounts_cache"
        default_permissions = ()

    def __str__(self) -> str:
        return self.cache_key
