"""Error pages of the back office, in the editor's language."""

import errno
import logging
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.contrib import admin
from django.core.exceptions import RequestDataTooBig
from django.db import Error, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext_lazy as _

from programme.changes.preview import find_address
from programme.changes.rights import rights_of
from programme.models import Event, Occasion
from programme.models.parsing import parse_int
from programme.publishing.current import DatabaseUnavailable

logger = logging.getLogger(__name__)

TEMPLATE = "admin/programme/error.html"
# Seconds.
RETRY_AFTER = 5
# Connections that fail or are too many, disks that are full, what is busy, slow, read-only or shut down: how
# the conditions begin that PostgreSQL names (docs: Appendix A, "PostgreSQL Error Codes").
SQLSTATES = ("08", "25006", "40001", "40P01", "53", "55P03", "57014", "57P", "58")
# The same by SQLite's primary result codes (sqlite.org/rescode.html).
SQLITE_CODES = {5, 6, 8, 10, 13, 14}
OS_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
AWAY = _("Nothing can be shown or saved right now")


def is_passing(exception: BaseException | None) -> bool:
    """Return whether an exception is a matter of waiting, and no fault of the service's own."""
    match exception:
        case DatabaseUnavailable():
            return True
        case Error():
            return _is_passing_in_driver(exception.__cause__)
        case OSError():
            return exception.errno in OS_ERRORS
    return False


def _is_passing_in_driver(error: Any) -> bool:
    """Return the same of a database driver's exception, which Django's has as its cause."""
    if (code := getattr(error, "sqlite_errorcode", None)) is not None:
        # The other bits say more of the same.
        return code & 0xFF in SQLITE_CODES
    if state := getattr(error, "sqlstate", None):
        return str(state).startswith(SQLSTATES)
    # A connection that cannot be made, or that ended without a word, has no condition.
    return type(error).__name__ in {"OperationalError", "InterfaceError", "ConnectionTimeout"}


def server_error(request: HttpRequest, exception: BaseException | None) -> HttpResponse:
    """Answer 503 for what passes, else 500; the browser has kept what was typed."""
    if not is_passing(exception):
        explanation = _("The fault is ours, not yours, and it is in the log.")
        heading = _("Something went wrong here")
        return _respond(request, HTTPStatus.INTERNAL_SERVER_ERROR, heading, explanation)
    explanation = _("It usually works again within a minute. If not, tell the person who runs the server.")
    # It may be the database that reads the session and the user.
    response = _respond(request, HTTPStatus.SERVICE_UNAVAILABLE, AWAY, explanation, is_bare=True)
    response["Retry-After"] = str(RETRY_AFTER)
    report(request, exception)
    # Django would log a stack trace, which says nothing more.
    vars(response)["_has_been_logged"] = True
    return response


def report(request: HttpRequest, exception: BaseException | None) -> None:
    reason = str(exception).strip().partition("\n")[0]
    logger.error("%s %s was not answered: %s", request.method, request.path, reason)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - as Django calls it
    explanation = _("The address may be mistyped, or what it showed has been deleted.")
    return _respond(request, HTTPStatus.NOT_FOUND, _("There is no such page"), explanation)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    row = _find_read_only(request)
    why = str(exception) or (row and rights_of(request.user).explain_read_only(row))
    explanation = why or _("Your role does not include it. Ask an administrator.")
    form = find_address(type(row), row.pk, "change") if row else ""
    return _respond(request, HTTPStatus.FORBIDDEN, _("You may not do this"), explanation, form=form)


def _find_read_only(request: HttpRequest) -> Any:
    """Return the event or the occasion of an address if the user may look at it, but not change it."""
    match = request.resolver_match
    page = (match.url_name or "").split("_") if match else []
    models: dict[str, Any] = {"event": Event, "occasion": Occasion}
    model = models.get(page[1]) if page[:1] == ["programme"] else None
    key = parse_int(match.kwargs.get("object_id") or match.kwargs.get("key")) if match else None
    row = model.objects.filter(pk=key).first() if model and key else None
    if row is None:
        return None
    can = rights_of(request.user).can
    return row if can("view", row) and not can("change", row) else None


def explain_methods(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answer 405 with a page: who opens an address that only buttons send to would see an empty one."""

    @wraps(view)
    def explained(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
            return response
        explanation = _("A button of the back office leads here. Press it once more.")
        heading = _("This address is not a page")
        page = _respond(request, HTTPStatus.METHOD_NOT_ALLOWED, heading, explanation)
        page["Allow"] = response.headers["Allow"]
        return page

    return explained


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django's hook
    explanation = _("You have signed in or out since you opened it, or the browser sends no cookies.")
    return _respond(request, HTTPStatus.FORBIDDEN, _("The form is too old"), explanation)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    is_large = isinstance(exception, RequestDataTooBig)
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE if is_large else HTTPStatus.BAD_REQUEST
    explanation = _("Go back in the browser, and save what you typed in smaller parts.")
    return _respond(request, status, _("The request cannot be accepted"), explanation)


def _respond(
    request: HttpRequest, status: HTTPStatus, heading: Any, text: Any, *, is_bare: bool = False, **more: Any
) -> HttpResponse:
    # An error outside of the middleware that activates it has no language but the browser's.
    language = getattr(request, "LANGUAGE_CODE", None) or get_language_from_request(request)
    with override(language):
        context = {"status": status.value, "title": heading, "explanation": text} | more
        body = "" if is_bare or not hasattr(request, "user") else _render(request, context)
        # Without the session and the user.
        site = {"site_header": admin.site.site_header, "site_title": admin.site.site_title}
        body = body or render_to_string(TEMPLATE, site | {"request": request} | context)
    return HttpResponse(body, status=status, headers={"Cache-Control": "no-store"})


def _render(request: HttpRequest, context: dict[str, Any]) -> str:
    """Return a page with the editor's own header and navigation, '' if the database does not have them."""
    try:
        with transaction.atomic():
            return render_to_string(TEMPLATE, admin.site.each_context(request) | context, request)
    except Error:
        return ""
