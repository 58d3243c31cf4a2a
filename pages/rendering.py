"""How pages are rendered, in their layout and their language."""

from collections.abc import Callable, Hashable
from http import HTTPStatus
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.utils import translation

from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES, LanguageCode
from pages import content_policy
from pages.addresses import OTHER
from pages.content_policy import build_content_policy
from pages.layout import build_layout
from programme.api.responses import Document, ResponseSpec

HTML = "text/html; charset=utf-8"


class Page(NamedTuple):
    """A page, and the text of the one style element in it; '' if it has none."""

    body: bytes
    style: str


def page_response(
    key: tuple[Hashable, ...],
    write: Callable[[], Page],
    status: HTTPStatus = HTTPStatus.OK,
    *,
    is_cached: bool = True,
    framed: bool = False,
) -> ResponseSpec:
    """Specify a page's response. Browsers revalidate it each time, so that no reader sees an old one."""

    def write_document() -> Document:
        body, style = write()
        return Document(body, {content_policy.HEADER: build_content_policy(style, framed=framed)})

    return ResponseSpec(
        ("page", *key), write_document, HTML, status=status, is_cached=is_cached, must_revalidate=True
    )


def link_languages(
    snapshot: Snapshot, language: LanguageCode, build_path: Callable[[LanguageCode], str]
) -> dict[str, Any]:
    """Return the page's addresses in all languages for its head, and its path in the other language."""
    base_url = snapshot.programme.site.base_url
    urls = {each: f"{base_url}{build_path(each)}" for each in LANGUAGES}
    return {"urls": urls, "other_language_path": build_path(OTHER[language])}


def write_page(
    template: str,
    language: LanguageCode,
    snapshot: Snapshot | None,
    selection: Selection | None = None,
    rules: str = "",
    **context: Any,
) -> Page:
    """Return a page in the layout; `rules` are those of its own in its style element."""
    with translation.override(language):
        layout = build_layout(language, snapshot, selection)
    return render_page(template, language, f"{layout.pop('style')}{rules}", layout | context)


def render_page(template: str, language: LanguageCode, style: str, context: dict[str, Any]) -> Page:
    """Return a page. It gets no request: it must not depend on sessions or browsers.

    A page gets its language here, whatever the thread's is. Text in `context` must therefore be lazy,
    or come from properties that the template reads.
    """
    with translation.override(language):
        content = {"language": language, "style": style, **context}
        return Page(render_to_string(f"pages/{template}.html", content).encode(), style)
