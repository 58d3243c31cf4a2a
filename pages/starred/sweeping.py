"""What is swept of lists (`festival/sweeping/`): those that no calendar has read for a year."""

from datetime import datetime, timedelta

from pages.starred.models import StarredList

KEPT = timedelta(days=365)


def sweep_lists(instant: datetime) -> int:
    return StarredList.objects.filter(last_read__lt=(instant - KEPT).date()).delete()[0]
