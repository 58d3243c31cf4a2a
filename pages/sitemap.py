"""The sitemap: every page in both languages, linked to each other (sitemaps.org, Google's `xhtml:link`)."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from feeds.programme import Programme
from feeds.vocabulary import LANGUAGES, LanguageCode, Occasion

# A sitemap holds at most 50,000 addresses and 50 MB; two languages of these make 20,000 and 12 MB.
MAX_OCCASIONS = 10_000
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"


class SitemapEntry(NamedTuple):
    """A page: its address in each language, and the moment of its last change."""

    urls: Mapping[LanguageCode, str]
    changed: datetime


def count_parts(programme: Programme) -> int:
    return max(1, -(-len(programme.occasions) // MAX_OCCASIONS))


def build_index(programme: Programme) -> bytes:
    base_url = programme.site.base_url
    sitemaps = (
        f"<sitemap><loc>{base_url}/sitemap-{part}.xml</loc></sitemap>"
        for part in range(1, count_parts(programme) + 1)
    )
    return _document("sitemapindex", sitemaps)


def build_sitemap(programme: Programme, part: int, paths: Iterable[Mapping[LanguageCode, str]]) -> bytes:
    """Return one part, counted from 1; the first has the pages of `paths`, too."""
    moved, base_url = programme.revision.moved_at, programme.site.base_url
    pages = [
        SitemapEntry({language: f"{base_url}{path}" for language, path in pair.items()}, moved)
        for pair in paths
    ]
    occasions = programme.occasions[(part - 1) * MAX_OCCASIONS : part * MAX_OCCASIONS]
    listed = [*(pages if part == 1 else ()), *_list_occasions(programme, occasions)]
    return _document("urlset", (line for each in listed for line in _lines(each)), f' xmlns:xhtml="{XHTML}"')


def _list_occasions(programme: Programme, occasions: Iterable[Occasion]) -> Iterator[SitemapEntry]:
    """Yield the occasions' pages, without those on the festival's own website."""
    site = programme.site
    for each in occasions:
        urls = {language: site.occasion_url(each.identity, language) for language in LANGUAGES}
        own = {language: url for language, url in urls.items() if url.startswith(f"{site.base_url}/")}
        yield SitemapEntry(own, each.event.last_modified)


def _lines(page: SitemapEntry) -> Iterator[str]:
    changed = f"{page.changed:%Y-%m-%dT%H:%M:%S}+00:00"
    twins = "".join(
        f'<xhtml:link rel="alternate" hreflang="{language}" href={quoteattr(url)}/>'
        for language, url in page.urls.items()
    )
    for url in page.urls.values():
        links = twins if len(page.urls) > 1 else ""
        yield f"<url><loc>{escape(url)}</loc><lastmod>{changed}</lastmod>{links}</url>"


def _document(root: str, lines: Iterable[str], namespaces: str = "") -> bytes:
    body = "\n".join(lines)
    return f'{XML}<{root} xmlns="{SITEMAP}"{namespaces}>\n{body}\n</{root}>\n'.encode()
