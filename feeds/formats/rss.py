"""RSS 2.0: a channel with one item per occasion, and its variant for WordPress."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from email.utils import format_datetime
from functools import lru_cache

from django.utils.feedgenerator import Rss201rev2Feed
from django.utils.xmlutils import SimplerXMLGenerator

from feeds.festival_time import FestivalTime
from feeds.formats.base import Format
from feeds.listing import Listing, format_timestamp
from feeds.memoization import memoize
from feeds.syndication import (
    EXTENSION_PREFIX,
    MEDIA_NAMESPACE,
    ListingFeed,
    category_names,
    describe_rights,
    escape,
    escape_markup,
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
from feeds.wording import WORDS, format_cancellation, format_dated_span

NAMESPACES = {
    "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
    "xmlns:dcterms": "http://purl.org/dc/terms/",
    "xmlns:media": MEDIA_NAMESPACE,
}
ONE_MINUTE, ONE_SECOND = timedelta(minutes=1), timedelta(seconds=1)
IS_LINK = write_attribute("isPermaLink", "true")


class RssFormat(Format):
    extension = "rss"
    media_types = ("application/rss+xml",)
    rank = 30
    label = Text(sv="RSS", en="RSS")
    purpose = Text(sv="för webbplatser och skyltar", en="for websites and displays")

    def write_events(self, listing: Listing) -> bytes:
        return write_feed(RssChannel(listing, self.extension), self._write_items(listing), b"</channel>")

    def _write_items(self, listing: Listing) -> Iterator[bytes]:
        """Yield the parts of the items; what differs between variants and moments is not memoized."""
        site, language = listing.site, listing.language
        for occasion in listing.occasions:
            title, notice, dated = self.introduce(occasion, listing)
            first, *others = _write_item(occasion, site, language)
            yield first
            yield escape(title).encode()
            yield _write_title(occasion.event, notice, language)
            yield dated
            yield from others

    def introduce(self, occasion: Occasion, listing: Listing) -> tuple[str, str, bytes]:
        """Return the texts before the title and before the intro, and `pubDate`."""
        span = listing.snapshot.time_span(occasion, listing.language)
        return span, "", _date_event(occasion.event, listing.site.time)


class WordPressRssFormat(RssFormat):
    """RSS for blogs, which show the newest first and hide the future (decisions, "RSS `pubDate`")."""

    extension = "rss-wp"
    media_types = ("application/rss+xml+wp",)
    # WordPress refuses any other media type.
    sent_as = RssFormat.media_types[0]
    rank = 40
    label = Text(sv="RSS för WordPress", en="RSS for WordPress")
    purpose = Text(
        sv="för WordPress, som inlägg; för RSS-blocket, välj dagen kommande",
        en="for WordPress, as posts; for its RSS block, choose the day upcoming",
    )
    depends_on_time = False
    # 1,614 occasions took 106 MB of PHP's memory.
    suggested_limit = 100

    def introduce(self, occasion: Occasion, listing: Listing) -> tuple[str, str, bytes]:
        """Return the texts and the instant, independent of the current time."""
        programme, language, festival = listing.snapshot.programme, listing.language, listing.site.time
        local = programme.span(occasion)
        span, year = format_dated_span(local, language), local.start.year
        title = f"{WORDS[language].cancelled}: {span}" if occasion.cancelled else span
        published = programme.published_years.get(year, occasion.event.published_at)
        return title, format_cancellation(occasion, language), _date_post(occasion, published, festival)


@memoize
def _date_event(event: Event, festival: FestivalTime) -> bytes:
    return format_datetime(festival.local(event.published_at)).encode()


@memoize
def _date_post(occasion: Occasion, published: datetime, festival: FestivalTime) -> bytes:
    """Return when its year was first published, less a second for each minute from then to its start."""
    year = festival.local(occasion.start).year
    minutes = (occasion.start - _find_earlier_year(published, year, festival)) // ONE_MINUTE
    return format_datetime(festival.local(published - minutes * ONE_SECOND)).encode()


@lru_cache
def _find_earlier_year(published: datetime, year: int, festival: FestivalTime) -> datetime:
    """Return the beginning of a year, or of the year of an instant if that is earlier."""
    return festival.instant(date(min(year, festival.local(published).year), 1, 1), time.min)


class RssChannel(ListingFeed, Rss201rev2Feed):
    def rss_attributes(self) -> dict[str, str]:
        namespace = self.listing.site.extension_namespace
        return {**super().rss_attributes(), f"xmlns:{EXTENSION_PREFIX}": namespace, **NAMESPACES}

    def add_root_elements(self, handler: SimplerXMLGenerator) -> None:
        for name in ("title", "description", "language"):
            handler.addQuickElement(name, self.feed[name])
        if rights := describe_rights(self.listing):
            handler.addQuickElement("copyright", rights)
        modified = self.listing.site.time.local(self.listing.modified)
        handler.addQuickElement("lastBuildDate", format_datetime(modified))
        handler.addQuickElement("link", self.feed["link"])
        itself = {"href": self.listing.url(self.extension), "rel": "self", "type": RssFormat.sent_as}
        handler.addQuickElement("atom:link", None, itself)


@memoize
def _write_item(occasion: Occasion, site: Site, language: LanguageCode) -> tuple[bytes, ...]:
    """Return an item before its title and after its date, in parts of which items and feeds share some."""
    event, identity = occasion.event, escape(site.occasion_url(occasion.identity, "sv"))
    url = identity if language == "sv" else escape(site.occasion_url(occasion.identity, language))
    category = write_element("category", " > ".join(category_names(event, language)))
    before, after = write_content(occasion, site, language)
    modified = write_element("dcterms:modified", format_timestamp(event.last_modified))
    return (
        f"\n<item><guid{IS_LINK}>{identity}</guid><link>{url}</link>{category}<title>".encode(),
        # Escaped texts cannot end the section.
        f"</pubDate><content:encoded><![CDATA[{before}".encode(),
        write_paragraphs(event, language),
        f"{after}]]></content:encoded>{modified}{write_picture(event)}".encode(),
        write_extension_elements(occasion, language),
        b"</item>",
    )


@memoize
def _write_title(event: Event, notice: str, language: LanguageCode) -> bytes:
    """Return the title of an event and its description, which begins with a notice."""
    text = " ".join(filter(None, (notice, summarize(event, language))))
    description = write_pair("description", escape_markup(text))
    return f" {escape(event.title)}</title>{description}<pubDate>".encode()
