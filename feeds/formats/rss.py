"""RSS 2.0: a channel with one item per occasion, and its variant for WordPress."""

from datetime import datetime
from email.utils import format_datetime
from io import BytesIO

from django.utils.feedgenerator import Rss201rev2Feed
from django.utils.xmlutils import SimplerXMLGenerator

from feeds.formats.base import Format
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.syndication import (
    EXTENSION_PREFIX,
    add_fragments,
    find_website,
    format_category,
    write_attribute,
    write_element,
    write_extension_elements,
)
from feeds.vocabulary import LanguageCode, Occasion, Site, Text

IS_LINK = write_attribute("isPermaLink", "true")


class RssFormat(Format):
    extension = "rss"
    media_types = ("application/rss+xml",)
    rank = 30
    label = Text(sv="RSS", en="RSS")
    purpose = Text(sv="för flödesläsare och chattrobotar", en="for feed readers and chat bots")
    is_pushed = True

    def write_events(self, listing: Listing) -> bytes:
        out = BytesIO()
        _Channel(listing, self).write(out, "utf-8")
        return out.getvalue()

    def dated(self, occasion: Occasion) -> datetime:
        """Return what `pubDate` shows: when the event was first published."""
        return occasion.event.published_at


class WordPressRssFormat(RssFormat):
    """Dated by the occasion, so that a blog that imports it lists items in programme order."""

    extension = "rss-wp"
    media_types = ("application/rss+xml+wp",)
    # WordPress refuses any other.
    sent_as = RssFormat.media_types[0]
    rank = 40
    label = Text(sv="RSS för WordPress", en="RSS for WordPress")
    purpose = Text(sv="för WordPress, som inlägg", en="for WordPress, as posts")
    is_pushed = False

    def dated(self, occasion: Occasion) -> datetime:
        return occasion.start


class _Channel(Rss201rev2Feed):
    """Django's generator, with the interface's elements in the interface's order."""

    def __init__(self, listing: Listing, variant: RssFormat) -> None:
        super().__init__(
            title=listing.title,
            link=find_website(listing),
            description=listing.subtitle,
            language=listing.language,
            feed_url=listing.url(variant.extension),
        )
        self.listing = listing
        self.variant = variant

    def rss_attributes(self) -> dict[str, str]:
        namespace = self.listing.site.extension_namespace
        return {**super().rss_attributes(), f"xmlns:{EXTENSION_PREFIX}": namespace}

    def add_root_elements(self, handler: SimplerXMLGenerator) -> None:
        feed = self.feed
        handler.addQuickElement("title", feed["title"])
        handler.addQuickElement("description", feed["description"])
        handler.addQuickElement("language", feed["language"])
        modified = self.listing.site.time.local(self.listing.modified)
        handler.addQuickElement("lastBuildDate", format_datetime(modified))
        handler.addQuickElement("link", feed["link"])
        itself = {"href": feed["feed_url"], "rel": "self", "type": RssFormat.sent_as}
        handler.addQuickElement("atom:link", None, itself)
        if hub := self.variant.hub(self.listing):
            handler.addQuickElement("atom:link", None, {"href": hub, "rel": "hub"})

    def write_items(self, handler: SimplerXMLGenerator) -> None:
        listing = self.listing
        items = (
            _item(
                occasion,
                listing.snapshot.time_span(occasion, listing.language),
                self.variant.dated(occasion),
                listing.site,
                listing.language,
            )
            for occasion in listing.occasions
        )
        add_fragments(handler, items)


@memoize
def _item(occasion: Occasion, time_span: str, dated: datetime, site: Site, language: LanguageCode) -> str:
    event = occasion.event
    intro = event.intro.within(language)
    children = (
        # Identity is the Swedish URL in every language.
        write_element("guid", site.occasion_url(occasion.identity, "sv"), IS_LINK),
        write_element("link", site.occasion_url(occasion.identity, language)),
        write_element("category", format_category(occasion, language)),
        write_element("title", f"{time_span} {event.title}"),
        write_element("description", intro) if intro else "",
        write_element("pubDate", format_datetime(site.time.local(dated))),
        *write_extension_elements(occasion, language),
    )
    return f"<item>{''.join(children)}</item>"
