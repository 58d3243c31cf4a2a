"""RSS 2.0: a channel with one item per occasion, and its variant for WordPress."""

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
        words = listing.site, listing.language
        items = (_item(each, *self.introduce(each, listing), *words) for each in listing.occasions)
        return write_feed(RssChannel(listing, self.extension), items, b"</channel>")

    def introduce(self, occasion: Occasion, listing: Listing) -> tuple[str, str, datetime]:
        """Return the texts before the title and before the intro, and the instant of `pubDate`."""
        span = listing.snapshot.time_span(occasion, listing.language)
        return span, "", occasion.event.published_at


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

    def introduce(self, occasion: Occasion, listing: Listing) -> tuple[str, str, datetime]:
        """Return the texts and the instant, independent of the current time.

        `pubDate` is when its year was first published, less a second for each minute from then to its start.
        """
        programme, language, festival = listing.snapshot.programme, listing.language, listing.site.time
        local = programme.span(occasion)
        span, year = format_dated_span(local, language), local.start.year
        title = f"{WORDS[language].cancelled}: {span}" if occasion.cancelled else span
        published = programme.published_years.get(year, occasion.event.published_at)
        minutes = (occasion.start - _find_earlier_year(published, year, festival)) // ONE_MINUTE
        return title, format_cancellation(occasion, language), published - minutes * ONE_SECOND


@lru_cache
def _find_earlier_year(published: datetime, year: int, festival: FestivalTime) -> datetime:
    """Return the beginning of a year, or of the year of an instant if that is earlier."""
    return festival.instant(date(min(year, festival.local(published).year), 1, 1), time.min)


class RssChannel(ListingFeed, Rss201rev2Feed):
    def rss_attributes(self) -> dict[str, str]:
        namespace = self.listing.site.extension_namespace
        return {**super().rss_attributes(), f"xmlns:{EXTENSION_PREFIX}": namespace, **NAMESPACES}

    def add_root_elements(self, handler: SimplerXMLGenerator) -> None:
        feed = self.feed
        handler.addQuickElement("title", feed["title"])
        handler.addQuickElement("description", feed["description"])
        handler.addQuickElement("language", feed["language"])
        if rights := describe_rights(self.listing):
            handler.addQuickElement("copyright", rights)
        modified = self.listing.site.time.local(self.listing.modified)
        handler.addQuickElement("lastBuildDate", format_datetime(modified))
        handler.addQuickElement("link", feed["link"])
        itself = {"href": self.listing.url(self.extension), "rel": "self", "type": RssFormat.sent_as}
        handler.addQuickElement("atom:link", None, itself)


@memoize
def _item(  # noqa: PLR0913, PLR0917 - the parts of an item
    occasion: Occasion, title: str, notice: str, dated: datetime, site: Site, language: LanguageCode
) -> bytes:
    """Return an item whose title and description begin with `title` and `notice`."""
    identity = escape(site.occasion_url(occasion.identity, "sv"))
    url = identity if language == "sv" else escape(site.occasion_url(occasion.identity, language))
    category, description, modified = _write_event(occasion.event, notice, language)
    return (
        f"\n<item><guid{IS_LINK}>{identity}</guid><link>{url}</link>{category}"
        f"<title>{escape(title)} {escape(occasion.event.title)}</title>{description}"
        f"<pubDate>{_format_date(dated, site.time)}</pubDate>"
        # Escaped texts cannot end the section.
        f"<content:encoded><![CDATA[{write_content(occasion, site, language)}]]></content:encoded>"
        f"{modified}{write_extension_elements(occasion, language)}</item>"
    ).encode()


@memoize
def _write_event(event: Event, notice: str, language: LanguageCode) -> tuple[str, str, str]:
    """Return the elements that all items of an event share: category, description, date and picture."""
    description = " ".join(filter(None, (notice, summarize(event, language))))
    return (
        write_element("category", " > ".join(category_names(event, language))),
        write_pair("description", escape_markup(description)),
        write_element("dcterms:modified", format_timestamp(event.last_modified)) + write_picture(event),
    )


@lru_cache(maxsize=1024)
def _format_date(instant: datetime, festival: FestivalTime) -> str:
    return format_datetime(festival.local(instant))
