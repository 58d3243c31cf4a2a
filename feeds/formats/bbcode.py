"""BBCode, for forums: one block per occasion."""

from django.template.loader import render_to_string

from feeds.formats.base import Format
from feeds.listing import Listing
from feeds.remembered import Remembered
from feeds.vocabulary import LanguageCode, Occasion, Site
from feeds.wording import WORDS, clock_span

# BBCode has no escape. Behind an opening bracket this invisible character makes that no parser sees
# a tag, and people see the bracket.
ZERO_WIDTH_SPACE = "\u200b"


class BbcodeFormat(Format):
    """Sent as `text/plain`, where iCalendar as text comes before it: reached by its extension."""

    extension = "bbcode"
    media_types = ("text/plain",)
    rank = 70
    label = "BBCode"

    def write_events(self, listing: Listing) -> bytes:
        blocks = (_block(each, listing.site, listing.language) for each in listing.occasions)
        return "\n".join(blocks).encode()


@Remembered
def _block(occasion: Occasion, site: Site, language: LanguageCode) -> str:
    event = occasion.event
    context = {
        "time_span": clock_span(occasion.start, occasion.end, site.time),
        "url": site.occasion_url(occasion.identity, language).replace("[", "%5B").replace("]", "%5D"),
        "title": literal(event.title),
        "cancelled": occasion.cancelled,
        "intro": literal(event.intro.within(language)),
        "description": literal(event.description.within(language)),
        "by": WORDS[language].organizer,
        "organizer": literal(event.organizer.name) if event.organizer else "",
    }
    return render_to_string("feeds/occasion.bbcode", context)


def literal(text: str) -> str:
    """Return a text as one line that can neither open nor close a tag."""
    return " ".join(text.split("\n")).replace("[", f"[{ZERO_WIDTH_SPACE}")
