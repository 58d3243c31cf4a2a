"""Queries for rows of a few events, compiled once: building SQL takes longer than the database's answer."""

from collections.abc import Callable, Collection, Hashable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet

# Returns queries for values (`values_list`) of rows with some IDs, which further arguments decide, too.
Build = Callable[..., Sequence[QuerySet[Any, Any]]]
Rows = Sequence[tuple[Any, ...]]

# More are compiled each time: they take long to read.
MOST_IDS = 16
# Stand for the IDs in what is compiled.
_PLACEHOLDERS = [-(2**62) + number for number in range(MOST_IDS)]


class Compiled(NamedTuple):
    """A query as SQL; parameters, with placeholders for IDs; and by column what converts its values."""

    sql: str
    parameters: tuple[Any, ...]
    converters: dict[int, tuple[list[Callable[..., Any]], Any]]

    @classmethod
    def compile(cls, query: QuerySet[Any, Any]) -> "Compiled | None":
        """Return a compiled query; None if it can find no row."""
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
    """Return the rows of each query that is built for rows with some IDs."""
    if len(ids) > MOST_IDS:
        return [[*query] for query in build(ids, *arguments)]
    given = dict(zip(_PLACEHOLDERS, ids, strict=False))
    compiled = _compile(connection.vendor, build, len(ids), *arguments)
    return [each.fetch(given) if each else () for each in compiled]


@lru_cache(64)
def _compile(_vendor: str, build: Build, size: int, *arguments: Hashable) -> list[Compiled | None]:
    return [*map(Compiled.compile, build(_PLACEHOLDERS[:size], *arguments))]
