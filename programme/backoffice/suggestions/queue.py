"""The suggestions that wait, the oldest first; those of an organizer are decided about together."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet

from programme.backoffice.rights import rights_of
from programme.models import Event, Organizer, Suggestion

# Suggestions of an organizer on one page.
MOST_TOGETHER = 10


def select_waiting(user: Any) -> QuerySet[Suggestion]:
    """Return the suggestions that wait and that the user may decide about: of events they may change."""
    events = rights_of(user).filter_allowed("change", Event.objects.order_by())
    # One that is deleted may be restored.
    organizers = Organizer.objects.order_by().values("pk")
    waiting = Suggestion.objects.filter(decided_at=None, event__in=events, link__organizer__in=organizers)
    return waiting.select_related("event", "link__organizer")


def select_together(user: Any, first: Suggestion) -> QuerySet[Suggestion]:
    """Return what is decided about on the page of a suggestion: it, and what its organizer sent after it."""
    own = select_waiting(user).filter(link=first.link_id)
    return own.filter(Q(pk=first.pk) | _after(first))[:MOST_TOGETHER]


def find_next(user: Any, shown: Sequence[Suggestion]) -> Suggestion | None:
    """Return where to go on after the suggestions of a page: the same organizer's next, else another's."""
    waiting, first, last = select_waiting(user), shown[0], shown[-1]
    own = waiting.filter(_after(last), link=last.link_id)
    others = waiting.filter(_after(first)).exclude(link=first.link_id)
    return own.first() or others.first()


def _after(suggestion: Suggestion) -> Q:
    return Q(sent_at__gt=suggestion.sent_at) | Q(sent_at=suggestion.sent_at, pk__gt=suggestion.pk)


def group_by_organizer(waiting: Sequence[Suggestion]) -> list[list[Suggestion]]:
    """Return the suggestions of each organizer, in the order of the oldest of each."""
    groups: dict[int, list[Suggestion]] = {}
    for each in waiting:
        groups.setdefault(each.link_id, []).append(each)
    return list(groups.values())
