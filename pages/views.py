"""The pages, made from the snapshot that the API answers from, and the pages of errors."""

from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.common import no_append_slash
from msgspec.structs import replace

from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES, Identity, LanguageCode, Occasion, build_occasion_path
from pages.addresses import OTHER, START
from pages.api import ApiPage
from pages.decorators import read_only
from pages.ext_namespace import ELEMENTS
from pages.layout import list_area_colors
from pages.occasions import GonePage, OccasionPage
from pages.programme import ProgrammePage
from pages.query import PageQuery, parse_query
from pages.rendering import HTML, send_page, write_page
from programme.api.instant import get_instant
from programme.api.openapi import build_document
from programme.publishing.current import DatabaseUnavailable, ServingSnapshot, current

# The heading of each error's page, and the sentence below it.
ERROR_TEXTS = {
    HTTPStatus.BAD_REQUEST: (
        _("The request cannot be understood"),
        _("Something in it is malformed. Check the address and try again."),
    ),
    HTTPStatus.NOT_FOUND: (
        _("There is no such page"),
        _("The address may be mistyped. The start page leads to the whole programme."),
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        _("The programme cannot be shown right now"),
        _("We are working on it. Try again in a little while."),
    ),
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        _("Something went wrong here"),
        _("The fault is ours, not yours. Try again in a while."),
    ),
}


@read_only
def programme(request: HttpRequest, language: LanguageCode) -> HttpResponse:
    present = current.at(get_instant(request))
    wish = parse_query(request.GET, language)
    index = present.programme.index
    wish = replace(wish, selection=index.canonical(wish.selection))
    return send_page(
        request,
        present,
        ("programme", wish),
        lambda: _programme(present, wish),
        HTTPStatus.BAD_REQUEST if wish.wrong else HTTPStatus.OK,
        is_cached=wish.is_bounded and index.is_known(wish.selection),
    )


@read_only
def occasion(request: HttpRequest, occasion_id: int, language: LanguageCode) -> HttpResponse:
    present = current.at(get_instant(request))
    key = ("occasion", occasion_id, language)
    if found := present.programme.by_id.get(occasion_id):
        return send_page(request, present, key, lambda: write_occasion_page(present, found, language))
    if gone := present.programme.gone.get(occasion_id):
        return send_page(request, present, key, lambda: _gone(present, gone, language), HTTPStatus.GONE)
    raise Http404


@read_only
def namespace(request: HttpRequest) -> HttpResponse:
    present = current.at(get_instant(request))
    return send_page(request, present, ("namespace",), lambda: _namespace(present))


@read_only
def api(request: HttpRequest) -> HttpResponse:
    present = current.at(get_instant(request))
    language: LanguageCode = "en" if request.GET.get("language", "").lower().startswith("en") else "sv"
    return send_page(request, present, ("api", language), lambda: _api(present, language))


@no_append_slash
@read_only
def without_slash(request: HttpRequest, path: str) -> HttpResponse:
    """Lead to the page whose address has no slash at its end."""
    try:
        resolve(f"/{path}")
    except Resolver404:
        raise Http404 from None
    query = request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(f"/{quote(path)}{query and '?'}{query}")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's hook
    return _error(request, HTTPStatus.BAD_REQUEST)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    return _error(request, HTTPStatus.NOT_FOUND)


def database_unavailable(request: HttpRequest) -> HttpResponse:
    return _error(request, HTTPStatus.SERVICE_UNAVAILABLE)


def server_error(request: HttpRequest) -> HttpResponse:
    return _error(request, HTTPStatus.INTERNAL_SERVER_ERROR)


def _programme(present: ServingSnapshot, wish: PageQuery) -> bytes:
    shown = ProgrammePage(present, wish)
    base_url = present.programme.site.base_url
    language = wish.selection.language
    return write_page(
        "programme",
        language,
        present,
        page=shown,
        at="programme",
        colours=list_area_colors(present),
        selection=wish.selection,
        urls={each: f"{base_url}{shown.path_in(each)}" for each in LANGUAGES},
        twin=shown.path_in(OTHER[language]),
    )


def write_occasion_page(present: Snapshot, found: Occasion, language: LanguageCode) -> bytes:
    """Return the page of an occasion of a snapshot's programme."""
    site = present.programme.site
    shown = OccasionPage(present, found, language)
    return write_page(
        "occasion",
        language,
        present,
        page=shown,
        colours=[each for each in list_area_colors(present) if each[0] in shown.area_ids],
        urls={each: site.occasion_url(found.identity, each) for each in LANGUAGES},
        twin=build_occasion_path(found.id, OTHER[language]),
    )


def _gone(present: ServingSnapshot, identity: Identity, language: LanguageCode) -> bytes:
    twin = build_occasion_path(identity.id, OTHER[language])
    return write_page("gone", language, present, page=GonePage(present, identity, language), twin=twin)


def _namespace(present: ServingSnapshot) -> bytes:
    # Namespace names have one page for both languages: it says each thing twice.
    site = present.programme.site
    return write_page(
        "namespace",
        "en",
        present,
        meanings=ELEMENTS,
        uri=site.extension_namespace,
        canonical=f"{site.base_url}{reverse('namespace')}",
    )


def _api(present: ServingSnapshot, language: LanguageCode) -> bytes:
    programme = present.programme
    base_url = programme.site.base_url
    described = build_document(programme.festival.name.within("en"), base_url)
    shown = ApiPage(described, next((each.id for each in programme.occasions), 1), language)
    paths: Mapping[LanguageCode, str] = {"sv": reverse("api"), "en": f"{reverse('api')}?language=en"}
    return write_page(
        "api",
        language,
        present,
        page=shown,
        at="api",
        urls={each: f"{base_url}{path}" for each, path in paths.items()},
        twin=paths[OTHER[language]],
    )


def _error(request: HttpRequest, status: HTTPStatus) -> HttpResponse:
    """Return the page of an error, which needs neither the database nor the programme.

    What is not found is searched for in the programme, so it is told as the festival's.
    """
    language: LanguageCode = "en" if request.path.startswith(START["en"]) else "sv"
    heading, because = ERROR_TEXTS[status]
    told = {
        "status": status.value,
        "heading": heading,
        "because": because,
        # While there is no programme, there is nothing to search.
        "again": request.get_full_path() if status == HTTPStatus.SERVICE_UNAVAILABLE else "",
        "twin": START[OTHER[language]],
    }
    snapshot = _snapshot_if_any(request) if status == HTTPStatus.NOT_FOUND else None
    body = write_page("error", language, snapshot, until="", **told)
    return HttpResponse(body, content_type=HTML, status=status, headers={"Cache-Control": "no-store"})


def _snapshot_if_any(request: HttpRequest) -> Snapshot | None:
    # It has an instant unless it was refused before it was given one.
    instant = getattr(request, "instant", None)
    try:
        return current.at(instant) if instant else None
    except DatabaseUnavailable:
        return None
