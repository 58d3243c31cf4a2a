"""The views of the pages, rendered from the snapshot that the API answers from."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from urllib.parse import quote, urlsplit
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect, QueryDict
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.common import no_append_slash

from feeds.index import SelectionIndex
from feeds.news_listing import NewsListing
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, build_occasion_path
from pages import rendering
from pages.addresses import EDITIONS, EVERYTHING, OFFLINE, OTHER, SHOWCASE, list_written
from pages.developers import DevelopersPage
from pages.editions import list_others
from pages.embed import EXAMPLES, EmbeddingCode, EmbedPage, parse_embed_query, read_colors, write_embed_page
from pages.everything import EverythingPage
from pages.layout import build_area_rules, get_festival_name
from pages.my_programme import parse_chosen, write_my_programme_page
from pages.news import NewsPage
from pages.occasions import write_gone_page, write_occasion_page
from pages.oembed import parse_page, parse_size, read_page_address, write_oembed
from pages.places import ListPage, PlacePage
from pages.practical import PracticalPage
from pages.programme import ProgrammePage
from pages.query import COUNT, PageQuery, parse_query
from pages.selected import SelectedPage
from pages.subscribing import SubscribePage
from programme.api.responses import ResponseSpec
from programme.publishing.current import current
from programme.publishing.other_editions import count_occasions

Write = Callable[[Snapshot, PageQuery], rendering.Page]
Parse = Callable[[QueryDict, LanguageCode], PageQuery]


def write_fragment(snapshot: Snapshot, query: PageQuery) -> rendering.Page:
    page, base_url = EmbedPage(snapshot, query), snapshot.programme.site.base_url
    return rendering.render_page("embed_fragment", page.language, "", {"page": page, "origin": base_url})


def selection_view(
    name: str, write: Write, index_name: str = "index", parse: Parse = parse_query
) -> rendering.View:
    """Make a view of a page of the selection in the query."""

    @rendering.snapshot_view
    def view(request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:
        index: SelectionIndex = getattr(snapshot.programme, index_name)
        query = parse(request.GET, language).check_edition(snapshot.programme.edition).canonicalize(index)
        return rendering.page_response(
            (name, query),
            lambda: write(snapshot, query),
            query.status,
            is_cached=query.is_cacheable(index),
            framed=name == "embed",
        )

    return view


def page_view(
    name: str, kind: Callable[[Snapshot, PageQuery], SelectedPage], index_name: str = "index"
) -> rendering.View:
    return selection_view(name, lambda *selected: kind(*selected).write(name), index_name)


def write_programme(snapshot: Snapshot, query: PageQuery) -> rendering.Page:
    page = ProgrammePage(snapshot, query)
    if query.view == COUNT:
        return rendering.render_page("count", query.selection.language, "", {"page": page})
    return page.write("programme")


def write_festival_page(snapshot: Snapshot, language: LanguageCode, name: str) -> rendering.Page:
    """Return the practical page if `name` is `practical`, else the start page."""
    if name == "practical":
        return PracticalPage(snapshot, language).write(name)
    return write_programme(snapshot, PageQuery(snapshot.programme.select(language)))


programme = selection_view("programme", write_programme)
subscribe = page_view("subscribe", SubscribePage)
developers = page_view("developers", DevelopersPage)
everything = page_view("everything", EverythingPage)
news = page_view("news", NewsPage, "news_index")
fragment = selection_view("fragment", write_fragment, parse=parse_embed_query)
embed = xframe_options_exempt(selection_view("embed", write_embed_page, parse=parse_embed_query))


@rendering.snapshot_view
def news_entry(
    _request: HttpRequest, snapshot: Snapshot, identity: UUID, language: LanguageCode
) -> ResponseSpec:
    query = PageQuery(snapshot.programme.select(language))
    every = NewsListing(snapshot, query.selection).every
    entry = next((each for each in every if each.id == identity), None)
    if entry is None:
        raise Http404
    return rendering.page_response(
        ("news", identity, language), lambda: NewsPage(snapshot, query, entry).write("news")
    )


@partial(rendering.snapshot_view, read=read_page_address)
def oembed(request: HttpRequest, snapshot: Snapshot) -> ResponseSpec:
    if request.GET.get("format", "json") != "json":
        # As the specification demands of providers without XML.
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


@rendering.snapshot_view
def my_programme(request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:
    ids, is_complete = parse_chosen(request.GET)
    chosen = Selection(language=language, chosen=ids)
    return rendering.page_response(
        ("my_programme", chosen, is_complete),
        lambda: write_my_programme_page(snapshot, chosen, is_complete=is_complete),
        is_cached=is_complete and not ids,
    )


@rendering.snapshot_view
def occasion(
    _request: HttpRequest, snapshot: Snapshot, occasion_id: int, language: LanguageCode
) -> ResponseSpec:
    key = ("occasion", occasion_id, language)
    if found := snapshot.programme.by_id.get(occasion_id):
        return rendering.page_response(key, lambda: write_occasion_page(snapshot, found, language))
    if gone := snapshot.programme.gone.get(occasion_id):
        write = partial(write_gone_page, snapshot, occasion_id, gone, language)
        return rendering.page_response(key, write, HTTPStatus.GONE)
    raise Http404


@rendering.snapshot_view
def place(
    _request: HttpRequest, snapshot: Snapshot, location_id: int, language: LanguageCode, **_name: str
) -> ResponseSpec:
    # A merged place has the page of the place that it was merged into.
    location_id = snapshot.programme.merged.get("location", {}).get(location_id, location_id)
    occasions = snapshot.find(Selection(locations=(str(location_id),)))
    location = next((each.place.location for each in occasions if each.place), None)
    if location is None:
        raise Http404
    return rendering.page_response(
        ("place", location_id, language),
        lambda: PlacePage(snapshot, location, occasions, language).write("place"),
    )


@rendering.snapshot_view
def listed(
    _request: HttpRequest, snapshot: Snapshot, list_id: int, language: LanguageCode, **_name: str
) -> ResponseSpec:
    shown = next((each for each in snapshot.programme.lists if each.id == list_id), None)
    if shown is None:
        raise Http404
    occasions = snapshot.find(Selection(lists=(str(list_id),)))
    return rendering.page_response(
        ("list", list_id, language), lambda: ListPage(snapshot, shown, occasions, language).write("list")
    )


@rendering.snapshot_view
def practical(_request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:
    if language not in list_written(snapshot.programme.festival):
        raise Http404
    return rendering.page_response(
        ("practical", language), lambda: write_festival_page(snapshot, language, "practical")
    )


@rendering.snapshot_view
def editions(_request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:
    def write() -> rendering.Page:
        sizes = current.ask(lambda: count_occasions(snapshot.programme))
        # Called in the page's language.
        others = partial(list_others, snapshot, language, sizes)
        links = rendering.link_languages(snapshot, language, EDITIONS.__getitem__)
        return rendering.write_page("editions", language, snapshot, others=others, **links)

    return rendering.page_response(("editions", language), write)


@rendering.snapshot_view
def element(_request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:
    def write() -> rendering.Page:
        base_url, name = snapshot.programme.site.base_url, get_festival_name(snapshot.programme, language)
        code = EmbeddingCode(base_url, Selection(language=language), name)
        examples = [(more, code.write_element(more)) for more in EXAMPLES]
        links = rendering.link_languages(snapshot, language, SHOWCASE.__getitem__)
        return rendering.write_page("element", language, snapshot, code=code, examples=examples, **links)

    return rendering.page_response(("element", language), write)


@rendering.snapshot_view
def namespace(_request: HttpRequest, snapshot: Snapshot) -> ResponseSpec:
    # The namespace has one bilingual page.
    site = snapshot.programme.site
    return rendering.page_response(
        ("namespace",),
        lambda: rendering.write_page(
            "namespace",
            "en",
            snapshot,
            uri=site.extension_namespace,
            canonical=f"{site.base_url}{reverse('namespace')}",
        ),
    )


@rendering.snapshot_view
def api(_request: HttpRequest, snapshot: Snapshot) -> ResponseSpec:
    def write() -> rendering.Page:
        programme = snapshot.programme
        context = {"festival": get_festival_name(programme, "en"), "base_url": programme.site.base_url}
        return rendering.render_page("api", "en", "", context)

    return rendering.page_response(("api",), write)


@rendering.snapshot_view
def offline(_request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:
    return rendering.page_response(
        ("offline", language),
        lambda: rendering.write_page(
            "offline",
            language,
            snapshot,
            rules=build_area_rules(snapshot),
            other_language_path=OFFLINE[OTHER[language]],
            everything=EVERYTHING[language],
            occasion=build_occasion_path("", language),
            zone=snapshot.programme.site.time.zone_name,
        ),
    )


@no_append_slash
@rendering.read_only
def without_slash(request: HttpRequest, path: str) -> HttpResponse:
    try:
        resolve(f"/{path}")
    except Resolver404:
        raise Http404 from None
    query = request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(f"/{quote(path)}{query and '?'}{query}")
