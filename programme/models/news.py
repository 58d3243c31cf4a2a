"""News: the one record of what readers were told of occasions.

The feed of news is read from it, and so is each occasion's mark of change (feeds/marks.py).
"""

from datetime import datetime
from typing import Any
from uuid import uuid4

import msgspec
from django.db import models

from feeds.marks import MARKING
from feeds.news import NewsState
from programme.models.fields import Line
from programme.models.trigger_rules import TriggerRules


class NewsKind(models.TextChoices):
    NEW = "new"
    MOVED = "moved"
    CANCELLED = "cancelled"
    REINSTATED = "reinstated"
    WITHDRAWN = "withdrawn"
    # An editor's note of what was neither moved nor cancelled.
    CHANGED = "changed"


def load_state(stored: dict[str, Any]) -> NewsState | None:
    return msgspec.convert(stored, NewsState) if stored else None


def find_news(before: NewsState | None, after: NewsState | None, instant: datetime) -> NewsKind | None:
    """Return what news a change of an occasion is for readers, None if it is none.

    A state is None where readers see nothing of the occasion: it is a draft, deleted, or not yet there. What
    is over before and after the change is no news, nor is where and when it would be held if it is cancelled.
    """
    if all(state is None or state.end <= instant for state in (before, after)):
        return None
    if before is None or after is None:
        return NewsKind.NEW if before is None else NewsKind.WITHDRAWN
    if before.cancelled != after.cancelled:
        return NewsKind.CANCELLED if after.cancelled else NewsKind.REINSTATED
    return NewsKind.MOVED if not after.cancelled and before.seen != after.seen else None


_MARKING = ", ".join(f"'{kind}'" for kind in sorted(MARKING))
# Of an occasion's event as it is now: the mark of change is seen in it.
_TOUCH = (
    "UPDATE {{Event}} SET last_modified = {{later}}(last_modified, {{now}})"
    f" WHERE {{row}}.kind IN ({_MARKING})"
    " AND id = (SELECT event_id FROM {{Occasion}} WHERE id = {row}.occasion_id)"
)
_EVENT = "coalesce((SELECT event_id FROM programme_occasion WHERE id = {row}.occasion_id), {row}.event_id)"


class News(models.Model):
    """A piece of news: what readers were told of one occasion. It outlives the history.

    `before` and `after` are the states that readers knew and know, empty where they see nothing: objects with
    `start` and `end` (ISO 8601, UTC), `cancelled`, `location` and `room` (IDs or null), and `place` (a text).
    `facts` say what the occasion was then, for what is no longer there: `title`, and the IDs `area`,
    `sub_area`, `type` and `organizer`. Pieces with the same `entry` are one entry of the feed.
    """

    uuid = models.UUIDField(default=uuid4, unique=True)
    # Its own UUID, unless it is one of several.
    entry = models.UUIDField(db_index=True)
    kind = models.CharField(max_length=20, choices=NewsKind.choices)
    # That of the edit, which may be purged, and of the rows, which may be deleted.
    edit_id = models.BigIntegerField(db_index=True)
    event_id = models.BigIntegerField(db_index=True)
    occasion_id = models.BigIntegerField()
    # When readers were told by a mark, and when the feed has it: until then later edits are folded into it.
    # The feed has none without, as of what was moved before it appeared as new.
    told_at = models.DateTimeField()
    appears_at = models.DateTimeField(null=True, db_index=True)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    note_sv = Line(max_length=500, blank=True)
    note_en = Line(max_length=500, blank=True)

    trigger_rules = TriggerRules(
        logged_as=_EVENT,
        after_write=(_TOUCH.format(row="NEW"),),
        after_delete=(_TOUCH.format(row="OLD"),),
    )

    class Meta:
        ordering = ["-appears_at", "id"]
        indexes = [models.Index(fields=["occasion_id", "told_at"], name="news_of_occasion")]

    def __str__(self) -> str:
        return f"{self.kind} {self.occasion_id}"
