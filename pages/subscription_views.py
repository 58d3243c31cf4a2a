"""The pages on which the programme is taken away: subscriptions, the framed list, my programme, offline."""

import json
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt

from feeds.selection import Selection
from feeds.vocabulary import LANGUAGES, LanguageCode
from pages.addresses import LIST_STYLE, MY_PROGRAMME, OFFLINE, OTHER
from pages.decorators import read_only
from pages.embed import EmbedPage, build_variables, parse_colors
from pages.layout import festival_name, list_area_colors
from pages.my_programme import MyProgrammePage, parse_chosen
from pages.query import PageQuery, parse_query
from pages.rendering import render_page, send_page, send_spec, write_page
from pages.subscribing import SubscribePage
from programme.api.instant import get_instant
from programme.api.responses import ResponseSpec
from programme.publishing.current import ServingSnapshot, current

# Served under addresses that no version changes, so they are no static files.
PARTS_FOLDER = Path(__file__).parent / "parts"
# What the worker keeps at once: all that a page is made of.
OFFLINE_ASSETS = ("pages/pages.css", "pages/pages.js", "pages/icon.svg")


@read_only
def subscribe(request: HttpRequest, language: LanguageCode) -> HttpResponse:
    present = current.at(get_instant(request))
    wish = parse_query(request.GET, language)
    index = present.programme.index
    selection = index.canonical(wish.selection)
    return send_page(
        request,
        present,
        ("subscribe", selection, wish.wrong),
        lambda: _subscribe(present, selection, wish),
        HTTPStatus.BAD_REQUEST if wish.wrong else HTTPStatus.OK,
        is_cached=not wish.wrong and index.is_known(selection),
    )


def _subscribe(present: ServingSnapshot, selection: Selection, wish: PageQuery) -> bytes:
    shown = SubscribePage(present, selection)
    base_url, language = present.programme.site.base_url, selection.language
    return write_page(
        "subscribe",
        language,
        present,
        page=shown,
        asked=wish,
        at="subscribe",
        colours=list_area_colors(present),
        selection=selection,
        urls={each: f"{base_url}{shown.path_in(each)}" for each in LANGUAGES},
        twin=shown.path_in(OTHER[language]),
    )


@read_only
@xframe_options_exempt
def embed(request: HttpRequest, language: LanguageCode) -> HttpResponse:
    present = current.at(get_instant(request))
    wish = parse_query(request.GET, language)
    chosen = parse_colors(request.GET)
    index = present.programme.index
    selection = index.canonical(wish.selection)
    return send_page(
        request,
        present,
        ("framed", selection, chosen),
        lambda: render_page(
            "embed",
            language,
            page=EmbedPage(present, selection),
            look=build_variables(chosen, present.programme.festival.theme),
            style=LIST_STYLE,
            festival=festival_name(present.programme, language),
        ),
        HTTPStatus.BAD_REQUEST if wish.wrong else HTTPStatus.OK,
        is_cached=not wish.wrong and not chosen and index.is_known(selection),
    )


@read_only
def my_programme(request: HttpRequest, language: LanguageCode) -> HttpResponse:
    present = current.at(get_instant(request))
    numbers, is_wrong = parse_chosen(request.GET)
    chosen = Selection(language=language, chosen=numbers)
    return send_page(
        request,
        present,
        ("mine", chosen, is_wrong),
        lambda: _mine(present, chosen, is_wrong=is_wrong),
        is_cached=not is_wrong and not numbers,
    )


def _mine(present: ServingSnapshot, chosen: Selection, *, is_wrong: bool) -> bytes:
    shown = MyProgrammePage(present, chosen)
    language = chosen.language
    base_url = present.programme.site.base_url
    return write_page(
        "my_programme",
        language,
        present,
        page=shown,
        is_wrong=is_wrong,
        at="mine",
        colours=list_area_colors(present),
        selection=shown.selection if shown.occasions else None,
        urls={each: f"{base_url}{MY_PROGRAMME[each]}" for each in LANGUAGES},
        twin=shown.path_in(OTHER[language]),
    )


@read_only
def offline(request: HttpRequest, language: LanguageCode) -> HttpResponse:
    """Show what a browser shows that is away from the network and has not kept the page."""
    present = current.at(get_instant(request))
    twin = OFFLINE[OTHER[language]]
    return send_page(
        request, present, ("offline", language), lambda: write_page("offline", language, present, twin=twin)
    )


@read_only
def worker(request: HttpRequest) -> HttpResponse:
    """Send the service worker, which names the static files of this version."""
    return _send_part(request, ("worker",), _worker, "text/javascript; charset=utf-8")


def _worker() -> bytes:
    told = {
        "parts": [staticfiles_storage.url(part) for part in OFFLINE_ASSETS],
        "named_by_content": settings.STATIC_COLLECTED,
        "offline": OFFLINE,
        "mine": list(MY_PROGRAMME.values()),
        "kept": {code: _offline_notice(code) for code in LANGUAGES},
    }
    source = (PARTS_FOLDER / "worker.js").read_text()
    return f"const SETTINGS = {json.dumps(told, ensure_ascii=False)};\n{source}".encode()


def _offline_notice(language: LanguageCode) -> str:
    """Return what a kept page says of itself; the worker puts the moment in place of the braces."""
    with translation.override(language):
        return _("Offline: this is the page as it was {}. Something may have changed since.")


@read_only
def list_style(request: HttpRequest) -> HttpResponse:
    """Send the style sheet of lists on other websites, whose address no version changes."""
    return _send_part(request, ("list-style",), _list_style, "text/css; charset=utf-8")


def _list_style() -> bytes:
    return (PARTS_FOLDER / "list.css").read_bytes()


def _send_part(
    request: HttpRequest, key: tuple[str, ...], write: Callable[[], bytes], content_type: str
) -> HttpResponse:
    present = current.at(get_instant(request))
    told = ResponseSpec(("part", *key), write, content_type, depends_on_time=False)
    return send_spec(request, present, told)
