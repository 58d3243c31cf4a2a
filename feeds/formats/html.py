"""HTML, for websites that embed the programme: a list as a fragment."""

from django.template.loader import render_to_string

from feeds.formats.base import Format
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.syndication import summarize
from feeds.vocabulary import LanguageCode, Occasion, Site, Text
from feeds.wording import format_booking_link, format_cancellation, format_clock, format_urgent


class HtmlFormat(Format):
    extension = "qx1"
    media_types = ("text/html",)
    rank = 80
    label = Text(sv="HTML-lista", en="HTML list")
    purpose = Text(sv="för webbsidor, ett stycke HTML", en="for web pages, a piece of HTML")
    depends_on_time = False

    def write_events(self, listing: Listing) -> bytes:
        items = (_item(each, listing.site, listing.language) for each in listing.occasions)
        return b"".join((b'<div class="event-list">\n', *items, b"</div>\n"))


@memoize
def _item(occasion: Occasion, site: Site, language: LanguageCode) -> bytes:
    lines = (
        summarize(occasion.event, language),
        format_urgent(occasion, language),
        format_booking_link(occasion, site.time, language),
        format_cancellation(occasion, language),
    )
    context = {
        "start": format_clock(site.time.local(occasion.start)),
        "url": site.occasion_url(occasion.identity, language),
        "title": occasion.event.title,
        "cancelled": occasion.cancelled,
        "lines": filter(None, lines),
    }
    return render_to_string("feeds/occasion.html", context).encode()
