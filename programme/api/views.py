"""The endpoints, answered from the snapshot in memory."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from rest_framework.exceptions import APIException, NotAcceptable, ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from feeds.formats import FORMATS, Format
from feeds.json_parts import build_areas, encode
from feeds.listing import OccasionListing
from feeds.negotiation import CODINGS
from feeds.news_formats import NEWS_FORMATS
from feeds.programme import Programme
from feeds.programme_document import build_lists, write_programme
from programme.api.editions import find_snapshot
from programme.api.fields import InvalidParametersError
from programme.api.instant import get_instant
from programme.api.negotiation import (
    JSON_ALONE,
    Formats,
    choose_by_accept,
    choose_by_extension,
    find_extension,
)
from programme.api.openapi.document import build_document
from programme.api.parameters import (
    ChangesParameters,
    EventParameters,
    ListParameters,
    NewsParameters,
    OccasionParameters,
    ProgrammeParameters,
)
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


class ProgrammeView(APIView):
    """An endpoint that negotiates a format and responds with what the snapshot has or writes."""

    renderer_classes: Formats
    # Set when the format is negotiated.
    chosen: Format
    media_type: str
    # The request headers that decided about the response.
    vary: tuple[str, ...] = ()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        response = super().dispatch(request, *args, **kwargs)
        # The view and DRF's request refer to each other: until the next full garbage collection they would
        # keep the response, its body and its snapshot in memory.
        del self.response
        return response

    def get(self, request: Request, **_path: str) -> HttpResponse:
        instant = get_instant(request)
        try:
            snapshot = find_snapshot(instant, request.query_params, self.named.get("occasion_id"))
        except InvalidParametersError as invalid:
            raise ValidationError({"edition": invalid.messages}) from invalid
        spec = self.build_spec(request, snapshot)
        self.vary += ("Accept-Encoding",)
        response = respond(request, instant, snapshot, spec)
        if response.status_code in DETAILS:
            raise Refusal(response.status_code)
        return response

    @property
    def named(self) -> dict[str, int]:
        """The IDs in the path."""
        return {name: int(value) for name, value in self.kwargs.items() if name.endswith("_id")}

    def build_spec(self, request: Request, snapshot: ServingSnapshot) -> ResponseSpec:
        raise NotImplementedError

    def read_query(self, request: Request) -> QueryDict:
        """Return the parameters without those that the format ignores."""
        query = request.query_params
        if self.chosen.takes_cancelled or "cancelled" not in query:
            return query
        others: QueryDict = query.copy()
        del others["cancelled"]
        return others

    @property
    def content_type(self) -> str:
        return self.chosen.content_type(self.media_type)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[Format, str]:  # noqa: ARG002
        formats, extension = self.renderer_classes, find_extension(request, self.kwargs.get("format"))
        if extension is None:
            self.vary += ("Accept",)
            try:
                chosen, self.media_type = choose_by_accept(formats, request.headers.get("Accept", ""))
            except NotAcceptable:
                if request.method in ("GET", "HEAD"):
                    raise
                # The response to another method is in no format, so `Accept` cannot exclude it.
                extension = formats[0].extension
        if extension is not None:
            chosen, self.media_type = choose_by_extension(formats, extension)
        self.chosen = chosen()
        return self.chosen, self.media_type

    def options(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:  # type: ignore[override]  # noqa: ARG002
        response = HttpResponse(headers={"Allow": ", ".join(self.allowed_methods), "Content-Length": "0"})
        del response["Content-Type"]
        return response

    def finalize_response(  # type: ignore[override]
        self,
        request: Request,  # noqa: ARG002
        response: HttpResponseBase,
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> HttpResponseBase:
        """Set `Vary`, which DRF would in its own way, and note the format for those who count responses."""
        if self.vary:
            patch_vary_headers(response, self.vary)
        if hasattr(self, "chosen"):
            response.format = self.chosen.extension  # type: ignore[attr-defined]
        return response


class EventView(ProgrammeView):
    """`GET /api/events`."""

    renderer_classes = FORMATS
    parameters_class: type[EventParameters | NewsParameters] = EventParameters

    def build_spec(self, request: Request, snapshot: ServingSnapshot) -> ResponseSpec:
        parameters = self.parameters_class(self.read_query(request), **self.named)
        _validate(parameters)
        listing = parameters.build_listing(snapshot)
        return ResponseSpec(
            key=(self.chosen.extension, listing.path, listing.selection, listing.part_query),
            write=lambda: self.chosen.write_events(listing),
            content_type=self.content_type,
            depends_on_time=self.chosen.depends_on_time or listing.selection.depends_on_time,
            is_cached=listing.is_cacheable and listing.index.is_known(listing.selection),
            headers=listing.headers(self.chosen.extension),
        )


class ChangesView(EventView):
    """`GET /api/changes`: `/api/events` with `modified_since`, at a path of its own for typed clients."""

    renderer_classes = JSON_ALONE
    parameters_class = ChangesParameters


class ListedView(EventView):
    """`GET /api/lists/{id}/events`: the occasions on a list."""

    parameters_class = ListParameters

    def build_spec(self, request: Request, snapshot: ServingSnapshot) -> ResponseSpec:
        list_id = self.named["list_id"]
        if all(each.id != list_id for each in snapshot.programme.lists):
            raise Http404(f"No list has the ID {list_id}.")
        return super().build_spec(request, snapshot)


class NewsView(EventView):
    """`GET /api/news`: what readers were told, in the formats that can write it."""

    renderer_classes = NEWS_FORMATS
    parameters_class = NewsParameters


class OccasionView(ProgrammeView):
    """`GET /api/occations/{id}`: one occasion in every format."""

    renderer_classes = FORMATS

    def build_spec(self, request: Request, snapshot: ServingSnapshot) -> ResponseSpec:
        parameters = OccasionParameters(self.read_query(request))
        occasion_id = self.named["occasion_id"]
        occasion = snapshot.programme.by_id.get(occasion_id)
        if occasion is None:
            if occasion_id in snapshot.programme.gone:
                raise Refusal(HTTPStatus.GONE)
            raise Http404(f"No occasion has the ID {occasion_id}.")
        _validate(parameters)
        listing = OccasionListing(snapshot, occasion, parameters.shown)
        extension = self.chosen.extension
        disposition = f'inline; filename="{listing.file_name}.{extension}"'
        return ResponseSpec(
            key=(extension, "occasion", occasion.id, listing.selection),
            write=lambda: self.chosen.write_events(listing),
            content_type=self.content_type,
            depends_on_time=self.chosen.depends_on_time,
            headers={"Content-Disposition": disposition} if self.chosen.is_file else {},
        )


class DocumentView(ProgrammeView):
    """An endpoint without parameters: a document that edits alone change."""

    renderer_classes = JSON_ALONE

    build_document: Callable[[Programme], Any]

    def build_spec(self, request: Request, snapshot: ServingSnapshot) -> ResponseSpec:  # noqa: ARG002
        return ResponseSpec(
            key=(type(self).__name__,),
            write=lambda: encode(self.build_document(snapshot.programme)),
            content_type=self.content_type,
            depends_on_time=False,
        )


class AreaView(DocumentView):
    """`GET /api/areas`."""

    build_document = staticmethod(build_areas)


class ListView(DocumentView):
    """`GET /api/lists`: the lists that are published, with the IDs of their occasions."""

    def build_document(self, programme: Programme) -> Any:
        return build_lists(programme, programme.occasions)


class ProgrammeDocumentView(ProgrammeView):
    """`GET /api/programme`: the programme, or a selection of it, as one document."""

    renderer_classes = JSON_ALONE

    def build_spec(self, request: Request, snapshot: ServingSnapshot) -> ResponseSpec:
        parameters = ProgrammeParameters(request.query_params)
        _validate(parameters)
        # Without descriptions.
        listing, is_brief = parameters.build_listing(snapshot), bool(parameters.cleaned_data["texts"])
        return ResponseSpec(
            key=("programme", listing.selection, listing.part_query, is_brief),
            write=lambda: write_programme(listing, is_brief=is_brief),
            content_type=self.content_type,
            depends_on_time=listing.selection.depends_on_time,
            is_cached=listing.is_cacheable and snapshot.programme.index.is_known(listing.selection),
            headers=listing.headers(self.chosen.extension),
        )


class SchemaView(DocumentView):
    """`GET /api/schema`: the description of the API, in OpenAPI 3.1."""

    def build_document(self, programme: Programme) -> Any:
        slugs = [each.slug for each in programme.editions]
        return build_document(programme.festival, programme.site.base_url, slugs)


def _validate(parameters: Form) -> None:
    if not parameters.is_valid():
        raise ValidationError({name: list(map(str, errors)) for name, errors in parameters.errors.items()})
