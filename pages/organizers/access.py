"""Who may open an organizer's pages: a browser with the cookie that the organizer's link has set."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from feeds.snapshot import Snapshot
from pages.rendering import HTML, read_only, write_page
from programme.api.instant import get_instant
from programme.backoffice.dates import editor_language
from programme.backoffice.suggestions.links import find_link
from programme.publishing.current import current

# With this prefix browsers refuse the cookie unless it came over TLS.
COOKIE = "__Secure-organizer" if settings.SERVED_OVER_TLS else "organizer"

View = Callable[..., HttpResponse]


@read_only
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """Keep the token in a cookie and lead to an address without it.

    It changes nothing else: mail scanners and previews follow links before people do.
    """
    instant = get_instant(request)
    token = token.partition("/")[0]
    link = find_link(token, instant)
    if link is None or link.valid_until is None:
        # Without a button for the other language: its address is a secret, which no form holds.
        response = refuse(request, here="")
    else:
        response = redirect("organizer")
        response.set_cookie(
            COOKIE,
            token,
            max_age=link.valid_until - instant,
            path=reverse("organizer"),
            secure=settings.SERVED_OVER_TLS,
            httponly=True,
            samesite="Lax",
        )
    # The other pages have no secret in their address. Without any referrer, browsers would not say of a form
    # which page it came from, and it would be refused.
    response["Referrer-Policy"] = "no-referrer"
    return keep_private(response)


def for_organizers(view: View) -> View:
    """Give a view the link of the request's cookie; refuse a request without a valid one."""

    @wraps(view)
    def protected(request: HttpRequest, **arguments: Any) -> HttpResponse:
        link = find_link(request.COOKIES.get(COOKIE, ""), get_instant(request))
        try:
            response = view(request, link, **arguments) if link else refuse(request, request.path)
        except Http404:
            response = show_gone(request)
        return keep_private(response)

    return protected


def refuse(request: HttpRequest, here: str) -> HttpResponse:
    heading = _("This link does not work any more")
    explanation = _("Ask the festival for a new one. What you have sent with it is still there.")
    context = {"heading": heading, "explanation": explanation, "here": here}
    return show(request, "refused", context, HTTPStatus.FORBIDDEN)


def show_gone(request: HttpRequest) -> HttpResponse:
    heading = _("This event is not among yours any more")
    explanation = _("The festival has deleted it, or given it to somebody else.")
    context = {"heading": heading, "explanation": explanation, "has_list": True}
    return show(request, "refused", context, HTTPStatus.NOT_FOUND)


def keep_private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex"
    return response


def show(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    status: HTTPStatus = HTTPStatus.OK,
    framed_styles: tuple[str, ...] = (),
) -> HttpResponse:
    """Answer with a page in the visitors' layout and the browser's language."""
    snapshot: Snapshot = current.at(get_instant(request))
    shared = {"here": request.path, "messages": messages.get_messages(request)}
    private = {"csrf_token": get_token(request), "feeds": (), "until": ""}
    body, style = write_page(
        f"organizers/{template}", editor_language(), snapshot, **shared | context | private
    )
    response = HttpResponse(body, content_type=HTML, status=status)
    # The frames inherit this page's policy (festival/http/headers.py).
    response.framed_styles = [style, *framed_styles]  # type: ignore[attr-defined]
    return response
