"""The views of the pages, rendered from the snapshot that the API answers from."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlsplit
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect, QueryDict
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.common import no_append_slash

from feeds.index import SelectionIndex
from feeds.news import NewsEntry
from feeds.news_listing import NewsListing
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES, Identity, LanguageCode, Location, Occasion, build_occasion_path
from pages.addresses import EMBED, LIST_STYLE, MY_PROGRAMME, OFFLINE, OTHER, build_path, build_place_path
from pages.api import ApiPage
from pages.embed import EmbedPage, build_rules, parse_colors, read_colors
from pages.layout import build_area_rules, get_festival_name
from pages.my_programme import MyProgrammePage, parse_chosen
from pages.news import NewsPage
from pages.occasions import GonePage, OccasionPage
from pages.oembed import build_discovery_url, parse_page, parse_size, write_oembed
from pages.places import PlacePage
from pages.programme import ProgrammePage
from pages.query import PageQuery, parse_query
from pages.rendering import (
    Page,
    View,
    link_languages,
    page_response,
    read_only,
    render_page,
    snapshot_view,
    write_page,
)
from pages.subscribing import SubscribePage
from programme.api.openapi import build_document
from programme.api.responses import ResponseSpec


def write_selected(
    name: str,
    page: ProgrammePage | SubscribePage | NewsPage,
    snapshot: Snapshot,
    query: PageQuery,
    rules: str,
    **context: Any,
) -> Page:
    """Return the page of what a query selects, with the same selection in the links around it."""
    language = query.selection.language
    context |= {"page": page, "query": query, "current_page": name}
    context |= link_languages(snapshot, language, page.path_in)
    return write_page(name, language, snapshot, query.selection, rules, **context)


def write_programme_page(snapshot: Snapshot, query: PageQuery) -> Page:
    page = ProgrammePage(snapshot, query)
    path = page.path_in(query.selection.language)
    discovery = build_discovery_url(snapshot.programme.site.base_url, path)
    return write_selected("programme", page, snapshot, query, page.rules, oembed=discovery)


def write_occasion_page(snapshot: Snapshot, found: Occasion, language: LanguageCode) -> Page:
    site, page = snapshot.programme.site, OccasionPage(snapshot, found, language)
    return write_page(
        "occasion",
        language,
        snapshot,
        rules=page.rules,
        page=page,
        oembed=build_discovery_url(site.base_url, build_occasion_path(found.id, language)),
        # It may be a page of the festival's own website.
        urls={each: site.occasion_url(found.identity, each) for each in LANGUAGES},
        other_language_path=build_occasion_path(found.id, OTHER[language]),
    )


def write_gone_page(snapshot: Snapshot, identity: Identity, language: LanguageCode) -> Page:
    page, path = GonePage(snapshot, identity, language), build_occasion_path(identity.id, OTHER[language])
    return write_page("gone", language, snapshot, page=page, other_language_path=path)


def write_place_page(
    snapshot: Snapshot, location: Location, occasions: tuple[Occasion, ...], language: LanguageCode
) -> Page:
    page = PlacePage(snapshot, location, occasions, language)
    links = link_languages(snapshot, language, partial(build_place_path, location))
    return write_page(
        "place", language, snapshot, page.selection, build_area_rules(snapshot), page=page, **links
    )


def write_api_page(snapshot: Snapshot, language: LanguageCode) -> Page:
    programme = snapshot.programme
    document = build_document(programme.festival, programme.site.base_url)
    example = next((each.id for each in programme.occasions), 1)
    paths: dict[LanguageCode, str] = {"sv": reverse("api"), "en": f"{reverse('api')}?language=en"}
    return write_page(
        "api",
        language,
        snapshot,
        page=ApiPage(document, example, language),
        current_page="api",
        **link_languages(snapshot, language, paths.__getitem__),
    )


def write_subscribe_page(snapshot: Snapshot, query: PageQuery) -> Page:
    page = SubscribePage(snapshot, query.selection)
    return write_selected("subscribe", page, snapshot, query, build_area_rules(snapshot))


def write_news_page(snapshot: Snapshot, query: PageQuery, entry: NewsEntry | None = None) -> Page:
    page = NewsPage(snapshot, query, entry)
    return write_selected("news", page, snapshot, query, build_area_rules(snapshot))


def write_embed_page(
    snapshot: Snapshot, selection: Selection, colors: tuple[tuple[str, str], ...], path: str
) -> Page:
    festival, language = snapshot.programme.festival, selection.language
    context = {
        "page": EmbedPage(snapshot, selection),
        "style_sheet": LIST_STYLE,
        "festival": get_festival_name(festival, language),
        "oembed": build_discovery_url(snapshot.programme.site.base_url, path),
    }
    return render_page("embed", language, build_rules(colors, festival.theme), context)


def write_fragment(snapshot: Snapshot, query: PageQuery) -> Page:
    page = EmbedPage(snapshot, query.selection)
    context = {"page": page, "origin": snapshot.programme.site.base_url}
    return render_page("embed_fragment", page.language, "", context)


def write_my_programme_page(snapshot: Snapshot, chosen: Selection, *, is_complete: bool) -> Page:
    page, language = MyProgrammePage(snapshot, chosen), chosen.language
    base_url = snapshot.programme.site.base_url
    return write_page(
        "my_programme",
        language,
        snapshot,
        page.selection if page.occasions else None,
        build_area_rules(snapshot),
        page=page,
        is_complete=is_complete,
        current_page="my_programme",
        # Search engines get the page without anybody's choice.
        urls={each: f"{base_url}{MY_PROGRAMME[each]}" for each in LANGUAGES},
        other_language_path=page.path_in(OTHER[language]),
    )


def selection_view(
    name: str, write: Callable[[Snapshot, PageQuery], Page], index_name: str = "index"
) -> View:
    """Make the view of a page that shows what the query of its address selects."""

    @snapshot_view
    def view(request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:
        index: SelectionIndex = getattr(snapshot.programme, index_name)
        query = parse_query(request.GET, language).canonicalize(index)
        return page_response(
            (name, query),
            lambda: write(snapshot, query),
            query.status,
            is_cached=query.is_cacheable(index),
        )

    return view


programme = selection_view("programme", write_programme_page)
subscribe = selection_view("subscribe", write_subscribe_page)
fragment = selection_view("fragment", write_fragment)
news = selection_view("news", write_news_page, "news_index")


@snapshot_view
def news_entry(
    request: HttpRequest,  # noqa: ARG001
    snapshot: Snapshot,
    identity: UUID,
    language: LanguageCode,
) -> ResponseSpec:
    query = PageQuery(Selection(language=language))
    every = NewsListing(snapshot, query.selection).every
    entry = next((each for each in every if each.id == identity), None)
    if entry is None:
        raise Http404
    return page_response(("news", identity, language), lambda: write_news_page(snapshot, query, entry))


@xframe_options_exempt
@snapshot_view
def embed(request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:
    index = snapshot.programme.index
    query = parse_query(request.GET, language).canonicalize(index)
    colors = parse_colors(request.GET)
    path = build_path(EMBED[language], query.selection, **read_colors(request.GET))
    return page_response(
        ("embed", path),
        lambda: write_embed_page(snapshot, query.selection, colors, path),
        query.status,
        is_cached=query.is_cacheable(index) and not colors,
        framed=True,
    )


@snapshot_view
def oembed(request: HttpRequest, snapshot: Snapshot) -> ResponseSpec:
    if request.GET.get("format", "json") != "json":
        # What the specification asks for where a provider has no XML.
        return ResponseSpec(
            ("oembed",), bytes, "text/plain; charset=utf-8", status=HTTPStatus.NOT_IMPLEMENTED
        )
    url = request.GET.get("url", "")
    selection = parse_page(snapshot, url).selection
    colors, size = read_colors(QueryDict(urlsplit(url).query)), parse_size(request.GET)
    return ResponseSpec(
        ("oembed", selection, *colors.items(), size),
        lambda: write_oembed(snapshot, selection, colors, size),
        "application/json",
        is_cached=False,
    )


@snapshot_view
def my_programme(request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:
    ids, is_complete = parse_chosen(request.GET)
    chosen = Selection(language=language, chosen=ids)
    return page_response(
        ("my_programme", chosen, is_complete),
        lambda: write_my_programme_page(snapshot, chosen, is_complete=is_complete),
        is_cached=is_complete and not ids,
    )


@snapshot_view
def occasion(
    request: HttpRequest,  # noqa: ARG001
    snapshot: Snapshot,
    occasion_id: int,
    language: LanguageCode,
) -> ResponseSpec:
    key = ("occasion", occasion_id, language)
    if found := snapshot.programme.by_id.get(occasion_id):
        return page_response(key, lambda: write_occasion_page(snapshot, found, language))
    if gone := snapshot.programme.gone.get(occasion_id):
        return page_response(key, lambda: write_gone_page(snapshot, gone, language), HTTPStatus.GONE)
    raise Http404


@snapshot_view
def place(
    request: HttpRequest,  # noqa: ARG001
    snapshot: Snapshot,
    location_id: int,
    language: LanguageCode,
    name: str = "",  # noqa: ARG001 - for people
) -> ResponseSpec:
    # One that was merged into another has that one's page.
    location_id = snapshot.programme.merged.get("location", {}).get(location_id, location_id)
    occasions = snapshot.find(Selection(locations=(str(location_id),)))
    location = next((each.place.location for each in occasions if each.place), None)
    if location is None:
        raise Http404
    return page_response(
        ("place", location_id, language), lambda: write_place_page(snapshot, location, occasions, language)
    )


@snapshot_view
def namespace(request: HttpRequest, snapshot: Snapshot) -> ResponseSpec:  # noqa: ARG001
    # A namespace has one page for both languages, which says each thing twice.
    site = snapshot.programme.site
    return page_response(
        ("namespace",),
        lambda: write_page(
            "namespace",
            "en",
            snapshot,
            uri=site.extension_namespace,
            canonical=f"{site.base_url}{reverse('namespace')}",
        ),
    )


@snapshot_view
def api(request: HttpRequest, snapshot: Snapshot) -> ResponseSpec:
    language: LanguageCode = "en" if request.GET.get("language", "").lower().startswith("en") else "sv"
    return page_response(("api", language), lambda: write_api_page(snapshot, language))


@snapshot_view
def offline(request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:  # noqa: ARG001
    path = OFFLINE[OTHER[language]]
    return page_response(
        ("offline", language),
        lambda: write_page("offline", language, snapshot, other_language_path=path),
    )


@no_append_slash
@read_only
def without_slash(request: HttpRequest, path: str) -> HttpResponse:
    try:
        resolve(f"/{path}")
    except Resolver404:
        raise Http404 from None
    query = request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(f"/{quote(path)}{query and '?'}{query}")
