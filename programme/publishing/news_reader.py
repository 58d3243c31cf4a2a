"""Reads the news that may yet be shown."""

from collections.abc import Collection, Iterator
from typing import Any

import msgspec
from django.db.models import Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast

from feeds.news import KEPT_FOR, News, NewsFacts, NewsState
from feeds.vocabulary import Text
from programme import models
from programme.publishing.struct_columns import parse_instant

_decode_state = msgspec.json.Decoder(NewsState).decode
_decode_facts = msgspec.json.Decoder(NewsFacts).decode


def read_news(event_ids: Collection[int] | None = None) -> Iterator[News]:
    """Return the news of some events, or all that is not too old beside the newest."""
    news = models.News.objects
    newest = Subquery(news.order_by("-appears_at").values("appears_at")[:1])
    is_kept = Q(appears_at__gt=newest - KEPT_FOR)
    return read_rows(news.filter(is_kept if event_ids is None else Q(event_id__in=event_ids)))


def read_rows(query: QuerySet[models.News]) -> Iterator[News]:
    texts = [Cast(name, TextField()) for name in ("appears_at", "before", "after", "facts")]
    columns = ("uuid", "kind", "edit_id", "event_id", "occasion_id", "note_sv", "note_en")
    rows: Any = query.order_by().values_list(*texts, *columns)
    for at, before, after, facts, uuid, kind, edit_id, event_id, occasion_id, *note in rows:
        keys, states = (edit_id, event_id, occasion_id), (_read_state(before), _read_state(after))
        yield News(uuid, kind, *keys, parse_instant(at), *states, _decode_facts(facts), Text(*note))


def _read_state(text: str) -> NewsState | None:
    return None if text == "{}" else _decode_state(text)
