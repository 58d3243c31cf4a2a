"""Error responses: RFC 9457 problem details below /api/, pages of the back office or of readers elsewhere."""

import sys
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from django.core.exceptions import TooManyFieldsSent
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import APIException, MethodNotAllowed, NotAcceptable, ValidationError

from pages import errors as pages
from programme.api.problems import build_problem
from programme.backoffice import errors as back_office
from programme.publishing.current import DatabaseUnavailable

API, BACK_OFFICE = "/api/", "/admin/"
# Seconds, of which the service takes one to notice that the database is available again.
RETRY_AFTER = 5


def handle_exception(  # noqa: PLR0911 - one for each exception
    exception: Exception, context: dict[str, Any]
) -> HttpResponse | None:
    """Handle an exception for DRF; None passes it on to `server_error`."""
    match exception:
        case ValidationError():
            return build_problem(HTTPStatus.BAD_REQUEST, "Invalid query parameters.", errors=exception.detail)
        case TooManyFieldsSent():
            # Django's own handler would log a stack trace for each such request.
            return bad_request(context["request"], exception)
        case NotAcceptable():
            formats = context["view"].renderer_classes
            available = [{"extension": f.extension, "media_types": list(f.media_types)} for f in formats]
            detail = "No available format matches the Accept header."
            return build_problem(HTTPStatus.NOT_ACCEPTABLE, detail, available=available)
        case MethodNotAllowed():
            detail = f"Method {context['request'].method} is not allowed."
            response = build_problem(exception.status_code, detail)
            response["Allow"] = ", ".join(context["view"].allowed_methods)
            return response
        case APIException():
            return build_problem(exception.status_code, str(exception.detail))
        case Http404():
            return build_problem(HTTPStatus.NOT_FOUND, str(exception))
    return None


@csrf_exempt
def no_endpoint(request: HttpRequest, **_path: str) -> HttpResponse:
    """Answer 404 for an unknown path below /api/."""
    return build_problem(HTTPStatus.NOT_FOUND, f"No resource at {request.path}.")


def back_office_away(request: HttpRequest) -> HttpResponse:
    """Return the page that the proxy shows if the back office does not respond (docs/install.md)."""
    response = render(request, "back_office_away.html")
    response["Cache-Control"] = "no-store"
    return _unavailable(response)


def _unavailable(response: HttpResponse) -> HttpResponse:
    """Return a response as a 503, which Django does not log, because the outage is logged elsewhere."""
    response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    response["Retry-After"] = str(RETRY_AFTER)
    vars(response)["_has_been_logged"] = True
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    page = partial(back_office.bad_request, request, exception)
    return _answer(request, HTTPStatus.BAD_REQUEST, "Malformed request.", page, errors={})


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    page = partial(back_office.not_found, request, exception)
    return _answer(request, HTTPStatus.NOT_FOUND, f"No resource at {request.path}.", page)


def database_unavailable(request: HttpRequest, exception: DatabaseUnavailable) -> HttpResponse:
    """Return 503 with Retry-After: without the database, and without a programme in memory or on disk."""
    page = partial(back_office.server_error, request, exception)
    detail = "The programme is temporarily unavailable."
    return _unavailable(_answer(request, HTTPStatus.SERVICE_UNAVAILABLE, detail, page))


def server_error(request: HttpRequest) -> HttpResponse:
    page = partial(back_office.server_error, request, sys.exception())
    return _answer(request, HTTPStatus.INTERNAL_SERVER_ERROR, "Internal server error.", page)


def _answer(
    request: HttpRequest, status: HTTPStatus, detail: str, page: Callable[[], HttpResponse], **more: Any
) -> HttpResponse:
    """Return an error response of the API, the back office (`page`) or the public pages."""
    if request.path.startswith(API):
        return build_problem(status, detail, **more)
    return page() if request.path.startswith(BACK_OFFICE) else pages.respond(request, status)
