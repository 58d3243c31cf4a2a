"""What machines ask of a website beside its pages: sitemap, robots.txt, icons, the web app's manifest."""

import json
from http import HTTPStatus
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import is_valid_path, reverse

from feeds.vocabulary import LANGUAGES, LanguageCode
from pages import sitemap
from pages.addresses import START, SUBSCRIBE
from pages.decorators import read_only
from pages.layout import festival_name
from pages.rendering import send_spec
from pages.theme import COLOR, LIGHT
from programme.api.instant import get_instant
from programme.api.responses import ResponseSpec
from programme.publishing.current import ServingSnapshot, current

ICONS = Path(__file__).parent / "static" / "pages"
# Icons stay for long; a browser asks for them by these names whatever a page says.
KEPT = "public, max-age=86400"
# The accent of pages.css, which a festival's own colour replaces.
ACCENT = "#8c2f4b"


@read_only
def sitemap_index(request: HttpRequest) -> HttpResponse:
    present = current.at(get_instant(request))
    if sitemap.count_parts(present.programme) == 1:
        return _sitemap(request, present, 1)
    told = ResponseSpec(
        ("sitemaps",),
        lambda: sitemap.build_index(present.programme),
        "application/xml",
        depends_on_time=False,
    )
    return send_spec(request, present, told)


@read_only
def sitemap_part(request: HttpRequest, part: int) -> HttpResponse:
    present = current.at(get_instant(request))
    if not 1 <= part <= sitemap.count_parts(present.programme):
        raise Http404
    return _sitemap(request, present, part)


def _sitemap(request: HttpRequest, present: ServingSnapshot, part: int) -> HttpResponse:
    pairs = [each for each in (START, SUBSCRIBE) if is_valid_path(each["sv"])]
    told = ResponseSpec(
        ("sitemap", part),
        lambda: sitemap.build_sitemap(present.programme, part, [*pairs, {"en": reverse("namespace")}]),
        "application/xml",
        depends_on_time=False,
    )
    return send_spec(request, present, told)


@read_only
def manifest(request: HttpRequest, language: LanguageCode) -> HttpResponse:
    """Answer with what a phone needs to put the programme on its home screen."""
    present = current.at(get_instant(request))
    told = ResponseSpec(
        ("manifest", language),
        lambda: _manifest(present, language),
        "application/manifest+json",
        depends_on_time=False,
    )
    return send_spec(request, present, told)


def _manifest(present: ServingSnapshot, language: LanguageCode) -> bytes:
    festival = present.programme.festival
    name, color = festival_name(present.programme, language), festival.theme.color
    icons = [
        ("icon.svg", "any", "image/svg+xml"),
        *((f"icon-{size}.png", f"{size}x{size}", "image/png") for size in (192, 512)),
    ]
    document = {
        "name": name,
        "short_name": name,
        "lang": language,
        "id": START[language],
        "start_url": START[language],
        "scope": "/",
        "display": "minimal-ui",
        "background_color": LIGHT[0],
        "theme_color": color if COLOR.fullmatch(color) else ACCENT,
        "icons": [
            {"src": static(f"pages/{file}"), "sizes": sizes, "type": kind} for file, sizes, kind in icons
        ],
    }
    return json.dumps(document, ensure_ascii=False).encode()


@read_only
def robots(request: HttpRequest) -> HttpResponse:
    """Let everybody in, but to the back office and to the endless ways to filter the programme.

    Calendars and feed readers that heed this file ask for filtered addresses below /api/, which are open.
    """
    present = current.at(get_instant(request))
    # Without the asterisk, Python's own reader of this file takes "/?" for "/", which closes everything.
    filtered = [f"{pair[language]}?*" for pair in (START, SUBSCRIBE) for language in LANGUAGES]
    closed = "\n".join(f"Disallow: {path}" for path in (reverse("admin:index"), *filtered))
    text = f"User-agent: *\n{closed}\n\nSitemap: {present.programme.site.base_url}{reverse('sitemap')}\n"
    told = ResponseSpec(("robots",), text.encode, "text/plain; charset=utf-8", depends_on_time=False)
    return send_spec(request, present, told)


@read_only
def icon(request: HttpRequest, name: str, content_type: str) -> HttpResponse:
    """Answer with an icon that is asked for by a name of its own, without a page that names it."""
    body = b"" if request.method == "HEAD" else (ICONS / name).read_bytes()
    return HttpResponse(
        body, status=HTTPStatus.OK, content_type=content_type, headers={"Cache-Control": KEPT}
    )
