"""The two endpoints, answered from the snapshot in memory."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.core.exceptions import TooManyFieldsSent
from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from rest_framework.exceptions import APIException, NotAcceptable, ValidationError
from rest_framework.request import Request
from rest_framework.viewsets import ViewSet

from feeds.codings import CODINGS
from feeds.formats import FORMATS, Format
from feeds.listing import Listing
from programme.answering import Told, send
from programme.current import Present, current
from programme.models import Occasion
from programme.negotiation import asked_by_name
from programme.parameters import SelectionParameters

READING = ("GET", "HEAD")
ALLOWED = (*READING, "OPTIONS")


class PreconditionFailed(APIException):
    """`If-Match` names another version (RFC 9110, section 13.1.1)."""

    status_code = HTTPStatus.PRECONDITION_FAILED
    default_detail = "The answer is not the one that If-Match or If-Unmodified-Since names."


class NoCoding(APIException):
    """`Accept-Encoding` excludes all content codings, and an answer without any (section 12.5.3)."""

    status_code = HTTPStatus.NOT_ACCEPTABLE
    default_detail = (
        f"Accept-Encoding excludes all that there is: {', '.join(each.name for each in CODINGS)}."
    )


REFUSED = {each.status_code: each for each in (PreconditionFailed, NoCoding)}


class ProgrammeViewSet(ViewSet):
    """An endpoint: negotiation, the answer kept in the snapshot, and its validators."""

    def show(self, request: Request, **_extension: str) -> HttpResponse:
        present = current.at(request.instant)
        told = self.told(request, present)
        self.is_coded = True
        response = send(request, request.instant, present, told)
        if refused := REFUSED.get(response.status_code):
            raise refused
        return response

    # Whether `Accept-Encoding` had a say in the response.
    is_coded = False

    def told(self, request: Request, present: Present) -> Told:
        raise NotImplementedError

    def content_type(self, request: Request) -> str:
        return request.accepted_renderer.content_type(request.accepted_media_type)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[Format, str]:
        try:
            return super().perform_content_negotiation(request, force)
        except NotAcceptable:
            if request.method in READING:
                raise
            # Nothing is represented in the answer to another method, so `Accept` cannot refuse it.
            return self.renderer_classes[0](), self.renderer_classes[0].media_type

    @property
    def default_response_headers(self) -> dict[str, str]:
        """None: DRF would state `Vary` whether or not `Accept` chose the format."""
        return {}

    def options(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        response = HttpResponse(headers={"Allow": ", ".join(ALLOWED), "Content-Length": "0"})
        del response["Content-Type"]
        return response

    @property
    def allowed_methods(self) -> list[str]:
        return list(ALLOWED)

    def finalize_response(
        self, request: Request, response: HttpResponse, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        response = super().finalize_response(request, response, *args, **kwargs)
        by = ["Accept"] * self._is_negotiated(request) + ["Accept-Encoding"] * self.is_coded
        if by:
            patch_vary_headers(response, by)
        return response

    def _is_negotiated(self, request: Request) -> bool:
        try:
            return asked_by_name(request, self.kwargs.get("format")) is None
        except (ValidationError, TooManyFieldsSent):
            return False


class EventViewSet(ProgrammeViewSet):
    """`GET /api/events`."""

    renderer_classes = FORMATS

    def told(self, request: Request, present: Present) -> Told:
        parameters = SelectionParameters(request.query_params, queryset=Occasion.objects.none())
        if not parameters.form.is_valid():
            raise ValidationError(parameters.form.errors)
        selection = present.programme.index.canonical(parameters.selection)
        chosen: Format = request.accepted_renderer
        return Told(
            key=(chosen.extension, selection),
            write=lambda: chosen.render(Listing(present, selection)),
            content_type=self.content_type(request),
            holds_clock=chosen.holds_clock or bool(selection.moments),
            is_kept=present.programme.index.is_known(selection),
        )


class AreaViewSet(ProgrammeViewSet):
    """`GET /api/areas`, in the formats that can write areas."""

    renderer_classes = tuple(each for each in FORMATS if each.write_areas)

    def told(self, request: Request, present: Present) -> Told:
        chosen: Format = request.accepted_renderer
        return Told(
            key=(chosen.extension, "areas"),
            write=lambda: chosen.write_areas(present),
            content_type=self.content_type(request),
            holds_clock=False,
        )


def _endpoint(view_set: type[ProgrammeViewSet]) -> Callable[..., HttpResponse]:
    return view_set.as_view({"get": "show"})


areas = _endpoint(AreaViewSet)
events = _endpoint(EventViewSet)
