"""BBCode, for forums: one block per occasion."""

from django.template.loader import render_to_string

from feeds.formats.base import Format
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.vocabulary import LanguageCode, Occasion, Site, Text
from feeds.wording import WORDS, format_clock_span

# BBCode has no escape. After an opening bracket, this invisible character keeps parsers from seeing a tag,
# while people see the bracket.
ZERO_WIDTH_SPACE = "\u200b"
# Some parsers look from any opening bracket for a value in quotes, over the ends of tags and lines.
TYPOGRAPHIC_QUOTES = str.maketrans({"'": "’", '"': "”"})


class BbcodeFormat(Format):
    """Sent as `text/plain`, where iCalendar as text comes before it: reached by its extension."""

    extension = "bbcode"
    media_types = ("text/plain",)
    rank = 70
    label = Text(sv="BBCode", en="BBCode")
    purpose = Text(sv="för forum", en="for forums")
    depends_on_time = False

    def write_events(self, listing: Listing) -> bytes:
        blocks = (_block(each, listing.site, listing.language) for each in listing.occasions)
        return "\n".join(blocks).encode()


@memoize
def _block(occasion: Occasion, site: Site, language: LanguageCode) -> str:
    event = occasion.event
    texts = {
        "title": event.title,
        "intro": event.intro.within(language),
        "description": event.description.within(language),
        "organizer": event.organizer.name if event.organizer else "",
    }
    context = {
        "time_span": format_clock_span(occasion.start, occasion.end, site.time),
        "url": site.occasion_url(occasion.identity, language).replace("[", "%5B").replace("]", "%5D"),
        "cancelled": occasion.cancelled,
        "by": WORDS[language].organizer,
        **escape_texts(texts),
    }
    return render_to_string("feeds/occasion.bbcode", context)


def escape_texts(texts: dict[str, str]) -> dict[str, str]:
    """Return the texts of a block, each as one line, that can neither open nor close a tag."""
    lines = {name: _line(text) for name, text in texts.items()}
    if not any("[" in text for text in texts.values()):
        return lines
    return {name: line.translate(TYPOGRAPHIC_QUOTES) for name, line in lines.items()}


def _line(text: str) -> str:
    return text.replace("\n", " ").replace("[", f"[{ZERO_WIDTH_SPACE}")
