"""The views of visitors' lists: created, changed and deleted by the browser, and read by calendars."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from msgspec.structs import replace

from feeds.formats import Format
from feeds.formats.ics import CalendarFormat
from feeds.listing import Listing
from feeds.news_formats import NEWS_FORMATS
from feeds.news_listing import NewsListing
from feeds.selection import Selection
from pages.rendering import View, read_only
from pages.starred import limits, requests, store
from pages.starred.store import memory
from programme.api.fields import MAX_OCCASIONS
from programme.api.filters import OccasionFilterSet
from programme.api.instant import get_instant
from programme.api.negotiation import choose_by_extension
from programme.api.responses import ResponseSpec, respond
from programme.publishing.current import DatabaseUnavailable, current
from programme.publishing.serving_snapshot import ServingSnapshot

# Seconds until a client may try again while the database is away.
RETRY_AFTER = 5
# The ID of no occasion: a selection that chooses nothing would be the whole programme.
NO_OCCASION = 0


def create(request: HttpRequest) -> HttpResponse:
    if request.headers.get(requests.HEADER) != requests.NEW:
        raise requests.RefusedError(HTTPStatus.FORBIDDEN, f"{requests.HEADER} must be {requests.NEW}.")
    _refuse_until(limits.CREATIONS.take_for(request))
    wanted = requests.parse_body(request, requests.Creation)
    secrets = store.create(wanted.occasions, get_instant(request).date())
    return JsonResponse(secrets._asdict(), status=HTTPStatus.CREATED)


def change(request: HttpRequest) -> HttpResponse:
    secret = requests.get_secret(request)
    _refuse_until(limits.CHANGES_OF_LIST.take(store.digest(secret)))
    _refuse_until(limits.CHANGES.take_for(request))
    wanted = requests.parse_body(request, requests.StarChange)
    occasions = store.change(secret, wanted.add, wanted.remove)
    if occasions is None:
        raise requests.RefusedError(HTTPStatus.GONE, "There is no such list; it may have been deleted.")
    return JsonResponse({"occasions": occasions})


def delete(request: HttpRequest) -> HttpResponse:
    secret = requests.get_secret(request)
    _refuse_until(limits.CHANGES.take_for(request))
    if not store.delete(secret):
        raise requests.RefusedError(HTTPStatus.GONE, "There is no such list; it may have been deleted.")
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


METHODS: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "POST": create,
    "PATCH": change,
    "DELETE": delete,
}


def guarded(view: View) -> View:
    """Respond to refusals with problem details; hide addresses from referrers and search engines."""

    @wraps(view)
    def guard(request: HttpRequest, **arguments: str) -> HttpResponse:
        try:
            response = view(request, **arguments)
        except requests.RefusedError as refused:
            response = refused.response
        except store.TooManyOccasionsError:
            detail = f"A list holds at most {MAX_OCCASIONS} occasions."
            response = requests.RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, detail).response
        except (store.ListsUnavailable, DatabaseUnavailable):
            detail = "Lists are temporarily unavailable."
            response = requests.RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, detail, RETRY_AFTER).response
        response["Referrer-Policy"] = "no-referrer"
        response["X-Robots-Tag"] = "noindex"
        return response

    return guard


@csrf_exempt
@guarded
def starred_list(request: HttpRequest) -> HttpResponse:
    method = METHODS.get(request.method or "")
    if method is None:
        response: HttpResponse = HttpResponseNotAllowed(METHODS)
    else:
        requests.require_own_page(request)
        # Updates `offline_since`, so that requests do not wait during an outage.
        current.at(get_instant(request))
        response = method(request)
    response["Cache-Control"] = "no-store"
    return response


@read_only
@guarded
def calendar(request: HttpRequest, address: str, extension: str) -> HttpResponse:
    """Return a list as a calendar or its news, like `/api/events.ics` or `/api/news` with its occasions."""
    parameters = OccasionFilterSet(request.GET)
    if not parameters.is_valid():
        raise requests.RefusedError(HTTPStatus.BAD_REQUEST, "Invalid query parameters.")
    instant = get_instant(request)
    snapshot = current.at(instant)
    occasions = _find_occasions(address, request)
    chosen = replace(parameters.qs, chosen=occasions or (NO_OCCASION,))
    response = respond(request, instant, snapshot, _build_spec(snapshot, chosen, extension))
    if response.has_header("ETag"):
        # Stars may change at any time, and lists are private.
        response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Accept-Encoding"])
    response.format = extension  # type: ignore[attr-defined]  # by which it is counted
    return response


def _build_spec(snapshot: ServingSnapshot, chosen: Selection, extension: str) -> ResponseSpec:
    listing: Listing
    if extension == CalendarFormat.extension:
        chosen_format: Format = CalendarFormat()
        listing = Listing(snapshot, snapshot.programme.index.canonical(chosen))
    else:
        chosen_format = choose_by_extension(NEWS_FORMATS, extension)[0]()
        listing = NewsListing(snapshot, snapshot.programme.news_index.canonical(chosen))
    return ResponseSpec(
        key=("starred", extension, listing.selection),
        write=lambda: chosen_format.write_events(listing),
        content_type=chosen_format.content_type(chosen_format.media_type),
        depends_on_time=chosen_format.depends_on_time,
        is_cached=False,
        must_revalidate=True,
        has_last_modified=False,
    )


def _find_occasions(address: str, request: HttpRequest) -> tuple[int, ...]:
    digest = store.digest(address)
    _refuse_until(limits.READS_OF_LIST.take(digest))
    try:
        may_ask = not limits.READS.take_for(request)
        occasions = store.read(address, get_instant(request).date(), may_ask=may_ask)
    except store.ListsUnavailable:
        occasions = memory.get(digest)
        if occasions is None:
            raise
    if occasions is None:
        raise requests.RefusedError(
            HTTPStatus.NOT_FOUND, "There is no such calendar; it may have been deleted."
        )
    return occasions


def _refuse_until(seconds: int) -> None:
    if seconds:
        raise requests.RefusedError(HTTPStatus.TOO_MANY_REQUESTS, "Too many requests.", retry_after=seconds)
