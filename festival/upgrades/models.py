"""The versions that have migrated the database, for older ones that are started on it."""

from django.db import models


class MigratedVersion(models.Model):
    """A version of the service, and the oldest one that runs on the database as this one leaves it."""

    version = models.CharField(max_length=50, unique=True)
    compatible_with = models.CharField(max_length=50)
    migrated_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.version
