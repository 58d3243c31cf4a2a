"""Reads news, for the marks of occasions and for the news feed."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import msgspec
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from feeds.marks import Mark, find_mark
from feeds.news import NEVER, News, NewsFacts, NewsState
from feeds.vocabulary import Text
from programme import models
from programme.history.merging import find_last, load_merged
from programme.models.news import load_state
from programme.publishing.struct_columns import parse_instant

_decode_state = msgspec.json.Decoder(NewsState).decode
_decode_facts = msgspec.json.Decoder(NewsFacts).decode


def read_marks(
    occasions: Collection[models.Occasion], planned: Iterable[models.News] = (), stale: Collection[int] = ()
) -> dict[int, Mark]:
    """Return the marks of occasions in memory, by ID, without empty ones.

    `planned` pieces are included, and replace the stored pieces with the IDs `stale`.
    """
    news: dict[int, list[News]] = defaultdict(list)
    stored = models.News.objects.filter(occasion_id__in=[row.pk for row in occasions])
    for each in (*read_rows(stored.exclude(pk__in=stale)), *map(_build_piece, planned)):
        news[each.occasion_id].append(each)
    merges = load_merged() if news else {}
    merged = {kind: {key: find_last(key, found) for key in found} for kind, found in merges.items()}
    marks = {row.pk: find_mark(news[row.pk], build_state(row), merged) for row in occasions if row.pk in news}
    return {key: mark for key, mark in marks.items() if mark.changed_at}


def _build_piece(row: models.News) -> News:
    """Return the value of a piece that is not stored yet."""
    before, after = load_state(row.before), load_state(row.after)
    kind: Any = row.kind
    keys, instants = (row.edit_id, row.event_id, row.occasion_id), (row.told_at, row.appears_at or NEVER)
    note = Text(row.note_sv, row.note_en)
    return News(row.uuid, row.entry, kind, *keys, *instants, before, after, NewsFacts(), note)


def build_state(row: models.Occasion) -> NewsState:
    """Return the state of an occasion in memory."""
    return NewsState(row.start, row.end, row.cancelled, row.location_id, row.room_id, row.place_name)


def read_rows(query: QuerySet[models.News]) -> Iterator[News]:
    return build_news(select_columns(query))


def select_columns(query: QuerySet[models.News]) -> QuerySet[Any, Any]:
    texts = [Cast(name, TextField()) for name in ("told_at", "appears_at", "before", "after", "facts")]
    columns = ("uuid", "entry", "kind", "edit_id", "event_id", "occasion_id", "note_sv", "note_en")
    rows: QuerySet[Any, Any] = query.order_by().values_list(*texts, *columns)
    return rows


def build_news(rows: Iterable[tuple[Any, ...]]) -> Iterator[News]:
    for told, at, before, after, facts, uuid, entry, kind, edit_id, event_id, occasion_id, *note in rows:
        keys = edit_id, event_id, occasion_id
        instants = parse_instant(told), parse_instant(at) if at else NEVER
        states = (_read_state(before), _read_state(after))
        yield News(uuid, entry, kind, *keys, *instants, *states, _decode_facts(facts), Text(*note))


def _read_state(text: str) -> NewsState | None:
    return None if text == "{}" else _decode_state(text)
