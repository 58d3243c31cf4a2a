"""Derives the next programme from a loaded one and the rows that the change log names."""

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet

from feeds.editions import Edition, find_current
from feeds.programme import Programme
from feeds.vocabulary import Occasion, Revision, Site
from programme.models import ChangedEvent, News
from programme.models.trigger_rules import SHARED
from programme.publishing.news_reader import build_news, select_columns
from programme.publishing.programme_reader import ALL, OccasionReader, build_gone, select_gone, within_edition
from programme.publishing.shared_values import KEPT, SharedValues, find_known

# The most changed events, as a share and a number: reading half of the events takes as long as reading all,
# and SQLite takes at most 32,766 parameters, of which the longest query needs two for each event.
LARGEST_SHARE, MOST = 1 / 3, 10_000


def derive(before: Programme, revision: Revision) -> tuple[Programme, tuple[Occasion, ...]] | None:
    """Return the programme at a revision, and the occasions that were read.

    None if the change log is incomplete, or if reading everything is faster.
    """
    logged = find_logged(before.revision, revision)
    if logged is None:
        return None
    shared, event_ids = vars(before).get(KEPT), logged - {SHARED}
    if shared is None or SHARED in logged:
        areas = chain(shared.areas.values(), shared.sub_areas.values()) if shared else ()
        known = {each: each for each in areas} or find_known(before.occasions)
        shared = SharedValues(before.site, known, shared)
        if _find_edition(before, shared) != before.edition:
            return None
        event_ids |= set(_find_others(before, shared))
    if len(event_ids) > min(MOST, LARGEST_SHARE * len(before.by_event)):
        return None
    former = [*chain.from_iterable(before.by_event.get(event_id, ()) for event_id in event_ids)]
    known, edition = find_known(former), before.edition
    *rows, news_rows, gone = fetch(_select, event_ids, edition, before.site)
    told = [*build_news(news_rows)]
    occasions = tuple(OccasionReader(shared, known, told).read(*rows))
    news = within_edition(told, edition, before.site)
    after = before.apply(
        frozenset(event_ids), occasions, build_gone(gone), news, revision=revision, **shared.fields
    )
    vars(after)[KEPT] = shared
    return after, occasions


def _select(event_ids: Collection[int], edition: Edition | None, site: Site) -> list[QuerySet[Any, Any]]:
    rows = ALL.within(edition, site).of_events(event_ids).select()
    return [*rows, select_columns(News.objects.filter(event_id__in=event_ids)), select_gone(event_ids)]


def _find_edition(before: Programme, shared: SharedValues) -> Edition | None:
    """Return the present values of a programme's edition, or of the new current one."""
    if before.is_current:
        return find_current(shared.editions)
    return next((each for each in shared.editions if before.edition and each.id == before.edition.id), None)


def find_logged(former: Revision, revision: Revision) -> set[int] | None:
    """Return the IDs in the change log since a revision: events and `SHARED`; None if it is incomplete."""
    if former.lineage != revision.lineage or former.number >= revision.number:
        return None
    # Unpublished rows are logged with the next number (programme/triggers/changes.py).
    ((*logged,),) = fetch(_select_logged, (former.number + 1, revision.number + 1))
    return {event_id for (event_id,) in logged}


def _select_logged(numbers: Sequence[int]) -> list[QuerySet[Any, Any]]:
    return [ChangedEvent.objects.filter(revision__range=numbers).values_list("event_id")]


def _find_others(before: Programme, shared: SharedValues) -> Iterator[int]:
    """Yield the events whose shared values have changed without an entry in the log, such as days."""
    for event_id, (occasion, *_) in before.by_event.items():
        event = occasion.event
        sub_area = event.sub_area and shared.sub_areas.get(event.sub_area.id)
        found = shared.areas.get(event.area.id), sub_area, shared.picture(event.image_url, event.image_focus)
        if found != (event.area, event.sub_area, event.picture):
            yield event_id


# --- Queries, compiled once: building SQL takes longer than the query for a few events ----------

# Returns queries (`values_list`) for rows with some IDs, and with further arguments.
Build = Callable[..., Sequence[QuerySet[Any, Any]]]
Rows = Sequence[tuple[Any, ...]]

# Queries for more IDs are compiled each time.
MOST_IDS = 16
# The placeholders of IDs in compiled queries.
_PLACEHOLDERS = [-(2**62) + number for number in range(MOST_IDS)]


class Compiled(NamedTuple):
    """A query as SQL, its parameters with placeholders for IDs, and the converters by column."""

    sql: str
    parameters: tuple[Any, ...]
    converters: dict[int, tuple[list[Callable[..., Any]], Any]]

    @classmethod
    def compile(cls, query: QuerySet[Any, Any]) -> "Compiled | None":
        """Return a compiled query, None if it cannot find a row."""
        compiler = query.query.get_compiler(query.db)
        try:
            sql, parameters = compiler.as_sql()
        except EmptyResultSet:
            return None
        columns = [expression for expression, *_ in compiler.select[: compiler.col_count]]
        return cls(sql, parameters, compiler.get_converters(columns))

    def fetch(self, ids: dict[Any, int]) -> Rows:
        with connection.cursor() as cursor:
            cursor.execute(self.sql, [ids.get(each, each) for each in self.parameters])
            rows: Rows = cursor.fetchall()
        return [*map(self._convert, rows)] if self.converters else rows

    def _convert(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        values = [*row]
        for place, (converters, expression) in self.converters.items():
            for convert in converters:
                values[place] = convert(values[place], expression, connection)
        return tuple(values)


def fetch(build: Build, ids: Collection[int], *arguments: Hashable) -> list[Rows]:
    """Return the rows of each query that `build` returns for some IDs."""
    if len(ids) > MOST_IDS:
        return [[*query] for query in build(ids, *arguments)]
    given = dict(zip(_PLACEHOLDERS, ids, strict=False))
    compiled = _compile(connection.vendor, build, len(ids), *arguments)
    return [each.fetch(given) if each else () for each in compiled]


@lru_cache(64)
def _compile(_vendor: str, build: Build, size: int, *arguments: Hashable) -> list[Compiled | None]:
    return [*map(Compiled.compile, build(_PLACEHOLDERS[:size], *arguments))]
