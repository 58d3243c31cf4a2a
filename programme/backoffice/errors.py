"""Error pages of the back office: in the editor's language, with the cause, and with what was typed."""

import errno
import logging
import traceback
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any, NamedTuple

from django.contrib import admin
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFieldsSent
from django.db import Error, transaction
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware, get_token
from django.template.loader import render_to_string
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext_lazy as _

from programme.publishing.current import DatabaseUnavailable

logger = logging.getLogger(__name__)

TEMPLATE = "admin/programme/error.html"

# --- Causes that pass -----------------------------------------------------------------------------


class Cause(NamedTuple):
    """A cause that is a matter of waiting: `retry_after` is in seconds."""

    heading: Any
    explanation: Any
    retry_after: int


UNAVAILABLE = Cause(
    _("The database does not answer"),
    _("It is usually back within a minute. If not, tell the person who runs the server."),
    5,
)
BUSY = Cause(
    _("Someone else was saving at the same moment"),
    _("The two got in each other's way. Once more, and it usually works."),
    1,
)
SLOW = Cause(
    _("The database took too long"),
    _("It has much to do right now. If it goes on, tell the person who runs the server."),
    5,
)
DISK_FULL = Cause(
    _("The server's disk is full or read-only"),
    _("Nothing can be saved until that is mended: tell the person who runs the server."),
    60,
)
READ_ONLY = Cause(
    _("The database takes no changes right now"),
    _("It may be in the middle of a repair or a move. If it goes on, tell the person who runs the server."),
    30,
)

# By the condition that PostgreSQL names, or its class (docs: Appendix A, "PostgreSQL Error Codes").
SQLSTATES = {
    "08": UNAVAILABLE,  # connection failures
    "25006": READ_ONLY,
    "40001": BUSY,  # serialization failure
    "40P01": BUSY,  # deadlock
    "53": UNAVAILABLE,  # out of memory, too many connections
    "53100": DISK_FULL,
    "55P03": BUSY,  # lock timeout
    "57014": SLOW,  # statement timeout
    "57P": UNAVAILABLE,  # shut down, crashed, starting up
    "58": UNAVAILABLE,  # input/output error
}
# By SQLite's primary result code (sqlite.org/rescode.html).
SQLITE_CODES = {
    5: BUSY,  # SQLITE_BUSY
    6: BUSY,  # SQLITE_LOCKED
    8: READ_ONLY,  # SQLITE_READONLY
    10: UNAVAILABLE,  # SQLITE_IOERR
    13: DISK_FULL,  # SQLITE_FULL
    14: UNAVAILABLE,  # SQLITE_CANTOPEN
}
OS_ERRORS = {errno.ENOSPC: DISK_FULL, errno.EDQUOT: DISK_FULL, errno.EROFS: DISK_FULL}


def find_cause(exception: BaseException | None) -> Cause | None:
    """Return the cause of an exception; None if it is a fault of the service's own."""
    match exception:
        case DatabaseUnavailable():
            return UNAVAILABLE
        case Error():
            return _find_cause_of_driver(exception.__cause__)
        case OSError():
            return OS_ERRORS.get(exception.errno or 0)
    return None


def _find_cause_of_driver(error: Any) -> Cause | None:
    """Return the cause of a database driver's exception, which Django's has as its cause."""
    if (code := getattr(error, "sqlite_errorcode", None)) is not None:
        # The other bits say more of the same.
        return SQLITE_CODES.get(code & 0xFF)
    if state := getattr(error, "sqlstate", None):
        return next((SQLSTATES[state[:end]] for end in (5, 3, 2) if state[:end] in SQLSTATES), None)
    # A connection that cannot be made, or that ended without a word, has no condition.
    is_lost = type(error).__name__ in {"OperationalError", "InterfaceError", "ConnectionTimeout"}
    return UNAVAILABLE if is_lost else None


def is_uncertain(exception: BaseException | None) -> bool:
    """Return whether the connection was lost during COMMIT: then the database saved everything or nothing."""
    if find_cause(exception) is not UNAVAILABLE or exception is None:
        return False
    return any(
        frame.f_code.co_name == "_commit" for frame, _line in traceback.walk_tb(exception.__traceback__)
    )


# --- What was typed -------------------------------------------------------------------------------


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
    fields = [(name, str(value)) for name, values in sent.lists() for value in values]
    kept = [(name, value) for name, value in fields if "password" not in name.casefold()]
    chosen = [str(file.name) for _name, uploads in files.lists() for file in uploads]
    typed = [(name, value) for name, value in kept if name != "csrfmiddlewaretoken"]
    return Typed(typed, chosen, has_password=len(kept) < len(fields))


def _is_ours(request: HttpRequest) -> bool:
    """Check the token, unless that was done before the request failed; it needs no database."""
    if getattr(request, "csrf_processing_done", False):
        return True

    def accept(_request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    middleware = CsrfViewMiddleware(accept)
    middleware.process_request(request)
    return middleware.process_view(request, accept, (), {}) is None


# --- Responses ------------------------------------------------------------------------------------


def server_error(request: HttpRequest, exception: BaseException | None) -> HttpResponse:
    """Answer 503 with the cause if it passes, else 500; what was typed can be sent again from the page."""
    cause = find_cause(exception)
    is_saved = getattr(request, "is_saved", False)
    context: dict[str, Any] = {
        "heading": cause.heading if cause else _("Something went wrong here"),
        "explanation": cause.explanation
        if cause
        else _("The fault is ours, not yours, and it is in the log."),
        "changes": request.method == "POST",
        "is_saved": is_saved,
        "is_uncertain": is_uncertain(exception),
        "typed": NOTHING if is_saved else find_typed(request),
    }
    if cause is None:
        return _respond(request, HTTPStatus.INTERNAL_SERVER_ERROR, **context)
    # It may be the database that reads the session and the user.
    response = _respond(request, HTTPStatus.SERVICE_UNAVAILABLE, is_bare=True, **context)
    response["Retry-After"] = str(cause.retry_after)
    report(request, exception)
    # Django would log a stack trace, which says nothing more.
    vars(response)["_has_been_logged"] = True
    return response


def report(request: HttpRequest, exception: BaseException | None) -> None:
    reason = str(exception).strip().partition("\n")[0]
    logger.error("%s %s was not answered: %s", request.method, request.path, reason)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - as Django calls it
    explanation = _("The address may be mistyped, or what it showed has been deleted.")
    return _respond(
        request, HTTPStatus.NOT_FOUND, heading=_("There is no such page"), explanation=explanation
    )


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    explanation = str(exception) or _("Your role does not include it. Ask an administrator.")
    return _respond(request, HTTPStatus.FORBIDDEN, heading=_("You may not do this"), explanation=explanation)


def explain_methods(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answer 405 with a page: who opens an address that only buttons send to would see an empty one."""

    @wraps(view)
    def explained(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
            return response
        explanation = _("A button of the back office leads here. Press it once more.")
        heading = _("This address is not a page")
        page = _respond(request, HTTPStatus.METHOD_NOT_ALLOWED, heading=heading, explanation=explanation)
        page["Allow"] = response.headers["Allow"]
        return page

    return explained


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django's hook
    """Refuse a form whose token is missing or outdated.

    What it has sent is not offered again: it may come from a page that wants the editor to send it.
    """
    explanation = _(
        "You have signed in or out since you opened it, or the browser sends no cookies. Nothing was "
        "saved. Go back in the browser and load the page again: it offers what you typed. Copy long "
        "texts first, to be safe."
    )
    return _respond(request, HTTPStatus.FORBIDDEN, heading=_("The form is too old"), explanation=explanation)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    match exception:
        case RequestDataTooBig():
            status, explanation = HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _("The texts are too long together.")
        case TooManyFieldsSent():
            status, explanation = HTTPStatus.BAD_REQUEST, _("The form has too many fields.")
        case _other:
            status, explanation = HTTPStatus.BAD_REQUEST, _("Something in it is malformed.")
    advice = _(
        "Nothing was saved. Go back in the browser: what you typed is still there. Save it in smaller parts."
    )
    heading = _("The request cannot be accepted")
    return _respond(request, status, heading=heading, explanation=explanation, advice=advice)


def _respond(
    request: HttpRequest, status: HTTPStatus, *, is_bare: bool = False, **context: Any
) -> HttpResponse:
    # An error outside of the middleware that activates it has no language but the browser's.
    language = getattr(request, "LANGUAGE_CODE", None) or get_language_from_request(request)
    with override(language):
        context |= {"status": status.value, "title": context["heading"]}
        body = "" if is_bare or not hasattr(request, "user") else _render(request, context)
        body = body or _render_bare(request, context)
    return HttpResponse(body, status=status, headers={"Cache-Control": "no-store"})


def _render(request: HttpRequest, context: dict[str, Any]) -> str:
    """Return a page with the editor's own header and navigation, '' if the database does not have them."""
    try:
        with transaction.atomic():
            return render_to_string(TEMPLATE, admin.site.each_context(request) | context, request)
    except Error:
        return ""


def _render_bare(request: HttpRequest, context: dict[str, Any]) -> str:
    """Return a page for which neither the session nor the user is read."""
    bare = {
        "site_header": admin.site.site_header,
        "site_title": admin.site.site_title,
        "request": request,
        "csrf_token": get_token(request),
        "is_popup": "_popup" in request.GET,
    }
    return render_to_string(TEMPLATE, bare | context)
