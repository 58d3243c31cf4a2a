"""How views answer GET and HEAD only, and from the current snapshot."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from programme.api.instant import get_instant
from programme.api.responses import ResponseSpec, respond
from programme.publishing.current import current

View = Callable[..., HttpResponse]


def read_only(view: View) -> View:
    """Let a view answer GET and HEAD only. Without the exemption, POST would be 403 instead of 405."""
    return csrf_exempt(require_safe(view))


def snapshot_view(build: Callable[..., ResponseSpec]) -> View:
    """Make a view of a function that takes the request and the current snapshot, and specifies a response.

    Nothing but the content coding is negotiated.
    """

    @read_only
    @wraps(build)
    def view(request: HttpRequest, **arguments: object) -> HttpResponse:
        instant = get_instant(request)
        snapshot = current.at(instant)
        response = respond(request, instant, snapshot, build(request, snapshot, **arguments))
        patch_vary_headers(response, ["Accept-Encoding"])
        return response

    return view
