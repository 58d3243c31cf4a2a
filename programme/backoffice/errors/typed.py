"""What an editor has typed into a form that could not be saved, so that its error page can send it again."""

from typing import NamedTuple

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.middleware.csrf import CsrfViewMiddleware

CSRF_FIELD = "csrfmiddlewaretoken"


class Typed(NamedTuple):
    """The fields of a form by name, in order, and what of it is not kept: names of files, and passwords."""

    fields: list[tuple[str, str]]
    files: list[str]
    has_password: bool


NOTHING = Typed([], [], has_password=False)


def find_typed(request: HttpRequest) -> Typed:
    """Return what a form has sent; NOTHING if it sent none, or one that cannot be read.

    A form from elsewhere is not kept: the page would send it with a valid token.
    """
    if request.method != "POST":
        return NOTHING
    try:
        sent, files = request.POST, request.FILES
        if not _is_ours(request):
            return NOTHING
    except (OSError, SuspiciousOperation, MultiPartParserError):
        return NOTHING
    fields = [(name, str(value)) for name, values in sent.lists() for value in values if name != CSRF_FIELD]
    kept = [(name, value) for name, value in fields if not _is_password(name)]
    chosen = [str(file.name) for _name, uploads in files.lists() for file in uploads]
    return Typed(kept, chosen, has_password=len(kept) < len(fields))


def _is_ours(request: HttpRequest) -> bool:
    """Check the token, unless that was done before the request failed; it needs no database."""
    if getattr(request, "csrf_processing_done", False):
        return True
    middleware = CsrfViewMiddleware(_accept)
    middleware.process_request(request)
    return middleware.process_view(request, _accept, (), {}) is None


def _accept(_request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def _is_password(name: str) -> bool:
    return "password" in name.casefold()
