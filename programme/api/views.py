"""The endpoints, answered from the snapshot in memory."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.core.exceptions import TooManyFieldsSent
from django.http import Http404, HttpResponse
from django.utils.cache import patch_vary_headers
from django_filters import FilterSet
from rest_framework.exceptions import APIException, NotAcceptable, ValidationError
from rest_framework.request import Request
from rest_framework.viewsets import ViewSet

from feeds import vocabulary
from feeds.codings import CODINGS
from feeds.formats import AREA_FORMATS, BY_EXTENSION, FORMATS, Format
from feeds.formats.json import encode
from feeds.listing import OccasionListing
from programme.api.instant import get_instant
from programme.api.negotiation import requested_extension
from programme.api.openapi import build_document
from programme.api.pagination import EventParameters
from programme.api.parameters import LanguageParameters
from programme.api.responses import ResponseSpec, respond
from programme.models import Occasion
from programme.publishing.current import ServingSnapshot, current

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


class Gone(APIException):
    status_code = HTTPStatus.GONE
    default_detail = "The occasion was published once and is no longer part of the programme."


REFUSED = {each.status_code: each for each in (PreconditionFailed, NoCoding)}


class ProgrammeViewSet(ViewSet):
    """An endpoint: negotiation, the answer kept in the snapshot, and its validators."""

    def show(self, request: Request, **_extension: str) -> HttpResponse:
        instant = get_instant(request)
        snapshot = current.at(instant)
        spec = self.build_spec(request, snapshot)
        self.is_coded = True
        response = respond(request, instant, snapshot, spec)
        if refused := REFUSED.get(response.status_code):
            raise refused
        return response

    # Whether `Accept-Encoding` had a say in the response.
    is_coded = False

    def build_spec(self, request: Request, snapshot: ServingSnapshot) -> ResponseSpec:
        raise NotImplementedError

    def content_type(self, request: Request) -> str:
        return request.accepted_renderer.content_type(request.accepted_media_type)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[Format, str]:
        try:
            return super().perform_content_negotiation(request, force)
        except NotAcceptable:
            if request.method in READING:
                raise
            # Nothing is resnapshoted in the answer to another method, so `Accept` cannot refuse it.
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
            return requested_extension(request, self.kwargs.get("format")) is None
        except (ValidationError, TooManyFieldsSent):
            return False


class EventViewSet(ProgrammeViewSet):
    """`GET /api/events`."""

    renderer_classes = FORMATS

    def build_spec(self, request: Request, snapshot: ServingSnapshot) -> ResponseSpec:
        parameters = EventParameters(request.query_params, queryset=Occasion.objects.none())
        _valid(parameters)
        listing = parameters.listing(snapshot)
        chosen: Format = request.accepted_renderer
        return ResponseSpec(
            key=(chosen.extension, listing.selection, listing.part_query),
            write=lambda: chosen.render(listing),
            content_type=self.content_type(request),
            depends_on_time=chosen.depends_on_time or bool(listing.selection.moments),
            is_cached=listing.is_cacheable and snapshot.programme.index.is_known(listing.selection),
            headers=chosen.headers(listing),
        )


class OccasionViewSet(ProgrammeViewSet):
    """`GET /api/occations/{id}`: one occasion in every format."""

    renderer_classes = FORMATS

    def build_spec(self, request: Request, snapshot: ServingSnapshot) -> ResponseSpec:
        parameters = LanguageParameters(request.query_params, queryset=Occasion.objects.none())
        listing = OccasionListing(snapshot, self._find(snapshot), _valid(parameters)["language"])
        chosen: Format = request.accepted_renderer
        name = f"{listing.file_name}.{chosen.extension}"
        return ResponseSpec(
            key=(chosen.extension, "occasion", listing.occasion.id, listing.language),
            write=lambda: chosen.render(listing),
            content_type=self.content_type(request),
            depends_on_time=chosen.depends_on_time,
            headers={"Content-Disposition": f'inline; filename="{name}"'} if chosen.is_file else {},
        )

    def _find(self, snapshot: ServingSnapshot) -> vocabulary.Occasion:
        occasion_id = int(self.kwargs["occasion_id"])
        if found := snapshot.programme.by_id.get(occasion_id):
            return found
        if occasion_id in snapshot.programme.gone:
            raise Gone
        raise Http404(f"There is no occasion {occasion_id}.")


class AreaViewSet(ProgrammeViewSet):
    """`GET /api/areas`, in the formats that can write areas."""

    renderer_classes = AREA_FORMATS

    def build_spec(self, request: Request, snapshot: ServingSnapshot) -> ResponseSpec:
        chosen: Format = request.accepted_renderer
        return ResponseSpec(
            key=(chosen.extension, "areas"),
            write=lambda: chosen.write_areas(snapshot),
            content_type=self.content_type(request),
            depends_on_time=False,
        )


class SchemaViewSet(ProgrammeViewSet):
    """`GET /api/schema`: the description of the API, in OpenAPI 3.1."""

    renderer_classes = (BY_EXTENSION["json"],)

    def build_spec(self, request: Request, snapshot: ServingSnapshot) -> ResponseSpec:
        programme = snapshot.programme
        return ResponseSpec(
            key=("schema",),
            write=lambda: encode(
                build_document(programme.festival.name.within("en"), programme.site.base_url)
            ),
            content_type=self.content_type(request),
            depends_on_time=False,
        )


def _valid(parameters: FilterSet) -> dict[str, Any]:
    """Return what parameters say; raises ValidationError where that cannot be understood."""
    if not parameters.form.is_valid():
        raise ValidationError(parameters.form.errors)
    return parameters.form.cleaned_data


def _endpoint(view_set: type[ProgrammeViewSet]) -> Callable[..., HttpResponse]:
    return view_set.as_view({"get": "show"})


areas = _endpoint(AreaViewSet)
events = _endpoint(EventViewSet)
occasion = _endpoint(OccasionViewSet)
schema = _endpoint(SchemaViewSet)
