"""News as Atom, RSS and JSON: the formats of the programme, with entries of their own."""

from collections.abc import Iterator
from email.utils import format_datetime
from typing import cast

from django.utils.xmlutils import SimplerXMLGenerator

from feeds import interface
from feeds.formats.atom import OF_HTML, OF_TEXT, AtomFeed, AtomFormat
from feeds.formats.json import JsonFormat
from feeds.formats.rss import RssChannel, RssFormat
from feeds.json_parts import build_urls, encode, translatable
from feeds.listing import Listing
from feeds.news import News, NewsEntry, NewsState
from feeds.news_listing import NewsListing
from feeds.news_wording import format_title, write_news_content
from feeds.syndication import escape, link_pages, write_attribute, write_element, write_feed
from feeds.vocabulary import Site

NO_LINK = write_attribute("isPermaLink", "false")


class NewsAtomFormat(AtomFormat):
    def write_events(self, listing: Listing) -> bytes:
        return write_feed(AtomFeed(listing, self.extension), map(_write_atom, _read(listing)), b"</feed>")


class NewsRssFormat(RssFormat):
    def write_events(self, listing: Listing) -> bytes:
        return write_feed(_Channel(listing, self.extension), map(_write_rss, _read(listing)), b"</channel>")


class NewsJsonFormat(JsonFormat):
    def write_events(self, listing: Listing) -> bytes:
        return encode([*map(_build_table, _read(listing))])


# In the order that breaks ties in negotiation.
NEWS_FORMATS = (NewsAtomFormat, NewsRssFormat, NewsJsonFormat)


class _Channel(RssChannel):
    def add_root_elements(self, handler: SimplerXMLGenerator) -> None:
        super().add_root_elements(handler)
        for relation, url in link_pages(self.listing, self.extension):
            handler.addQuickElement("atom:link", None, {"href": url, "rel": relation})


class _Written:
    """An entry with the texts that all formats share."""

    def __init__(self, listing: NewsListing, entry: NewsEntry) -> None:
        language, site = listing.language, listing.site
        self.listing, self.entry = listing, entry
        self.id = entry.id.urn
        self.title = format_title(entry, site.time, language)
        self.url = listing.find_url(entry)
        self.content = write_news_content(entry, site, language, self.url)
        self.at = site.time.local(entry.first.appears_at)
        self.told_at = site.time.timestamp(entry.first.appears_at)


def _read(listing: Listing) -> Iterator[_Written]:
    told = cast("NewsListing", listing)
    return (_Written(told, each) for each in told.occasions)


def _write_atom(written: _Written) -> bytes:
    at = written.told_at
    category = write_element("category", attributes=write_attribute("term", written.entry.first.kind))
    return (
        f"\n<entry><id>{written.id}</id><title{OF_TEXT}>{escape(written.title)}</title>"
        f"<published>{at}</published><updated>{at}</updated>"
        f'<link{write_attribute("href", written.url)} rel="alternate"/>{category}'
        f"<content{OF_HTML}>{escape(written.content)}</content></entry>"
    ).encode()


def _write_rss(written: _Written) -> bytes:
    return (
        f"\n<item><guid{NO_LINK}>{written.id}</guid><link>{escape(written.url)}</link>"
        f"<category>{written.entry.first.kind}</category><title>{escape(written.title)}</title>"
        f"<description>{escape(written.content)}</description><pubDate>{format_datetime(written.at)}</pubDate>"
        f"<content:encoded><![CDATA[{written.content}]]></content:encoded></item>"
    ).encode()


def _build_table(written: _Written) -> interface.NewsEntry:
    return interface.NewsEntry(
        id=written.id,
        kind=written.entry.first.kind,
        toldAt=written.told_at,
        title=written.title,
        url=written.url,
        occasions=[_build_piece(each, written.listing) for each in written.entry.pieces],
    )


def _build_piece(news: News, listing: NewsListing) -> interface.NewsOccasion:
    site = listing.site
    return interface.NewsOccasion(
        id=news.occasion_id,
        eventID=news.event_id,
        title=news.facts.title,
        before=_build_state(news.before, site),
        after=_build_state(news.after, site),
        note=translatable(news.note),
        url=build_urls(listing.find_identity(news), site),
    )


def _build_state(state: NewsState | None, site: Site) -> interface.NewsState | None:
    if state is None:
        return None
    starts, ends = (site.time.local(each).isoformat() for each in (state.start, state.end))
    return interface.NewsState(starts, ends, state.place or None, state.cancelled)
