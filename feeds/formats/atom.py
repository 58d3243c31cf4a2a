"""Atom (RFC 4287): a feed with one entry per occasion."""

from collections.abc import Iterator
from itertools import chain
from xml.sax.xmlreader import AttributesImpl

from django.utils.feedgenerator import Atom1Feed
from django.utils.xmlutils import SimplerXMLGenerator

from feeds.festival_time import FestivalTime
from feeds.formats.base import Format
from feeds.listing import Listing, RemovedOccasion, format_timestamp
from feeds.memoization import memoize
from feeds.syndication import (
    EXTENSION_PREFIX,
    MEDIA_NAMESPACE,
    ListingFeed,
    category_names,
    describe_rights,
    escape,
    link_pages,
    summarize,
    write_attribute,
    write_content,
    write_element,
    write_extension_elements,
    write_feed,
    write_pair,
    write_paragraphs,
    write_picture,
)
from feeds.vocabulary import Event, LanguageCode, Occasion, Site, Text

# The namespace of tombstones (RFC 6721).
NAMESPACE = "http://purl.org/atompub/tombstones/1.0"
TEXT = {"type": "text"}
OF_TEXT = write_attribute("type", "text")
OF_HTML = write_attribute("type", "html")


class AtomFormat(Format):
    extension = "atom"
    media_types = ("application/atom+xml", "application/xml", "text/xml")
    rank = 20
    label = Text(sv="Atom", en="Atom")
    purpose = Text(sv="för webbplatser, med alla uppgifter", en="for websites, with all details")

    def write_events(self, listing: Listing) -> bytes:
        deleted = (_deleted(each, listing.site) for each in listing.removed or ())
        parts = chain(_write_entries(listing), deleted)
        return write_feed(AtomFeed(listing, self.extension), parts, b"</feed>")


class AtomFeed(ListingFeed, Atom1Feed):
    def root_attributes(self) -> dict[str, str]:
        namespace = self.listing.site.extension_namespace
        own = {f"xmlns:{EXTENSION_PREFIX}": namespace, "xmlns:media": MEDIA_NAMESPACE}
        tombstones = {} if self.listing.removed is None else {"xmlns:at": NAMESPACE}
        return super().root_attributes() | own | tombstones

    def add_root_elements(self, handler: SimplerXMLGenerator) -> None:
        listing, extension = self.listing, self.extension
        handler.addQuickElement("title", listing.title, TEXT)
        handler.addQuickElement("subtitle", listing.subtitle, TEXT)
        handler.addQuickElement("id", listing.feed_id(extension))
        handler.addQuickElement("updated", listing.site.time.timestamp(listing.modified))
        handler.startElement("author", AttributesImpl({}))
        handler.addQuickElement("name", listing.festival_name)
        if website := listing.snapshot.programme.festival.website:
            handler.addQuickElement("uri", website)
        handler.endElement("author")
        if rights := describe_rights(listing):
            handler.addQuickElement("rights", rights, TEXT)
        fixed = (("self", listing.url(extension)), ("alternate", listing.website))
        for relation, url in (*fixed, *link_pages(listing, extension)):
            handler.addQuickElement("link", None, {"rel": relation, "href": url})


def _write_entries(listing: Listing) -> Iterator[bytes]:
    """Yield the parts of the entries; what depends on the current time is not memoized."""
    site, language, time_span = listing.site, listing.language, listing.snapshot.time_span
    for occasion in listing.occasions:
        first, *others = _write_entry(occasion, site, language)
        yield first
        yield escape(time_span(occasion, language)).encode()
        yield from others


@memoize
def _write_entry(occasion: Occasion, site: Site, language: LanguageCode) -> tuple[bytes, ...]:
    """Return the parts of an entry before and after the time, of which feeds and occasions share some."""
    # Identity is the Swedish URL in every language.
    identity = site.occasion_url(occasion.identity, "sv")
    url = identity if language == "sv" else site.occasion_url(occasion.identity, language)
    title, content, category, picture = _write_event(occasion.event, site.time, language)
    before, after = map(escape, write_content(occasion, site, language))
    link = f'<link{write_attribute("href", url)} rel="alternate"/>'
    return (
        f"\n<entry><id>{escape(identity)}</id><title{OF_TEXT}>".encode(),
        title,
        f"{link}{category}<content{OF_HTML}>{before}".encode(),
        content,
        f"{after}</content>{picture}".encode(),
        write_extension_elements(occasion, language),
        b"</entry>",
    )


@memoize
def _write_event(
    event: Event, festival: FestivalTime, language: LanguageCode
) -> tuple[bytes, bytes, str, str]:
    """Return the parts that all entries of an event share: title to moments, content, category, picture."""
    published, updated = festival.timestamp(event.published_at), format_timestamp(event.last_modified)
    category = " > ".join(category_names(event, language))
    summary = write_pair("summary", summarize(event, language), OF_TEXT)
    moments = f"<published>{published}</published><updated>{updated}</updated>"
    return (
        f" {escape(event.title)}</title>{summary}{moments}".encode(),
        escape(write_paragraphs(event, language).decode()).encode(),
        write_element("category", attributes=write_attribute("term", category)),
        write_picture(event),
    )


def _deleted(removed: RemovedOccasion, site: Site) -> bytes:
    """Return the tombstone of an entry (RFC 6721)."""
    reference = write_attribute("ref", site.occasion_url(removed.identity, "sv"))
    when = write_attribute("when", format_timestamp(removed.at))
    return f"\n{write_element('at:deleted-entry', attributes=reference + when)}".encode()
