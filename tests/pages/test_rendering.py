"""A page is in the language of its address, whatever the language of the thread is."""

import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from itertools import count
from weakref import ref

import pytest
from django.http import QueryDict
from django.test import RequestFactory
from django.utils import translation
from msgspec.structs import replace

from feeds.formats import FORMATS
from feeds.programme import Programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES, LanguageCode
from festival import clock
from festival.wsgi import application
from pages import errors, rows
from pages.developers import DevelopersPage
from pages.embed import write_embed_page
from pages.my_programme import write_my_programme_page
from pages.occasions import write_occasion_page
from pages.programme import ProgrammePage
from pages.query import parse_query
from pages.rows import RowBuilder
from pages.subscribing import SubscribePage
from programme.publishing.current import current
from tests.conftest import NOW
from tests.wsgi import send_request


def write_pages(programme: Programme, language: LanguageCode) -> list[bytes]:
    """Return one page of each kind, with rows that are rendered for the first time."""
    for occasion in programme.occasions:
        vars(occasion).clear()
    snapshot = Snapshot(programme, NOW)
    query = parse_query(QueryDict("date=x"), language)
    grid = parse_query(QueryDict("view=grid&during=2026-07-29"), language)
    chosen = Selection(chosen=(8001, 8014, 1), language=language)
    request = RequestFactory().get("/en/" if language == "en" else "/")
    return [
        ProgrammePage(snapshot, query).write("programme").body,
        ProgrammePage(snapshot, grid).write("programme").body,
        *(write_occasion_page(snapshot, each, language).body for each in programme.occasions),
        SubscribePage(snapshot, query).write("subscribe").body,
        write_embed_page(snapshot, query).body,
        write_my_programme_page(snapshot, chosen, is_complete=False).body,
        DevelopersPage(snapshot, query).write("developers").body,
        errors.respond(request, HTTPStatus.INTERNAL_SERVER_ERROR).content,
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_has_its_own_language_whatever_the_threads_is(sample_programme, known_settings, language):
    with translation.override("sv"):
        in_swedish = write_pages(sample_programme, language)
    with translation.override("en"):
        in_english = write_pages(sample_programme, language)
    assert in_swedish == in_english
    assert all(f'<html lang="{language}">'.encode() in page for page in in_swedish)


def test_two_threads_render_two_languages(sample_programme, known_settings):
    languages = [*LANGUAGES] * 4
    expected = [write_pages(sample_programme, each) for each in LANGUAGES] * 4
    with ThreadPoolExecutor(2) as threads:
        assert [*threads.map(lambda each: write_pages(sample_programme, each), languages)] == expected


def test_rendering_leaves_the_threads_language(sample_programme):
    with translation.override("en"):
        write_pages(sample_programme, "sv")
        assert translation.get_language() == "en"


def test_a_row_is_rendered_again_only_if_it_differs_from_the_last(sample_programme, monkeypatch):
    numbers = count()
    monkeypatch.setattr(rows, "render_to_string", lambda *_arguments: next(numbers))
    occasion = replace(sample_programme.by_id[8003])
    row = RowBuilder(Snapshot(sample_programme, NOW), "sv").build(occasion)
    other = row._replace(title="Blues")
    assert [each.as_list_item for each in (row, row._replace(), other, other, row)] == [0, 0, 1, 1, 2]
    # What an occasion holds does not keep it in memory.
    (values, _others), _row = vars(occasion)["OccasionRow sv"]
    assert occasion not in values


ADDRESSES = [
    *(f"/api/events.{each.extension}" for each in FORMATS),
    *("/api/areas", "/api/events.ics?area=Torget", "/api/programme", "/api/docs"),
    *("/api/changes?modified_since=2026-01-01T00:00:00Z", "/api/occations/8001.atom"),
    *(
        *("/", "/en/", "/?date=today", "/?view=grid", "/tillfalle/8001", "/prenumerera", "/lista.html"),
        "/sitemap.xml",
    ),
    "/mitt-program?occation=8001",
]


@pytest.fixture
def without_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_response_keeps_its_snapshot(sample, open_connection, without_collection, address):
    # Without Django's test client, which keeps requests and what templates were given.
    for coding in ("identity", "gzip"):
        assert send_request(application, address, "GET", accept_encoding=coding).status == "200 OK"
    snapshot = current.at(clock.now())
    references = [ref(snapshot), ref(snapshot.programme)]
    del snapshot
    current.clear()
    assert [each() for each in references] == [None, None]
