"""News: the announced changes of occasions.

The news feed and each occasion's mark of change are read from it (feeds/marks.py).
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
    # An editor's note about an occasion that was neither moved nor cancelled.
    CHANGED = "changed"


def load_state(stored: dict[str, Any]) -> NewsState | None:
    return msgspec.convert(stored, NewsState) if stored else None


def find_news(before: NewsState | None, after: NewsState | None, instant: datetime) -> NewsKind | None:
    """Return the kind of news that a change of an occasion is, None if it is no news.

    A state is None if the occasion is not published: a draft, deleted, or not created yet. A change of an
    occasion that is over before and after it is no news, nor is moving a cancelled occasion.
    """
    if all(state is None or state.end <= instant for state in (before, after)):
        return None
    if before is None or after is None:
        return NewsKind.NEW if before is None else NewsKind.WITHDRAWN
    if before.cancelled != after.cancelled:
        return NewsKind.CANCELLED if after.cancelled else NewsKind.REINSTATED
    return NewsKind.MOVED if not after.cancelled and before.seen != after.seen else None


_MARKING = ", ".join(f"'{kind}'" for kind in sorted(MARKING))
# Updates the present event of an occasion, which shows the mark of change.
_TOUCH = (
    "UPDATE {{Event}} SET last_modified = {{later}}(last_modified, {{now}})"
    f" WHERE {{row}}.kind IN ({_MARKING})"
    " AND id = (SELECT event_id FROM {{Occasion}} WHERE id = {row}.occasion_id)"
)
_PRESENT = "(SELECT event_id FROM {Occasion} WHERE id = NEW.occasion_id)"
_FOLLOW = f"UPDATE {{News}} SET event_id = {_PRESENT} WHERE id = NEW.id AND event_id <> {_PRESENT}"


class News(models.Model):
    """A piece of news about one occasion, which outlives the history.

    `before` and `after` are published states, empty if unpublished: objects with `start` and `end` (ISO 8601,
    UTC), `cancelled`, `location` and `room` (IDs or null), and `place` (a text). `facts` are properties of
    the occasion at that time, for use after its deletion: `title`, the IDs `area`, `sub_area`, `type` and
    `organizer`, and whether it is `restored`. Pieces with the same `entry` are one entry of the feed.
    """

    uuid = models.UUIDField(default=uuid4, unique=True)
    # Its own UUID, unless it is one of several.
    entry = models.UUIDField(db_index=True)
    kind = models.CharField(max_length=20, choices=NewsKind.choices)
    # IDs without constraints: the edit may be purged, and the rows may be deleted. Triggers keep the event
    # that of the occasion, present or last.
    edit_id = models.BigIntegerField(db_index=True)
    event_id = models.BigIntegerField(db_index=True)
    occasion_id = models.BigIntegerField()
    # The instants at which the mark shows it, and from which feeds have it; until then later edits are merged
    # into it. None: it is not in feeds, like the move of an occasion that has not appeared as new yet.
    told_at = models.DateTimeField()
    appears_at = models.DateTimeField(null=True, db_index=True)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    note_sv = Line(max_length=500, blank=True)
    note_en = Line(max_length=500, blank=True)

    trigger_rules = TriggerRules(
        logged_as="{row}.event_id",
        after_write=(_FOLLOW, _TOUCH.format(row="NEW")),
        after_delete=(_TOUCH.format(row="OLD"),),
    )

    class Meta:
        ordering = ["-appears_at", "id"]
        indexes = [models.Index(fields=["occasion_id", "told_at"], name="news_of_occasion")]

    def __str__(self) -> str:
        return f"{self.kind} {self.occasion_id}"
