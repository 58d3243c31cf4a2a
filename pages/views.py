"""The pages, made from the snapshot that the API answers from, and the pages of errors."""

from collections.abc import Callable, Hashable, Mapping
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES, Identity, LanguageCode, Occasion, occasion_path
from pages.extension import MEANINGS
from pages.occasions import GonePage, OccasionPage
from pages.start import StartPage
from pages.words import Words
from programme.answering import Told, send
from programme.current import Present, current

HTML = "text/html; charset=utf-8"
START: Mapping[LanguageCode, str] = {"sv": "/", "en": "/en/"}
OTHER: Mapping[LanguageCode, LanguageCode] = {"sv": "en", "en": "sv"}

View = Callable[..., HttpResponse]


def page(view: View) -> View:
    """Let a view answer GET and HEAD alone. Without the exemption, POST would be 403 instead of 405."""
    return csrf_exempt(require_safe(view))


@page
def start(request: HttpRequest, language: LanguageCode) -> HttpResponse:
    present = current.at(request.instant)
    return _send(request, present, ("start", language), lambda: _start(present, language))


@page
def occasion(request: HttpRequest, occasion_id: int, language: LanguageCode) -> HttpResponse:
    present = current.at(request.instant)
    key = ("occasion", occasion_id, language)
    if found := present.programme.by_id.get(occasion_id):
        return _send(request, present, key, lambda: occasion_page(present, found, language))
    if gone := present.programme.gone.get(occasion_id):
        return _send(request, present, key, lambda: _gone(present, gone, language), HTTPStatus.GONE)
    raise Http404


@page
def namespace(request: HttpRequest) -> HttpResponse:
    present = current.at(request.instant)
    return _send(request, present, ("namespace",), lambda: _namespace(present))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's hook
    return _error(request, HTTPStatus.BAD_REQUEST, "bad_request")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    return _error(request, HTTPStatus.NOT_FOUND, "not_found")


def away(request: HttpRequest) -> HttpResponse:
    return _error(request, HTTPStatus.SERVICE_UNAVAILABLE, "away")


def server_error(request: HttpRequest) -> HttpResponse:
    return _error(request, HTTPStatus.INTERNAL_SERVER_ERROR, "server_error")


def _send(
    request: HttpRequest,
    present: Present,
    key: tuple[Hashable, ...],
    write: Callable[[], bytes],
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    told = Told(("page", *key), write, HTML, status=status)
    response = send(request, request.instant, present, told)
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _start(present: Present, language: LanguageCode) -> bytes:
    base_url = present.programme.site.base_url
    return _write(
        "start",
        present,
        language,
        page=StartPage(present, language),
        urls={each: f"{base_url}{START[each]}" for each in LANGUAGES},
        twin=START[OTHER[language]],
    )


def occasion_page(present: Snapshot, found: Occasion, language: LanguageCode) -> bytes:
    """Return the page of an occasion of a snapshot's programme."""
    site = present.programme.site
    return _write(
        "occasion",
        present,
        language,
        page=OccasionPage(present, found, language),
        urls={each: site.occasion_url(found.identity, each) for each in LANGUAGES},
        twin=occasion_path(found.id, OTHER[language]),
    )


def _gone(present: Present, identity: Identity, language: LanguageCode) -> bytes:
    twin = occasion_path(identity.id, OTHER[language])
    return _write("gone", present, language, page=GonePage(present, identity, language), twin=twin)


def _namespace(present: Present) -> bytes:
    # Namespace names have one page for both languages: it says each thing twice.
    site = present.programme.site
    return _write(
        "namespace",
        present,
        "en",
        meanings=MEANINGS,
        uri=site.extension_namespace,
        canonical=f"{site.base_url}{reverse('namespace')}",
    )


def _write(template: str, present: Snapshot, language: LanguageCode, **context: Any) -> bytes:
    festival = present.programme.festival.name.within(language)
    return _rendered(template, language, festival=festival, **context)


def _rendered(template: str, language: LanguageCode, **context: Any) -> bytes:
    """Return a page. No request is handed over: sessions and browsers must not change what it says."""
    words = Words(language)
    context = {"language": language, "words": words, "home": START[language], **context}
    context["festival"] = context.get("festival") or words.nameless_festival
    return render_to_string(f"pages/{template}.html", context).encode()


def _error(request: HttpRequest, status: HTTPStatus, name: str) -> HttpResponse:
    """Return the page of an error, which needs neither the database nor the programme."""
    language: LanguageCode = "en" if request.path.startswith(START["en"]) else "sv"
    words = Words(language)
    heading, because = getattr(words, name), getattr(words, f"{name}_because")
    body = _rendered("error", language, heading=heading, because=because, twin=START[OTHER[language]])
    return HttpResponse(body, content_type=HTML, status=status, headers={"Cache-Control": "no-store"})
