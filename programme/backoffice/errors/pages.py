"""The responses to errors in the back office, which need no database where it may be the cause."""

import logging
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django.contrib import admin
from django.core.exceptions import DisallowedHost, RequestDataTooBig, TooManyFieldsSent
from django.db import Error, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext_lazy as _

from programme.backoffice.errors.causes import find_cause, is_uncertain
from programme.backoffice.errors.typed import NOTHING, find_typed

logger = logging.getLogger(__name__)

NOT_ALLOWED = HTTPStatus.METHOD_NOT_ALLOWED
TEMPLATE = "admin/programme/error.html"
OUR_FAULT = _("The fault is ours, not yours, and it is in the log.")


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
        return _respond(request, HTTPStatus.INTERNAL_SERVER_ERROR, context)
    response = _respond(request, HTTPStatus.SERVICE_UNAVAILABLE, context, is_bare=True)
    response["Retry-After"] = str(cause.retry_after)
    report(request, exception)
    # Django would log a stack trace, which says nothing more.
    vars(response)["_has_been_logged"] = True
    return response


def report(request: HttpRequest, exception: BaseException | None) -> None:
    """Log one line for a request that failed by a known cause."""
    reason = str(exception).strip().partition("\n")[0]
    logger.error("%s %s was not answered: %s", request.method, request.path, reason)


def not_found(request: HttpRequest) -> HttpResponse:
    context = {
        "heading": _("There is no such page"),
        "explanation": _("The address may be mistyped, or what it showed has been deleted."),
    }
    return _respond(request, HTTPStatus.NOT_FOUND, context)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    context = {
        "heading": _("You may not do this"),
        "explanation": str(exception) or _("Your role does not include it. Ask an administrator."),
    }
    return _respond(request, HTTPStatus.FORBIDDEN, context)


def explain_methods(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answer 405 with a page: who opens an address that only buttons send to would see an empty one."""

    @wraps(view)
    def explained(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        return (
            _explain(request, response.headers["Allow"]) if response.status_code == NOT_ALLOWED else response
        )

    return explained


def _explain(request: HttpRequest, allowed: str) -> HttpResponse:
    context = {
        "heading": _("This address is not a page"),
        "explanation": _("A button of the back office leads here. Press it once more."),
    }
    response = _respond(request, NOT_ALLOWED, context)
    response["Allow"] = allowed
    return response


def csrf_failure(request: HttpRequest) -> HttpResponse:
    """Refuse a form whose token is missing or outdated.

    What it has sent is not offered again: it may come from a page that wants the editor to send it.
    """
    context = {
        "heading": _("The form is too old"),
        "explanation": _(
            "You have signed in or out since you opened it, or the browser sends no cookies. Nothing was "
            "saved. Go back in the browser and load the page again: it offers what you typed. Copy long "
            "texts first, to be safe."
        ),
    }
    return _respond(request, HTTPStatus.FORBIDDEN, context)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    match exception:
        case RequestDataTooBig():
            status, explanation = HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _("The texts are too long together.")
        case TooManyFieldsSent():
            status, explanation = HTTPStatus.BAD_REQUEST, _("The form has too many fields.")
        case _other:
            status, explanation = HTTPStatus.BAD_REQUEST, _("Something in it is malformed.")
    context = {
        "heading": _("The request cannot be accepted"),
        "explanation": explanation,
        "advice": _(
            "Nothing was saved. Go back in the browser: what you typed is still there. "
            "Save it in smaller parts."
        ),
    }
    return _respond(request, status, context)


def _respond(
    request: HttpRequest, status: HTTPStatus, context: dict[str, Any], *, is_bare: bool = False
) -> HttpResponse:
    # An error outside of the middleware that activates it has no language but the browser's.
    language = getattr(request, "LANGUAGE_CODE", None) or get_language_from_request(request)
    with override(language):
        context |= {"status": status.value, "title": context["heading"], "back": _find_way_back(request)}
        body = _render_bare(request, context) if is_bare else _render(request, context)
    return HttpResponse(body, status=status, headers={"Cache-Control": "no-store"})


def _render(request: HttpRequest, context: dict[str, Any]) -> str:
    """Return a page with the editor's own header and navigation, if the database has them."""
    if not hasattr(request, "user"):
        return _render_bare(request, context)
    try:
        with transaction.atomic():
            return render_to_string(TEMPLATE, admin.site.each_context(request) | context, request)
    except Error:
        return _render_bare(request, context)


def _render_bare(request: HttpRequest, context: dict[str, Any]) -> str:
    """Return a page for which neither the session nor the user is read."""
    site = admin.site
    bare = {
        "site_header": site.site_header,
        "site_title": site.site_title,
        "request": request,
        "csrf_token": get_token(request),
        "is_popup": "_popup" in request.GET,
    }
    return render_to_string(TEMPLATE, bare | context)


def _find_way_back(request: HttpRequest) -> str:
    """Return the page of the back office that led here, "" if none did or it is this one."""
    referrer = request.headers.get("Referer", "")
    try:
        is_ours = url_has_allowed_host_and_scheme(referrer, {request.get_host()})
    except DisallowedHost:
        return ""
    path, start = urlsplit(referrer).path, reverse("admin:index")
    return referrer if is_ours and path.startswith(start) and path not in {start, request.path} else ""
