"""Every page there is, found in the URL configuration, so that a new one cannot be left out of a test."""

from collections.abc import Iterator

from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLPattern, reverse

from pages import errors as error_pages
from pages.urls import urlpatterns
from tests.programmes import DRAFT, OCCASIONS

PUBLISHED = [number for number, event, *_ in OCCASIONS if event != DRAFT]
# What pages take in their paths: values of the sample.
# The sample has no news (tests/pages/test_news.py writes some).
TAKEN = {"occasion_id": PUBLISHED, "identity": []}
# How a page may be requested beside its bare address.
QUERIES = {
    "programme-sv": ["view=grid", "days=all", "date=now", "q=jazz&area=Ångtorget", "date=x", "area=x"],
    "programme-en": ["view=grid&date=2026-07-31"],
}


def paths() -> Iterator[str]:
    """Yield the addresses of all pages of the sample."""
    for pattern in urlpatterns:
        bare = list(_paths(pattern))
        yield from bare
        yield from (f"{bare[0]}?{query}" for query in QUERIES.get(pattern.name or "", ()))


def _paths(pattern: URLPattern) -> Iterator[str]:
    taken = list(pattern.pattern.converters)
    # More than one would need a value for each: no page has several yet.
    for name in taken[:1]:
        yield from (
            reverse(pattern.name, kwargs={name: value, **pattern.default_args}) for value in TAKEN[name]
        )
    if not taken:
        yield reverse(pattern.name, kwargs=pattern.default_args)


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
