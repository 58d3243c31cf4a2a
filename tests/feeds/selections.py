"""Asks a programme as a request does, without one: by the query string."""

from datetime import datetime

from django.http import QueryDict

from feeds.listing import Listing
from feeds.programme import Programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from programme.api.filters import PageFilterSet
from tests.conftest import NOW


def parse_selection(query: str) -> Selection:
    """Return what a query string asks for, as it was written."""
    parameters = PageFilterSet(QueryDict(query))
    assert parameters.is_valid(), parameters.errors
    return parameters.qs


def list_errors(query: str) -> dict[str, list[str]]:
    """Return what is wrong with a query string, by parameter."""
    form = PageFilterSet(QueryDict(query)).form
    return {parameter: list(messages) for parameter, messages in form.errors.items()}


def build_listing(programme: Programme, query: str = "", now: datetime = NOW) -> Listing:
    return Listing(Snapshot(programme, now), programme.index.canonical(parse_selection(query)))


def find_ids(programme: Programme, query: str, now: datetime = NOW) -> list[int]:
    """Return the IDs of the occasions that a query string selects."""
    return [occasion.id for occasion in build_listing(programme, query, now).occasions]
