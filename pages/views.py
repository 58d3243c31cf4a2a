"""The pages, made from the snapshot that the API answers from."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse

from feeds.vocabulary import LanguageCode
from programme.current import current


def start(request: HttpRequest, language: LanguageCode) -> HttpResponse:
    return HttpResponse(current.at(request.instant).programme.festival.name.within(language))


def occasion(request: HttpRequest, occasion_id: int, language: LanguageCode) -> HttpResponse:
    programme = current.at(request.instant).programme
    if found := programme.by_id.get(occasion_id):
        return HttpResponse(f"{found.event.title} {language}")
    if occasion_id in programme.gone:
        return HttpResponse("gone", status=HTTPStatus.GONE)
    raise Http404


def namespace(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ext")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return HttpResponse("bad", status=HTTPStatus.BAD_REQUEST)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return HttpResponse("not found", status=HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    return HttpResponse("error", status=HTTPStatus.INTERNAL_SERVER_ERROR)
