"""BBCode, for forums: one block per occasion."""

import re

from django.template.loader import render_to_string

from feeds.formats.base import Format
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.vocabulary import LanguageCode, Occasion, Site, Text
from feeds.wording import WORDS, format_booking_link, format_cancellation, format_clocks, format_urgent

# BBCode has no escape. Forums see a tag where its name follows the opening bracket (some after blanks). This
# invisible character between bracket and name prevents it.
ZERO_WIDTH_SPACE = "\u200b"
_TAG_OPENER = re.compile(r"\[(?=\s*+/?\s*+[a-z_*])", re.IGNORECASE)
# Some forums read a quotation mark after an equals sign as the begin of a value that ends at the next mark,
# lines and tags further on. In brackets with an equals sign the marks become typographic.
_BRACKET_WITH_VALUE = re.compile(r"(\[[^\[\]=]*=)([^\[\]]*)")
_TYPOGRAPHIC = str.maketrans("\"'", "”’")
_IN_ADDRESSES = str.maketrans({"[": "%5B", "]": "%5D", '"': "%22", "'": "%27"})


class BbcodeFormat(Format):
    """BBCode, reached by its extension: for `text/plain`, `Accept` chooses iCalendar as text."""

    extension = "bbcode"
    media_types = ("text/plain",)
    rank = 70
    label = Text(sv="BBCode", en="BBCode")
    purpose = Text(sv="för forum", en="for forums")
    depends_on_time = False

    def write_events(self, listing: Listing) -> bytes:
        blocks = (_block(each, listing.site, listing.language) for each in listing.occasions)
        return b"\n".join(blocks)


@memoize
def _block(occasion: Occasion, site: Site, language: LanguageCode) -> bytes:
    event = occasion.event
    lines = (
        f"{WORDS[language].organizer}: {event.organizer.name}" if event.organizer else "",
        format_urgent(occasion, language),
        format_booking_link(occasion, site.time, language).translate(_IN_ADDRESSES),
        format_cancellation(occasion, language),
    )
    context = {
        "time_span": format_clocks(site.time.span(occasion.start, occasion.end)),
        "url": site.occasion_url(occasion.identity, language).translate(_IN_ADDRESSES),
        "title": escape_text(event.title),
        "intro": escape_text(event.intro.within(language)),
        "description": escape_text(event.description.within(language)),
        "lines": map(escape_text, filter(None, lines)),
    }
    block = render_to_string("feeds/occasion.bbcode", context)
    # An opening bracket of a text may lack its closing one, so it must not reach beyond the next bracket.
    safe = _BRACKET_WITH_VALUE.sub(lambda found: found[1] + found[2].translate(_TYPOGRAPHIC), block)
    return safe.encode()


def escape_text(text: str) -> str:
    """Return a text as one line that can neither open nor close a tag."""
    return _TAG_OPENER.sub(f"[{ZERO_WIDTH_SPACE}", text.replace("\n", " "))
