"""The links of organizers: made, found again by the token in them, revoked, swept; and who may send them."""

from collections.abc import Collection
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_hex
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from programme.changes.rights import rights_of
from programme.models import Event, Occasion, Organizer, OrganizerLink

# Bytes of a secret: 128 bits.
SECRET_BYTES = 16
# After the organizer's last occasion its link goes, with its private address and its suggestions.
KEPT = timedelta(days=365)


def digest(token: str) -> str:
    """Return what is stored of a token; it is random, so that neither salt nor a slow hash adds anything."""
    return sha256(token.encode()).hexdigest()


def make_link(organizer: int, email: str, valid_until: datetime, instant: datetime) -> str:
    """Give an organizer a new link instead of the one that it may have; return its address."""
    token = token_hex(SECRET_BYTES)
    values = {"email": email, "digest": digest(token), "valid_until": valid_until}
    OrganizerLink.objects.update_or_create(
        organizer_id=organizer, defaults=values, create_defaults=values | {"created_at": instant}
    )
    return f"{settings.BASE_URL}{reverse('organizer-enter', args=[token])}"


def revoke_link(organizer: int) -> None:
    OrganizerLink.objects.filter(organizer=organizer).update(digest="")


def find_link(token: str, instant: datetime) -> OrganizerLink | None:
    """Return the link of a token, with its organizer; None if it was revoked, replaced, or has expired."""
    valid = OrganizerLink.objects.filter(digest=digest(token), valid_until__gt=instant)
    return valid.select_related("organizer").first()


def select_events(link: OrganizerLink) -> QuerySet[Event]:
    """Return what the link is for: the events of its organizer, drafts included."""
    return Event.objects.filter(organizer=link.organizer_id)


def count_events(user: Any, organizers: Collection[int]) -> dict[int, tuple[int, int]]:
    """Return how many events each organizer has, and how many of these the user may change; two queries."""
    every = _count(Event.objects.filter(organizer__in=organizers))
    own = _count(rights_of(user).filter_allowed("change", Event.objects.filter(organizer__in=organizers)))
    return {key: (every.get(key, 0), own.get(key, 0)) for key in organizers}


def _count(events: QuerySet[Any]) -> dict[int, int]:
    return dict(events.order_by().values_list("organizer").annotate(Count("pk")))


def load_links(organizers: Collection[int]) -> dict[int, OrganizerLink]:
    found = OrganizerLink.objects.filter(organizer__in=organizers).select_related("organizer")
    return {each.organizer_id: each for each in found}


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
