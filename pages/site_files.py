"""Files for machines: sitemap, robots.txt, icons, manifest, service worker, and the embedded element."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cache, partial
from http import HTTPStatus
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from rjsmin import jsmin

from feeds.negotiation import IDENTITY, choose_coding
from feeds.palette import complete
from feeds.programme import Programme
from feeds.response_cache import CachedBody
from feeds.selection import DayRange, Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES, LanguageCode
from pages import addresses
from pages.layout import choose_bar_colors, get_festival_name, name_icons
from pages.rendering import HEADER, build_content_policy, read_only, snapshot_view
from programme.api.responses import ResponseSpec
from programme.models.festival_images import ICON_SIZES
from programme.models.festival_time import festival_time
from programme.publishing.current import current

# A sitemap holds at most 50,000 addresses and 50 MB; two languages of these make 48,000 and 29 MB.
MAX_OCCASIONS = 24_000
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
# The pages that every programme has.
PAGES = (addresses.START, addresses.SUBSCRIBE, addresses.DEVELOPERS, addresses.NEWS)
ICONS = Path(__file__).parent / "static" / "pages"
# The sources of files whose addresses have no version, unlike static files.
PARTS = Path(__file__).parent / "parts"
# The files of pages, also offline, which the service worker caches when it is installed.
OFFLINE_ASSETS = (
    "pages/variables.css",
    "pages/pages.css",
    "pages/pages.js",
    "pages/day.js",
    "pages/storage.js",
    "pages/timetable.js",
    "pages/my-list.js",
    "pages/offline.js",
    "pages/icon.svg",
)
APP_ICONS = ("app", "splash")
ICON_TYPES = {".ico": "image/x-icon", ".png": "image/png"}
# Other websites refer to the component for years, so its address has a fixed number instead of a hash, and
# updates arrive within an hour. For a month a browser may use a stored copy while it revalidates, also during
# an outage.
COMPONENT_HEADERS = {
    "Cache-Control": "public, max-age=3600, stale-while-revalidate=2592000, stale-if-error=2592000",
    "Vary": "Accept-Encoding",
}
STARS = """\
<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>My programme</title>
<script type="module" src="{script}"></script></html>"""
# The accent of variables.css, which a festival's own colour replaces.
ACCENT = "#8c2f4b"


@snapshot_view
def sitemap(request: HttpRequest, snapshot: Snapshot) -> ResponseSpec:
    """Return the sitemap of an edition, or the index of all editions' sitemaps."""
    programme, asked = snapshot.programme, request.GET.get("edition")
    if programme.edition is None or programme.edition.slug == asked:
        return _file(("sitemap", "edition"), lambda: _write_sitemap(programme), "application/xml")
    return _file(("sitemap",), lambda: _write_sitemaps(programme), "application/xml")


@snapshot_view
def manifest(_request: HttpRequest, snapshot: Snapshot, language: LanguageCode) -> ResponseSpec:
    return _file(("manifest", language), lambda: _manifest(snapshot, language), "application/manifest+json")


@snapshot_view
def robots(_request: HttpRequest, snapshot: Snapshot) -> ResponseSpec:
    """Disallow the back office and the endless combinations of filters."""
    # Without the asterisk, Python's own reader of this file takes "/?" for "/", which disallows everything.
    context = {
        "base_url": snapshot.programme.site.base_url,
        # First, for parsers that apply the first matching rule; others apply the longest.
        "edition": snapshot.programme.edition,
        "starts": addresses.START.values(),
        # A day is a page of its own, but not with further filters.
        "days": [f"{each}?{name}=" for name in ("during", "date") for each in addresses.START.values()],
        "filtered": [path for pair in PAGES for path in pair.values()],
    }
    write = partial(render_to_string, "pages/robots.txt", context)
    return _file(("robots",), lambda: write().encode(), "text/plain; charset=utf-8")


@snapshot_view
def worker(_request: HttpRequest, _snapshot: Snapshot) -> ResponseSpec:
    return _file(("worker",), _worker, "text/javascript; charset=utf-8")


@snapshot_view
def list_style(_request: HttpRequest, _snapshot: Snapshot) -> ResponseSpec:
    """Return the style sheet of lists on other websites, whose address has no version."""
    return _file(("list-style",), (PARTS / "list.css").read_bytes, "text/css; charset=utf-8")


@read_only
def component(request: HttpRequest) -> HttpResponse:
    """Return the script of the element for other websites, which does not need the database."""
    coding = choose_coding(request.headers.get("Accept-Encoding"))
    if coding is None:
        return HttpResponse(status=HTTPStatus.NOT_ACCEPTABLE)
    script = CachedBody.build(write_component()).compress(coding)
    headers = COMPONENT_HEADERS | {"ETag": script.etag, "Content-Length": str(len(script.body))}
    if coding is not IDENTITY:
        headers["Content-Encoding"] = coding.name
    body = b"" if request.method == "HEAD" else script.body
    full = HttpResponse(body, content_type="text/javascript; charset=utf-8", headers=headers)
    return get_conditional_response(request, script.etag, None, full) or full


@xframe_options_exempt
@read_only
def stars(request: HttpRequest) -> HttpResponse:
    """Return the frame that shares stars with other pages of the same site, 204 to other sites."""
    headers = {
        "Cache-Control": "no-cache",
        "Vary": "Sec-Fetch-Site",
        HEADER: build_content_policy(framed=True),
    }
    if request.headers.get("Sec-Fetch-Site") not in {"same-origin", "same-site"}:
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers=headers)
    return HttpResponse(STARS.format(script=static("pages/stars.js")), headers=headers)


@read_only
def icon(request: HttpRequest, name: str) -> HttpResponse:
    """Return an icon that browsers request by a fixed name."""
    if current.programme and (own := name_icons(current.programme.festival.theme)):
        return redirect(own["touch" if name.endswith(".png") else "tab"])
    body = b"" if request.method == "HEAD" else (ICONS / name).read_bytes()
    headers = {"Cache-Control": "public, max-age=86400"}
    return HttpResponse(body, content_type=ICON_TYPES[Path(name).suffix], headers=headers)


def _file(key: tuple[str, ...], write: Callable[[], bytes], content_type: str) -> ResponseSpec:
    return ResponseSpec(("file", *key), write, content_type, depends_on_time=False)


def _write_sitemaps(programme: Programme) -> bytes:
    """Return the sitemap of each edition, so that no request loads them all."""
    url = f"{programme.site.base_url}{reverse('sitemap')}?edition="
    lines = [f"<sitemap><loc>{url}{each.slug}</loc></sitemap>" for each in programme.editions]
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{SITEMAP}">'
    return "\n".join([head, *lines, "</sitemapindex>\n"]).encode()


def _write_sitemap(programme: Programme) -> bytes:
    """Return every page in both languages, linked to each other as Google has it (`xhtml:link`)."""
    site, moved = programme.site, programme.revision.moved_at
    lines: list[str] = []
    languages = programme.festival.languages
    edition = programme.select("sv").edition
    namespace: Mapping[LanguageCode, str] = {"en": reverse("namespace")}
    practical = {each: addresses.PRACTICAL[each] for each in addresses.list_written(programme.festival)}
    every = [*PAGES, *([addresses.EDITIONS] if programme.edition else []), namespace, practical]
    days = [Selection(during=(DayRange(each, each),)) for each in sorted(programme.index.by_day)]
    starts = [
        {each: addresses.build_path(path, shown) for each, path in addresses.START.items()}
        for shown in ([Selection(edition=edition)] if edition else days)
    ]
    for pair in starts if edition else [*every, *starts]:
        paths = {each: f"{site.base_url}{path}" for each, path in pair.items() if each in languages}
        lines += _sitemap_lines(paths, moved)
    places = {each.place.location: None for each in programme.occasions if each.place}
    lists = (partial(addresses.build_occasion_list_path, each) for each in programme.listed_lists)
    for build in (*lists, *(partial(addresses.build_place_path, each) for each in places)):
        paths = {each: f"{site.base_url}{build(each, edition)}" for each in languages}
        lines += _sitemap_lines(paths, moved)
    for occasion in programme.occasions[-MAX_OCCASIONS:]:
        urls = {each: site.occasion_url(occasion.identity, each) for each in languages}
        # Others are pages of the festival's own website.
        own = {each: url for each, url in urls.items() if url.startswith(f"{site.base_url}/")}
        lines += _sitemap_lines(own, occasion.event.last_modified)
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{SITEMAP}" xmlns:xhtml="{XHTML}">'
    return "\n".join([head, *lines, "</urlset>\n"]).encode()


def _sitemap_lines(urls: Mapping[LanguageCode, str], changed: datetime) -> Iterator[str]:
    """Yield a line for a page in each language, with the moment of its last change."""
    twins = "".join(
        f'<xhtml:link rel="alternate" hreflang="{language}" href={quoteattr(url)}/>'
        for language, url in urls.items()
        if len(urls) > 1
    )
    lastmod = f"<lastmod>{changed:%Y-%m-%dT%H:%M:%S}+00:00</lastmod>"
    for url in urls.values():
        yield f"<url><loc>{escape(url)}</loc>{lastmod}{twins}</url>"


def _manifest(snapshot: Snapshot, language: LanguageCode) -> bytes:
    festival = snapshot.programme.festival
    name, theme = get_festival_name(snapshot.programme, language), festival.theme
    usual = {use: static(f"pages/icon-{ICON_SIZES[use]}.png") for use in APP_ICONS}
    own = name_icons(theme)
    sized = [((own or usual)[use], f"{ICON_SIZES[use]}x{ICON_SIZES[use]}", "image/png") for use in APP_ICONS]
    icons = [*([] if own else [(static("pages/icon.svg"), "any", "image/svg+xml")]), *sized]
    document = {
        "name": name,
        "short_name": name,
        "lang": language,
        "id": addresses.START[language],
        "start_url": addresses.START[language],
        "scope": "/",
        "display": "minimal-ui",
        "background_color": complete(theme).light["paper"],
        "theme_color": (choose_bar_colors(theme) or (ACCENT,))[0],
        "icons": [{"src": src, "sizes": sizes, "type": kind} for src, sizes, kind in icons],
    }
    return json.dumps(document, ensure_ascii=False).encode()


def _worker() -> bytes:
    worker_settings = {
        "parts": [staticfiles_storage.url(asset) for asset in OFFLINE_ASSETS],
        "named_by_content": settings.STATIC_COLLECTED,
        "offline": addresses.OFFLINE,
        "everything": addresses.EVERYTHING,
        "locale": {"sv": "sv-SE", "en": "en-GB"},
        "zone": festival_time().zone_name,
        "mine": list(addresses.MY_PROGRAMME.values()),
        "practical": list(addresses.PRACTICAL.values()),
        # The worker replaces the braces by a time.
        "notices": {language: _get_notices(language) for language in LANGUAGES},
    }
    source = (PARTS / "worker.js").read_text()
    return f"const SETTINGS = {json.dumps(worker_settings, ensure_ascii=False)};\n{source}".encode()


def _get_notices(language: LanguageCode) -> dict[str, str]:
    with translation.override(language):
        return {
            "kept": _("Offline: this is the page as it was {}. Something may have changed since."),
            "full": _("There is no room here for all of it: what you visit and save is kept"),
        }


@cache
def write_component() -> bytes:
    """Return the script of the element for other websites, without comments, with its style sheet."""
    style = re.sub(r"/\*.*?\*/|\s+", " ", (PARTS / "list.css").read_text(), flags=re.DOTALL)
    script = (PARTS / "component.js").read_text().replace("/* style */", json.dumps(style))
    short: str = jsmin(script.replace("/* lists */", json.dumps(addresses.EMBED)[1:-1]))
    return short.encode()
