"""The endpoints, answered from the snapshot in memory."""

from http import HTTPStatus
from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.functional import cached_property
from msgspec.structs import replace
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from feeds.documents import DocumentFormat, JsonDocument
from feeds.formats import FORMATS, Format
from feeds.json_parts import build_areas
from feeds.listing import Listing, OccasionListing
from feeds.news_formats import NEWS_FORMATS
from feeds.programme_document import build_lists, build_programme
from programme.api import filters
from programme.api.editions import find_snapshot
from programme.api.fields import InvalidParametersError
from programme.api.instant import get_instant
from programme.api.negotiation import JSON_ONLY, FormatNegotiation, Formats, list_extensions
from programme.api.openapi.document import build_document
from programme.api.problems import DETAILS, StatusError
from programme.api.responses import ResponseSpec, respond
from programme.publishing.serving_snapshot import ServingSnapshot

# As many digits as an ID of the database may have.
ID = "[0-9]{1,18}"


class ProgrammeViewSet(ViewSet):
    """The base of the endpoints, which are read-only and respond from the snapshot of an edition.

    There is no queryset, so `get_filterset` replaces `filter_queryset` and the filter backends. An action
    returns `Response(listing)`; the renderer is called if the snapshot has no cached body.
    """

    renderer_classes: Formats = (DocumentFormat,)
    content_negotiation_class = FormatNegotiation
    filterset_class: type[filters.SelectionFilterSet]

    @cached_property
    def snapshot(self) -> ServingSnapshot:
        instant, occasion_id = get_instant(self.request), self.kwargs.get("occasion_id")
        try:
            return find_snapshot(instant, self.request.query_params, occasion_id and int(occasion_id))
        except InvalidParametersError as invalid:
            raise ValidationError({"edition": invalid.messages}) from invalid

    @property
    def format(self) -> Format:
        return cast("Format", self.request.accepted_renderer)

    def get_filterset(self) -> filters.SelectionFilterSet:
        """Return the valid parameters, without `cancelled` if the format ignores it."""
        query: QueryDict = self.request.query_params
        if "cancelled" in query and not self.format.takes_cancelled:
            query = query.copy()
            del query["cancelled"]
        filterset = self.filterset_class(query)
        if not filterset.is_valid():
            errors = filterset.errors.items()
            raise ValidationError({name: [*map(str, messages)] for name, messages in errors})
        return filterset

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        # A viewset refers to itself by the handlers that are assigned to methods. Until the next full garbage
        # collection the cycle would retain the response, its body and the snapshot.
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
            # The metrics count responses by format.
            response.format = renderer.format
        return response

    def _respond(self, request: Request, rendered: Response) -> HttpResponse:
        """Return a response with validators in place of DRF's own, which always renders its data."""
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
        # The context refers to the response, and so to the listing and the snapshot.
        rendered.renderer_context.clear()  # type: ignore[attr-defined]
        if response.status_code in DETAILS:
            response = self.handle_exception(StatusError(response.status_code))
        patch_vary_headers(response, filter(None, (rendered.get("Vary"), "Accept-Encoding")))
        return response

    def options(self, *_request: Any, **_path: Any) -> HttpResponse:  # type: ignore[override]
        response = HttpResponse(headers={"Allow": ", ".join(self.allowed_methods), "Content-Length": "0"})
        del response["Content-Type"]
        return response


class EventViewSet(ProgrammeViewSet):
    """`GET /api/events`."""

    renderer_classes = FORMATS
    filterset_class: type[filters.SelectionFilterSet] = filters.EventFilterSet

    def list(self, request: Request, **path: str) -> Response:  # noqa: ARG002
        snapshot, filterset = self.snapshot, self.get_filterset()
        return self.build_response(filterset.form.build_listing(snapshot, filterset.qs))

    def build_response(self, listing: Listing) -> Response:
        return Response(listing, headers=listing.headers(self.format.extension))


class ChangesViewSet(EventViewSet):
    """`GET /api/changes`: `/api/events` with `modified_since`, at a path of its own for typed clients."""

    renderer_classes = JSON_ONLY
    filterset_class = filters.ChangesFilterSet


class ListEventViewSet(EventViewSet):
    """`GET /api/lists/{list_id}/events`: the occasions on a list, and also on lists of the query."""

    def list(self, request: Request, list_id: str, **path: str) -> Response:  # type: ignore[override]  # noqa: ARG002
        key, snapshot = int(list_id), self.snapshot
        if all(each.id != key for each in snapshot.programme.lists):
            raise Http404(f"No list has the ID {key}.")
        filterset = self.get_filterset()
        own = {"within": str(key)} if filterset.qs.lists else {"lists": (str(key),)}
        listing = filterset.form.build_listing(snapshot, replace(filterset.qs, **own))
        listing.path = f"/api/lists/{key}/events"
        listing.in_path = () if listing.selection.within else ("lists",)
        return self.build_response(listing)


class NewsViewSet(EventViewSet):
    """`GET /api/news`: the news, in the formats that support it."""

    renderer_classes = NEWS_FORMATS
    filterset_class = filters.NewsFilterSet


class OccasionViewSet(ProgrammeViewSet):
    """`GET /api/occations/{occasion_id}`: one occasion in every format."""

    renderer_classes = FORMATS
    filterset_class = filters.OccasionFilterSet
    lookup_url_kwarg, lookup_value_regex = "occasion_id", ID

    def retrieve(self, request: Request, occasion_id: str, **path: str) -> Response:  # noqa: ARG002
        programme, key = self.snapshot.programme, int(occasion_id)
        if (occasion := programme.by_id.get(key)) is None:
            if key in programme.gone:
                raise StatusError(HTTPStatus.GONE)
            raise Http404(f"No occasion has the ID {key}.")
        listing = OccasionListing(self.snapshot, occasion, self.get_filterset().qs)
        disposition = f'inline; filename="{listing.file_name}.{self.format.extension}"'
        headers = {"Content-Disposition": disposition} if self.format.is_file else {}
        return Response(listing, headers=headers)


class AreaViewSet(ProgrammeViewSet):
    """`GET /api/areas`."""

    def list(self, request: Request, **path: str) -> Response:  # noqa: ARG002
        programme = self.snapshot.programme
        return Response(JsonDocument("areas", lambda: build_areas(programme)))


class ListViewSet(ProgrammeViewSet):
    """`GET /api/lists`: the published lists, with the IDs of their occasions."""

    def list(self, request: Request, **path: str) -> Response:  # noqa: ARG002
        programme = self.snapshot.programme
        return Response(JsonDocument("lists", lambda: build_lists(programme, programme.occasions)))


class ProgrammeDocumentViewSet(ProgrammeViewSet):
    """`GET /api/programme`: the programme, or a selection of it, as one document."""

    filterset_class = filters.ProgrammeFilterSet

    def list(self, request: Request, **path: str) -> Response:  # noqa: ARG002
        snapshot, filterset = self.snapshot, self.get_filterset()
        listing = filterset.form.build_listing(snapshot, filterset.qs)
        is_brief = bool(filterset.form.cleaned_data["texts"])
        document = JsonDocument(
            ("programme", listing.key, is_brief),
            lambda: build_programme(listing, is_brief=is_brief),
            listing.depends_on_time,
            listing.is_cacheable,
        )
        return Response(document, headers=listing.headers(self.format.extension))


class SchemaViewSet(ProgrammeViewSet):
    """`GET /api/schema`: the description of the API, in OpenAPI 3.1."""

    def list(self, request: Request, **path: str) -> Response:  # noqa: ARG002
        programme = self.snapshot.programme
        slugs = [each.slug for each in programme.editions]
        festival, base_url = programme.festival, programme.site.base_url
        return Response(JsonDocument("schema", lambda: build_document(festival, base_url, slugs)))
