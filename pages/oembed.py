"""oEmbed 1.0: the frames that other websites, such as WordPress, make from addresses of pages."""

import json
import re
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, QueryDict
from django.template.loader import render_to_string
from django.urls import Resolver404, ResolverMatch, resolve

from feeds.listing import Listing
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, build_occasion_path
from pages.addresses import EMBED, START, build_path
from pages.embed import find_part
from pages.layout import get_festival_name
from pages.query import PageQuery, parse_query
from pages.rendering import Address

# The addresses of a list, whose query is a selection, and of an occasion.
LISTS = frozenset({"programme-sv", "programme-en", "framed-sv", "framed-en"})
OCCASIONS = frozenset({"occasion-sv", "occasion-en"})
# The field that selects the part of a page, by the argument of its path.
PARTS = {"list_id": "lists", "location_id": "locations"}
# The default sizes in pixels: width, height of a list, which scrolls, and height of an occasion.
WIDTH, HEIGHT, HEIGHT_OF_ONE = 600, 600, 200
UNLIMITED = 10_000
_PIXELS = re.compile("[1-9][0-9]{0,3}")


def parse_size(query: QueryDict) -> tuple[int, int]:
    """Return the most width and height that a website allows; invalid values are ignored."""
    texts = (query.get(name, "") for name in ("maxwidth", "maxheight"))
    width, height = (int(text) if _PIXELS.fullmatch(text) else UNLIMITED for text in texts)
    return width, height


def read_page_address(request: HttpRequest) -> Address:
    """Return the query and the path's arguments of the requested page."""
    match, query = _resolve(settings.BASE_URL, request.GET.get("url", ""))
    return QueryDict(query), match.kwargs


def parse_page(snapshot: Snapshot, url: str) -> PageQuery:
    """Return the query of a page's address; raise Http404 unless the page is ours and can be framed."""
    match, query = _resolve(snapshot.programme.site.base_url, url)
    index = snapshot.programme.index
    language: LanguageCode = match.kwargs.get("language", "sv")
    if match.url_name in OCCASIONS and match.kwargs["occasion_id"] in snapshot.programme.by_id:
        # With the edition, in case another one becomes current.
        edition = snapshot.programme.edition.slug if snapshot.programme.edition else ""
        chosen = (match.kwargs["occasion_id"],)
        return PageQuery(Selection(language=language, chosen=chosen, edition=edition))
    for argument, field in PARTS.items():
        if argument in match.kwargs:
            part = snapshot.programme.select(language, **{field: (str(match.kwargs[argument]),)})
            if index.is_known(selection := index.canonical(part)):
                return PageQuery(selection)
            raise Http404
    page = parse_query(QueryDict(query), language).check_edition(snapshot.programme.edition)
    if match.url_name in LISTS and not page.invalid:
        return page.canonicalize(index)
    raise Http404


def _resolve(base_url: str, url: str) -> tuple[ResolverMatch, str]:
    try:
        address = urlsplit(url)
        if address.scheme in {"http", "https"} and address.netloc == urlsplit(base_url).netloc:
            return resolve(unquote(address.path) or "/"), address.query
    except (Resolver404, ValueError):
        pass
    raise Http404


def write_oembed(
    snapshot: Snapshot, selection: Selection, colors: dict[str, str], size: tuple[int, int]
) -> bytes:
    base_url, language = snapshot.programme.site.base_url, selection.language
    listing = Listing(snapshot, selection)
    is_one = len(selection.chosen) == 1 == len(listing.occasions)
    title = listing.occasions[0].event.title if is_one else listing.title
    part = find_part(snapshot, selection)
    page = part.path if part else build_path(START[language], selection)
    if is_one:
        page = build_occasion_path(selection.chosen[0], language)
    width, height = min(WIDTH, size[0]), min(HEIGHT_OF_ONE if is_one else HEIGHT, size[1])
    framed = {"title": title, "width": width, "height": height}
    urls = {
        "page": f"{base_url}{page}",
        "src": f"{base_url}{build_path(EMBED[language], selection, **colors)}",
    }
    document = {
        "version": "1.0",
        "type": "rich",
        "provider_name": get_festival_name(snapshot.programme, language),
        "provider_url": f"{base_url}/",
        **framed,
        "html": render_to_string("pages/code/oembed.html", framed | urls).strip(),
    }
    return json.dumps(document, ensure_ascii=False).encode()
