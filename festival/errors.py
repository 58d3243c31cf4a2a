"""Errors as RFC 9457 problem details below /api/, as pages elsewhere."""

import json
from http import HTTPStatus
from typing import Any

from django.core.exceptions import TooManyFieldsSent
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import APIException, MethodNotAllowed, NotAcceptable, ValidationError

from pages import views as pages

API = "/api/"
# Seconds; a database that comes back is noticed within one.
ASK_AGAIN = 5


def problem(status: int, detail: str, **more: Any) -> HttpResponse:
    """Return an `application/problem+json` response; `more` are its extension members."""
    status = HTTPStatus(status)
    body = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "detail": detail,
        **more,
    }
    text = json.dumps(body, ensure_ascii=False)
    return HttpResponse(text, status=status, content_type="application/problem+json")


def problem_from_exception(  # noqa: PLR0911 - one for each kind
    exception: Exception, context: dict[str, Any]
) -> HttpResponse | None:
    """DRF's exception handler: None lets an unforeseen exception go on to `server_error`."""
    match exception:
        case ValidationError():
            detail = "There are parameters that cannot be understood."
            return problem(HTTPStatus.BAD_REQUEST, detail, errors=exception.detail)
        case TooManyFieldsSent():
            # Django's own way to 400 writes a stack trace to the log, for whoever wants to fill it.
            return bad_request(context["request"], exception)
        case NotAcceptable():
            return _not_acceptable(context)
        case MethodNotAllowed():
            response = problem(exception.status_code, f"{context['request'].method} is not allowed here.")
            response["Allow"] = ", ".join(context["view"].allowed_methods)
            return response
        case APIException():
            return problem(exception.status_code, str(exception.detail))
        case Http404():
            return problem(HTTPStatus.NOT_FOUND, str(exception))
    return None


def _not_acceptable(context: dict[str, Any]) -> HttpResponse:
    available = [
        {"extension": each.extension, "media_types": list(each.media_types)}
        for each in context["view"].renderer_classes
    ]
    detail = "There is no representation of a media type that Accept allows."
    return problem(HTTPStatus.NOT_ACCEPTABLE, detail, available=available)


@csrf_exempt
def no_endpoint(request: HttpRequest, **_path: str) -> HttpResponse:
    """Answer what lies below /api/ and is no endpoint."""
    return problem(HTTPStatus.NOT_FOUND, f"There is nothing at {request.path}.")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith(API):
        return problem(HTTPStatus.BAD_REQUEST, "The request cannot be understood.", errors={})
    return pages.bad_request(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith(API):
        return no_endpoint(request)
    return pages.not_found(request, exception)


def database_unavailable(request: HttpRequest) -> HttpResponse:
    """Answer where there is no programme to answer from: 503, with the seconds after which to ask again."""
    if request.path.startswith(API):
        response = problem(HTTPStatus.SERVICE_UNAVAILABLE, "There is no programme to answer from right now.")
        response["Cache-Control"] = "no-store"
    else:
        response = pages.database_unavailable(request)
    response["Retry-After"] = str(ASK_AGAIN)
    # The log says once a minute that the database is away, and Django need not say it of each request.
    response._has_been_logged = True  # noqa: SLF001 - what Django's own handlers ask
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    if request.path.startswith(API):
        return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "Something went wrong here.")
    return pages.server_error(request)
