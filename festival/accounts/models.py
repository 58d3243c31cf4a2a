"""What is kept of accounts beside Django's own, and entries of the database cache."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Account(models.Model):
    """What an account has beside Django's user. A user without a row has none of it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="account"
    )
    # A festival day, after which the account lets nobody in; None: it does not end.
    last_day = models.DateField(_("last day"), null=True)
    # When the latest link for choosing a password was made, which ends those before; None: never.
    link_at = models.DateTimeField(null=True)
    # Whether the mail server refused the message with it.
    is_undelivered = models.BooleanField(default=False)

    class Meta:
        default_permissions = ()
        permissions = [("invite_people", "Can invite people")]

    def __str__(self) -> str:
        return str(self.user)


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
