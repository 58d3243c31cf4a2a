"""What responses of the API have in common: they are the snapshot's, and sent as HTTP has it."""

from http import HTTPStatus
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from feeds.documents import JsonDocument
from feeds.formats import Format
from feeds.listing import Listing
from feeds.negotiation import CODINGS
from programme.api.instant import get_instant
from programme.api.negotiation import list_extensions
from programme.api.responses import ResponseSpec, respond
from programme.publishing.serving_snapshot import ServingSnapshot

DETAILS: dict[int, str] = {
    HTTPStatus.NOT_ACCEPTABLE: (
        "No available content coding matches the Accept-Encoding header. Available codings:"
        f" {', '.join(each.name for each in CODINGS)}."
    ),
    HTTPStatus.GONE: "The occasion has been removed from the programme.",
    HTTPStatus.PRECONDITION_FAILED: (
        "The current version is not the one that If-Match or If-Unmodified-Since names."
    ),
}


class Refusal(APIException):
    """A refusal by its status, for which DRF has no class (RFC 9110, sections 12.5.3, 13.1 and 15.5.11)."""

    def __init__(self, status: int) -> None:
        super().__init__(DETAILS[status])
        self.status_code = status


class SnapshotResponseMixin(APIView):
    """Conditional requests (RFC 9110, section 13) and content codings for responses of a snapshot.

    A handler returns `Response(listing)`; the renderer is called where the snapshot has no body of it.
    """

    # The snapshot that a handler has answered from.
    snapshot: ServingSnapshot

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        # A viewset refers to itself, by the handlers that it is given for methods: until the next full
        # garbage collection it would keep the response, its body and the snapshot in memory.
        vars(self).clear()
        return response

    @property
    def default_response_headers(self) -> dict[str, str]:
        is_named = list_extensions(self.request, self.get_format_suffix(**self.kwargs))
        return {} if is_named else {"Vary": "Accept"}

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        if isinstance(response, Response):
            response = self._respond(request, response)
        if renderer := getattr(request, "accepted_renderer", None):
            # By which responses are counted.
            response.format = renderer.format
        return response

    def _respond(self, request: Request, rendered: Response) -> HttpResponse:
        renderer = cast("Format", rendered.accepted_renderer)
        data: Listing | JsonDocument = rendered.data
        own = {name: value for name, value in rendered.items() if name not in ("Content-Type", "Vary")}
        spec = ResponseSpec(
            key=(renderer.format, data.key),
            write=lambda: rendered.rendered_content,
            content_type=renderer.content_type(rendered.accepted_media_type),
            depends_on_time=renderer.depends_on_time or data.depends_on_time,
            is_cached=data.is_cacheable,
            headers=own,
        )
        response = respond(request, get_instant(request), self.snapshot, spec)
        # It holds the response itself, and so the listing and the snapshot.
        rendered.renderer_context.clear()  # type: ignore[attr-defined]
        if response.status_code in DETAILS:
            response = self.handle_exception(Refusal(response.status_code))
        patch_vary_headers(response, filter(None, (rendered.get("Vary"), "Accept-Encoding")))
        return response
