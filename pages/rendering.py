"""How pages are rendered, in their layout and their language."""

from collections.abc import Callable, Hashable
from http import HTTPStatus
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES, LanguageCode
from pages.addresses import OTHER
from pages.layout import build_layout
from programme.api.responses import ResponseSpec

HTML = "text/html; charset=utf-8"


def page_response(
    key: tuple[Hashable, ...],
    write: Callable[[], bytes],
    status: HTTPStatus = HTTPStatus.OK,
    *,
    is_cached: bool = True,
) -> ResponseSpec:
    """Specify a page's response. Browsers revalidate it each time, so that no reader sees an old one."""
    return ResponseSpec(("page", *key), write, HTML, status=status, is_cached=is_cached, must_revalidate=True)


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
    **context: Any,
) -> bytes:
    with translation.override(language):
        layout = build_layout(language, snapshot, selection)
    return render_page(template, language, layout | context)


def render_page(template: str, language: LanguageCode, context: dict[str, Any]) -> bytes:
    """Return a page. It gets no request: it must not depend on sessions or browsers.

    A page gets its language here, whatever the thread's is. Text in `context` must therefore be lazy,
    or come from properties that the template reads.
    """
    with translation.override(language):
        return render_to_string(f"pages/{template}.html", {"language": language, **context}).encode()
