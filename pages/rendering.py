"""Responses of pages: from the current snapshot, with layout, language and Content-Security-Policy."""

import re
from base64 import b64encode
from collections.abc import Callable, Hashable
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode
from pages.addresses import OTHER
from pages.layout import build_layout
from programme.api.editions import find_snapshot
from programme.api.fields import InvalidParametersError
from programme.api.instant import get_instant
from programme.api.responses import Document, ResponseSpec, respond

View = Callable[..., HttpResponse]


def read_only(view: View) -> View:
    """Restrict a view to GET and HEAD. Without the CSRF exemption, POST would be 403 instead of 405."""
    return csrf_exempt(require_safe(view))


# The query of an address, and the arguments in its path.
Address = tuple[QueryDict, dict[str, Any]]


def snapshot_view(
    build: Callable[..., ResponseSpec], read: Callable[[HttpRequest], Address] | None = None
) -> View:
    """Make a view of a function of a request and a snapshot; `read` returns the address with its edition."""

    @read_only
    @wraps(build)
    def view(request: HttpRequest, **arguments: Any) -> HttpResponse:
        instant = get_instant(request)
        query, named = read(request) if read else (request.GET, arguments)
        try:
            snapshot = find_snapshot(instant, query, named.get("occasion_id"), named.get("location_id"))
        except InvalidParametersError:
            # Pages with parameters show the error.
            snapshot = find_snapshot(instant, QueryDict(), named.get("occasion_id"))
        if arguments.get("language", "sv") not in snapshot.programme.festival.languages:
            return _redirect_to_swedish(request)
        response = respond(request, instant, snapshot, build(request, snapshot, **arguments))
        patch_vary_headers(response, ["Accept-Encoding"])
        return response

    return view


def _redirect_to_swedish(request: HttpRequest) -> HttpResponse:
    match: Any = request.resolver_match
    path = reverse(f"{match.url_name.removesuffix('en')}sv", kwargs=match.captured_kwargs)
    query = request.META.get("QUERY_STRING", "")
    return HttpResponseRedirect(f"{path}{query and '?'}{query}", headers={"Cache-Control": "no-store"})


HEADER = "Content-Security-Policy"
# No script and no style attribute is inline. Editors may name images anywhere.
DIRECTIVES = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' https:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "frame-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


def build_content_policy(style: str = "", *, framed: bool = False, images: str = "") -> str:
    """Return the policy of a page with one style element; other websites may embed a `framed` one."""
    directives = dict(DIRECTIVES)
    if style:
        # The hash of the page's own style: an injected style element would not apply.
        directives["style-src"] += f" {hash_source(style)}"
    if images:
        directives["img-src"] += f" {images}"
    if framed:
        directives["frame-ancestors"] = "*"
    return join_directives(directives)


def join_directives(directives: dict[str, str]) -> str:
    return "; ".join(f"{directive} {sources}" for directive, sources in directives.items())


def hash_source(text: str) -> str:
    """Return the source expression of an inline element with this text (CSP Level 3, section 2.3.1)."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


# Features that no page uses, and the position, which only POSITIONED pages use.
FEATURES = "camera=(), display-capture=(), geolocation=({}), microphone=(), payment=(), usb=()"
POSITIONED = ("programme", "offline")
# Swagger UI's style sheet has inline images.
IMAGES: dict[Hashable, str] = {"api": "data:"}
HTML = "text/html; charset=utf-8"

# Elements whose white space browsers show.
PREFORMATTED = re.compile(r"(<(?:pre|textarea)\b.*?</(?:pre|textarea)>)", re.DOTALL)
INDENTATION = re.compile(r"\n\s+")


class Page(NamedTuple):
    """A page, and the text of its style element, '' if it has none."""

    body: bytes
    style: str


def page_response(
    key: tuple[Hashable, ...],
    write: Callable[[], Page],
    status: HTTPStatus = HTTPStatus.OK,
    *,
    is_cached: bool = True,
    framed: bool = False,
) -> ResponseSpec:
    """Return the specification of a page's response, which browsers revalidate each time."""

    def write_document() -> Document:
        body, style = write()
        headers = {HEADER: build_content_policy(style, framed=framed, images=IMAGES.get(key[0], ""))}
        if key[0] in POSITIONED:
            headers["Permissions-Policy"] = FEATURES.format("self")
        return Document(body, headers)

    return ResponseSpec(
        ("page", *key), write_document, HTML, status=status, is_cached=is_cached, must_revalidate=True
    )


def link_languages(
    snapshot: Snapshot, language: LanguageCode, build_path: Callable[[LanguageCode], str]
) -> dict[str, Any]:
    """Return the page's addresses in its languages, and its path in the other language."""
    base_url = snapshot.programme.site.base_url
    languages = snapshot.programme.festival.languages
    urls = {each: f"{base_url}{build_path(each)}" for each in languages if build_path(each)}
    return {"urls": urls, "other_language_path": build_path(OTHER[language])}


def write_page(
    template: str,
    language: LanguageCode,
    snapshot: Snapshot | None,
    selection: Selection | None = None,
    rules: str = "",
    **context: Any,
) -> Page:
    """Return a page in the layout; `rules` are its own style rules."""
    if snapshot and snapshot.programme.festival.swedish_only:
        context["other_language_path"] = ""
    with translation.override(language):
        layout = build_layout(language, snapshot, selection)
    return render_page(template, language, f"{layout.pop('style')}{rules}", layout | context)


def render_page(template: str, language: LanguageCode, style: str, context: dict[str, Any]) -> Page:
    """Return a page in its language; `context` must have lazy texts, or properties that return them."""
    with translation.override(language):
        content = {"language": language, "style": style, **context}
        written = render_to_string(f"pages/{template}.html", content)
        parts = PREFORMATTED.split(written)
        # The indentation of templates is a sixth of a long page.
        parts[::2] = (INDENTATION.sub("\n", part) for part in parts[::2])
        return Page("".join(parts).lstrip().encode(), style)
