"""Error pages, which need neither the database nor a programme."""

from contextlib import suppress
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from feeds.vocabulary import LanguageCode
from pages.addresses import OTHER, START
from pages.rendering import HEADER, HTML, build_content_policy, write_page
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


def respond(request: HttpRequest, status: HTTPStatus) -> HttpResponse:
    """Return the page of an error, in the language of the address."""
    is_swedish = current.programme is not None and current.programme.festival.swedish_only
    language: LanguageCode = "en" if request.path.startswith(START["en"]) and not is_swedish else "sv"
    heading, explanation = TEXTS[status]
    # The page for 404 offers a search, so it has the festival's layout if there is a programme. A request may
    # be refused before it gets an instant.
    instant, snapshot = getattr(request, "instant", None), None
    with suppress(DatabaseUnavailable):
        snapshot = current.at(instant) if instant and status == HTTPStatus.NOT_FOUND else None
    body, style = write_page(
        "error",
        language,
        snapshot,
        status=status.value,
        heading=heading,
        explanation=explanation,
        retry_path=request.get_full_path() if status == HTTPStatus.SERVICE_UNAVAILABLE else "",
        other_language_path="" if is_swedish else START[OTHER[language]],
        # No reload when the snapshot ends.
        until="",
    )
    headers = {"Cache-Control": "no-store", HEADER: build_content_policy(style)}
    return HttpResponse(body, content_type=HTML, status=status, headers=headers)
