"""The pages of errors, which need neither the database nor a programme."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode
from pages import content_policy
from pages.addresses import OTHER, START
from pages.content_policy import build_content_policy
from pages.rendering import HTML, write_page
from programme.publishing.current import DatabaseUnavailable, current

# The heading of each page, and the sentence below it.
TEXTS = {
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


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's hook
    return _respond(request, HTTPStatus.BAD_REQUEST)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    # The page offers to search the programme, so it is in the festival's own layout if there is a programme.
    return _respond(request, HTTPStatus.NOT_FOUND, _get_snapshot(request))


def database_unavailable(request: HttpRequest) -> HttpResponse:
    # Without a programme there is nothing to search.
    return _respond(request, HTTPStatus.SERVICE_UNAVAILABLE, retry_path=request.get_full_path())


def server_error(request: HttpRequest) -> HttpResponse:
    return _respond(request, HTTPStatus.INTERNAL_SERVER_ERROR)


def _respond(
    request: HttpRequest, status: HTTPStatus, snapshot: Snapshot | None = None, retry_path: str = ""
) -> HttpResponse:
    language: LanguageCode = "en" if request.path.startswith(START["en"]) else "sv"
    heading, explanation = TEXTS[status]
    body, style = write_page(
        "error",
        language,
        snapshot,
        status=status.value,
        heading=heading,
        explanation=explanation,
        retry_path=retry_path,
        other_language_path=START[OTHER[language]],
        # An error does not become a page when the snapshot ends.
        until="",
    )
    headers = {"Cache-Control": "no-store", content_policy.HEADER: build_content_policy(style)}
    return HttpResponse(body, content_type=HTML, status=status, headers=headers)


def _get_snapshot(request: HttpRequest) -> Snapshot | None:
    # A request has an instant unless it was refused before it was given one.
    instant = getattr(request, "instant", None)
    try:
        return current.at(instant) if instant else None
    except DatabaseUnavailable:
        return None
