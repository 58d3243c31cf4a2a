"""The data of accounts beside Django's User, and the entries of the database cache."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Account(models.Model):
    """The data of an account beside Django's User; a user may have no row."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="account"
    )
    # The last festival day of access; None: unlimited.
    last_day = models.DateField(_("last day"), null=True)
    # When the latest link for choosing a password was made, which invalidates former ones; None: never.
    link_at = models.DateTimeField(null=True)
    # Whether the mail server refused the message with the link.
    is_undelivered = models.BooleanField(default=False)

    class Meta:
        default_permissions = ()
        permissions = [("invite_people", "Can invite people")]

    def __str__(self) -> str:
        return str(self.user)


class CacheEntry(models.Model):
    """An entry of Django's database cache, which counts attempts across processes and restarts."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "accounts_cache"
        default_permissions = ()

    def __str__(self) -> str:
        return self.cache_key
