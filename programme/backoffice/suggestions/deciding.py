"""Deciding about a suggestion: what is accepted is written as one edit; the organizer reads the outcome."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

from django.core.files.base import ContentFile
from django.utils.translation import gettext_noop

from programme.backoffice.forms.news import News
from programme.backoffice.suggestions.changes import (
    IMAGE,
    decode_occasion,
    list_occasions,
    load_occasions,
    parse_occasion,
)
from programme.history import edits
from programme.models import Event, SuggestedImage, Suggestion
from programme.models.events import MIDDLE

# What the history calls the edit, before the organizer's name.
REASON = gettext_noop("suggested by")


class Decision(NamedTuple):
    """The keys of changes that are accepted, and of those that the programme has already."""

    accepted: Collection[str]
    done: Collection[str]
    news: News
    reason: str


def decide(suggestion: Suggestion, decision: Decision, instant: datetime) -> None:
    """Write the accepted changes inside the caller's transaction; all others are declined."""
    wanted = {key: suggestion.changes[key]["after"] for key in decision.accepted}
    _write_occasions(suggestion, wanted, decision.news, instant)
    _write_event(suggestion, wanted)
    edits.set_reason(REASON, suggestion.link.organizer.name)
    for key, change in suggestion.changes.items():
        change["accepted"] = key in wanted or key in decision.done
    suggestion.decided_at, suggestion.reason = instant, decision.reason
    suggestion.save(update_fields=["changes", "decided_at", "reason"])
    SuggestedImage.objects.filter(suggestion=suggestion).delete()


def _write_occasions(suggestion: Suggestion, wanted: dict[str, Any], news: News, instant: datetime) -> None:
    rows = load_occasions(suggestion.event_id, list_occasions(wanted))
    if not rows:
        return
    # First: what is moved with a mark keeps its previous start.
    news.mark(instant, occasions=rows.keys(), events=[suggestion.event_id])
    for key, values in wanted.items():
        row = rows.get(parse_occasion(key) or 0)
        if row is not None:
            type(row).objects.filter(pk=row.pk).update(**decode_occasion(values))


def _write_event(suggestion: Suggestion, wanted: dict[str, Any]) -> None:
    event = suggestion.event
    values = {key: value for key, value in wanted.items() if parse_occasion(key) is None and key != IMAGE}
    if IMAGE in wanted:
        image = SuggestedImage.objects.get(suggestion=suggestion)
        event.image.save(image.name, ContentFile(bytes(image.content)), save=False)
        values |= {IMAGE: event.image.name, "image_focus_x": MIDDLE, "image_focus_y": MIDDLE}
    if values:
        Event.objects.filter(pk=event.pk).update(**values)
