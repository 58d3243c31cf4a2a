"""How a ready answer is sent: with its validators, as 304 or 412, to HEAD without its body."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from feeds.answers import Answer


def send(
    request: HttpRequest, answer: Answer, content_type: str, status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    """Return the response to GET or HEAD; 412, where `If-Match` names another version, has no body."""
    response = HttpResponse(answer.body, content_type=content_type, status=status)
    response["ETag"] = answer.etag
    # True at this second, and asked again at the next: 304 is cheap.
    response["Cache-Control"] = "public, no-cache"
    response = get_conditional_response(request, answer.etag, None, response)
    if request.method == "HEAD" and response.status_code == status:
        response["Content-Length"] = str(len(answer.body))
        response.content = b""
    return response
