"""The stored lists of stars: IDs of occasions and two digests, without personal data."""

from datetime import datetime, timedelta

from django.db import models

DIGEST_LENGTH = 64


class StarredList(models.Model):
    """The occasions that a browser has starred; the database and backups do not contain its secrets."""

    # Digests of the secret for changing the list, and of the secret in the calendar's address.
    secret_digest = models.CharField(max_length=DIGEST_LENGTH)
    address_digest = models.CharField(max_length=DIGEST_LENGTH)
    occasions = models.JSONField(default=list)
    # The last day (UTC) on which a calendar has read it.
    last_read = models.DateField(db_index=True)

    class Meta:
        default_permissions = ()
        # Unlike unique fields, they make no second index for searching by prefix on PostgreSQL.
        constraints = [
            models.UniqueConstraint(fields=["secret_digest"], name="starred_list_by_secret"),
            models.UniqueConstraint(fields=["address_digest"], name="starred_list_by_address"),
        ]

    def __str__(self) -> str:
        return f"{len(self.occasions)} occasions"


KEPT = timedelta(days=365)


def sweep_lists(instant: datetime) -> int:
    return StarredList.objects.filter(last_read__lt=(instant - KEPT).date()).delete()[0]
