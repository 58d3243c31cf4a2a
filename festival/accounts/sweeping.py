"""What is swept of accounts (`festival/sweeping/`): the log after 90 days, attempts that no longer count."""

from datetime import datetime, timedelta

from festival.accounts.models import AccountEvent, CacheEntry

# Where an account has signed in before is known for as long.
KEPT = timedelta(days=90)


def sweep_log(instant: datetime) -> int:
    return AccountEvent.objects.filter(at__lt=instant - KEPT).delete()[0]


def sweep_attempts(instant: datetime) -> int:
    return CacheEntry.objects.filter(expires__lt=instant).delete()[0]
