"""How every page is written in its frame and sent from a snapshot."""

from collections.abc import Callable, Hashable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_vary_headers

from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode
from pages.layout import build_layout
from programme.api.instant import get_instant
from programme.api.responses import ResponseSpec, respond
from programme.publishing.current import ServingSnapshot

HTML = "text/html; charset=utf-8"


def send_page(  # noqa: PLR0913 - what is kept, and how
    request: HttpRequest,
    present: ServingSnapshot,
    key: tuple[Hashable, ...],
    write: Callable[[], bytes],
    status: HTTPStatus = HTTPStatus.OK,
    *,
    is_cached: bool = True,
) -> HttpResponse:
    """Send a page. Browsers ask for it each time, and mostly hear that it is the same: it is true at once."""
    told = ResponseSpec(("page", *key), write, HTML, status=status, is_cached=is_cached, must_revalidate=True)
    return send_spec(request, present, told)


def send_spec(request: HttpRequest, present: ServingSnapshot, told: ResponseSpec) -> HttpResponse:
    """Send what is to be told of a snapshot beside the API, where nothing but the coding is negotiated."""
    response = respond(request, get_instant(request), present, told)
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def write_page(
    template: str,
    language: LanguageCode,
    snapshot: Snapshot | None = None,
    selection: Selection | None = None,
    **context: Any,
) -> bytes:
    """Return a page in its layout, whose feeds and subscriptions are those of `selection`."""
    with translation.override(language):
        layout = build_layout(language, snapshot, selection)
    return render_page(template, language, **layout | context)


def render_page(template: str, language: LanguageCode, **context: Any) -> bytes:
    """Return a page. It gets no request: sessions and browsers must not change what it says.

    A page gets its language here, whatever the thread's is. Text in `context` must therefore be lazy,
    or come from properties that the template reads.
    """
    with translation.override(language):
        return render_to_string(f"pages/{template}.html", {"language": language, **context}).encode()
