"""What is swept of organizers' links (`festival/sweeping/`): a year after the organizer's last occasion.

Their private addresses and their suggestions go with them.
"""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q

from programme.models import Occasion, Organizer, OrganizerLink

KEPT = timedelta(days=365)


def sweep_links(instant: datetime) -> int:
    """Delete links of organizers without an occasion in the last year and to come, or that are deleted."""
    before = instant - KEPT
    held = Occasion.objects.filter(event__organizer=OuterRef("organizer")).order_by()
    kept = Exists(held.filter(end__gte=before)) | (Q(created_at__gte=before) & ~Exists(held))
    there = Exists(Organizer.objects.filter(pk=OuterRef("organizer")))
    links = OrganizerLink.objects.exclude(kept & there)
    count = links.count()
    links.delete()
    return count
