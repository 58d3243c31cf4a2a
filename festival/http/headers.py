"""Security headers; public pages set their own policies (pages/rendering.py)."""

import secrets
from collections.abc import Iterable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from festival.http.base import Middleware
from pages.rendering import DIRECTIVES, FEATURES, HEADER, hash_source, join_directives

BACK_OFFICE = "/admin/"
# For HTML other than pages, which other websites include. Not for XML, which browsers would not show.
FRAGMENT_POLICY = "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
# Images are shown before they are uploaded (blob:), and some of Django's icons are data URLs.
BACK_OFFICE_DIRECTIVES = DIRECTIVES | {"img-src": "'self' https: data: blob:"}


class Nonce:
    """A nonce for a page's style elements, generated on first use."""

    value = ""

    def __str__(self) -> str:
        self.value = self.value or secrets.token_urlsafe(16)
        return self.value


def _build_policy(nonce: Nonce, framed_styles: Iterable[str]) -> str:
    sources = [*map(hash_source, framed_styles), *([f"'nonce-{nonce}'"] if nonce.value else [])]
    style = " ".join([DIRECTIVES["style-src"], *sources])
    return join_directives(BACK_OFFICE_DIRECTIVES | {"style-src": style})


class SecurityHeadersMiddleware(Middleware):
    """Adds policies to the headers of Django's middleware.

    A request gets a `csp_nonce`; a response's `framed_styles` are texts of style elements in frames, which
    inherit their page's policy. With an https `BASE_URL` every request counts as one over TLS, although the
    proxy forwards it without, so that Django sends HSTS and checks forms as under https.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SERVED_OVER_TLS:
            request.META["wsgi.url_scheme"] = "https"
        nonce = request.csp_nonce = Nonce()  # type: ignore[attr-defined]
        response = self.get_response(request)
        is_back_office = request.path_info.startswith(BACK_OFFICE)
        if HEADER not in response and response.get("Content-Type", "").startswith("text/html"):
            styles = getattr(response, "framed_styles", ())
            has_nonce = is_back_office or nonce.value
            response[HEADER] = _build_policy(nonce, styles) if has_nonce else FRAGMENT_POLICY
        # Everything but the back office is public, and other websites show images, lists and feeds.
        response["Cross-Origin-Resource-Policy"] = "same-origin" if is_back_office else "cross-origin"
        # The headers of a 304 would replace those of the stored page.
        if response.status_code != HTTPStatus.NOT_MODIFIED:
            response.headers.setdefault("Permissions-Policy", FEATURES.format(""))
        return response
