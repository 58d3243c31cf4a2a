"""The pages on which visitors take the programme along: subscriptions, the embedded list, my programme."""

from http import HTTPStatus

from django.http import HttpRequest
from django.views.decorators.clickjacking import xframe_options_exempt

from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES, LanguageCode
from pages.addresses import LIST_STYLE, MY_PROGRAMME, OTHER
from pages.decorators import snapshot_view
from pages.embed import EmbedPage, build_rules, parse_colors
from pages.layout import build_area_rules, get_festival_name
from pages.my_programme import MyProgrammePage, parse_chosen
from pages.oembed import parse_page, parse_size, write_oembed
from pages.query import PageQuery, parse_query
from pages.rendering import Page, link_languages, page_response, render_page, write_page
from pages.subscribing import SubscribePage
from programme.api.responses import ResponseSpec


@snapshot_view
def subscribe(request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:
    index = snapshot.programme.index
    query = parse_query(request.GET, language).canonicalize(index)
    return page_response(
        ("subscribe", query.selection, query.invalid),
        lambda: write_subscribe_page(snapshot, query),
        query.status,
        is_cached=query.is_cacheable(index),
    )


@xframe_options_exempt
@snapshot_view
def embed(request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:
    index = snapshot.programme.index
    query = parse_query(request.GET, language).canonicalize(index)
    colors = parse_colors(request.GET)
    return page_response(
        ("embed", query.selection, colors),
        lambda: write_embed_page(snapshot, query.selection, colors),
        query.status,
        is_cached=query.is_cacheable(index) and not colors,
        framed=True,
    )


@snapshot_view
def fragment(request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:
    index = snapshot.programme.index
    query = parse_query(request.GET, language).canonicalize(index)
    return page_response(
        ("fragment", query.selection),
        lambda: write_fragment(snapshot, query.selection),
        query.status,
        is_cached=query.is_cacheable(index),
    )


@snapshot_view
def oembed(request: HttpRequest, snapshot: Snapshot) -> ResponseSpec:
    if request.GET.get("format", "json") != "json":
        # What the specification asks for where a provider has no XML.
        return ResponseSpec(
            ("oembed",), bytes, "text/plain; charset=utf-8", status=HTTPStatus.NOT_IMPLEMENTED
        )
    selection = parse_page(snapshot, request.GET.get("url", "")).selection
    size = parse_size(request.GET)
    return ResponseSpec(
        ("oembed", selection, size),
        lambda: write_oembed(snapshot, selection, size),
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


def write_subscribe_page(snapshot: Snapshot, query: PageQuery) -> Page:
    page, language = SubscribePage(snapshot, query.selection), query.selection.language
    return write_page(
        "subscribe",
        language,
        snapshot,
        query.selection,
        build_area_rules(snapshot),
        page=page,
        query=query,
        current_page="subscribe",
        **link_languages(snapshot, language, page.path_in),
    )


def write_embed_page(snapshot: Snapshot, selection: Selection, colors: tuple[tuple[str, str], ...]) -> Page:
    festival, language = snapshot.programme.festival, selection.language
    context = {
        "page": EmbedPage(snapshot, selection),
        "style_sheet": LIST_STYLE,
        "festival": get_festival_name(festival, language),
    }
    return render_page("embed", language, build_rules(colors, festival.theme), context)


def write_fragment(snapshot: Snapshot, selection: Selection) -> Page:
    context = {"page": EmbedPage(snapshot, selection), "origin": snapshot.programme.site.base_url}
    return render_page("embed_fragment", selection.language, "", context)


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
