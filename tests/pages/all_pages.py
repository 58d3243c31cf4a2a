"""Every page there is, found in the URL configuration, so that a new one cannot be left out of a test."""

from collections.abc import Iterator
from itertools import product

from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLPattern, reverse

from pages import errors as error_pages
from pages.urls import urlpatterns
from tests.programmes import DRAFT, OCCASIONS

PUBLISHED = [number for number, event, *_ in OCCASIONS if event != DRAFT]
# What pages take in their paths: values of the sample.
# The sample has no news (tests/pages/test_news.py writes some).
TAKEN = {
    "occasion_id": PUBLISHED,
    "identity": [],
    "location_id": [5001, 5002, 5003],
    "list_id": [12, 15],
    "name": ["namn"],
}
# How a page may be requested beside its bare address.
QUERIES = {
    "programme-sv": ["view=grid", "days=all", "date=now", "q=jazz&area=Ångtorget", "date=x", "area=x"],
    "programme-en": ["view=grid&during=2026-07-31"],
}


def paths() -> Iterator[str]:
    """Yield the addresses of all pages of the sample."""
    for pattern in urlpatterns:
        bare = list(_paths(pattern))
        yield from bare
        yield from (f"{bare[0]}?{query}" for query in QUERIES.get(pattern.name or "", ()))


def _paths(pattern: URLPattern) -> Iterator[str]:
    taken = list(pattern.pattern.converters)
    for values in product(*map(TAKEN.__getitem__, taken)):
        yield reverse(pattern.name, kwargs=dict(zip(taken, values, strict=True)) | pattern.default_args)


def errors() -> Iterator[tuple[str, HttpResponse]]:
    """Yield the pages of errors in both languages."""
    for path in ("/", "/en/"):
        request = RequestFactory().get(path)
        for status in error_pages.TEXTS:
            yield f"{path}{status.value}", error_pages.respond(request, status)


def pages(client: Client) -> Iterator[tuple[str, HttpResponse]]:
    """Yield every page in HTML, by its address; fragments are no pages."""
    for path in paths():
        response = client.get(path)
        if response["Content-Type"].startswith("text/html") and response.content.startswith(b"<!DOCTYPE"):
            yield path, response
    yield from errors()
