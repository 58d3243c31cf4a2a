"""Common parts of feeds: summaries, the contents of posts, fragments of XML and the extension elements.

Contents are safe HTML and well-formed XML. They do not depend on the current time, so that a blog that
imports them sees no change without an edit.
"""

import re
from collections.abc import Iterable
from html import unescape
from io import BytesIO
from xml.sax.saxutils import quoteattr

from django.utils.feedgenerator import SyndicationFeed

from feeds.facts import is_sign_interpreted
from feeds.links import link_addresses
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.vocabulary import Event, LanguageCode, Occasion, Place, Site, safe_url
from feeds.wording import WORDS, format_booking, format_change, format_full_span, format_urgent

MAX_LENGTH = 300
# If whole sentences would leave less than this, the text is cut at a word.
MIN_LENGTH = 100
ELLIPSIS = "…"

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
# The end of a sentence: not `kl. 18` or `t.ex. jazz`, which go on with a digit or a small letter.
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*(?=\s+[^\s\da-zåäöéæø])")


def summarize(event: Event, language: LanguageCode) -> str:
    """Return the intro, else the description's first paragraph in at most 300 characters, else ''."""
    return event.intro.within(language) or excerpt(event.description.within(language))


def excerpt(text: str) -> str:
    """Return the first paragraph of a text, cut at a sentence or a word if it is too long."""
    paragraph = _BLANK_LINE.split(text, maxsplit=1)[0].rstrip()
    if len(paragraph) <= MAX_LENGTH:
        return paragraph
    sentences = [each.end() for each in _SENTENCE_END.finditer(paragraph) if each.end() <= MAX_LENGTH]
    if sentences and sentences[-1] >= MIN_LENGTH:
        return paragraph[: sentences[-1]]
    # Without a space there are no words, as in Japanese.
    words = paragraph[:MAX_LENGTH].rsplit(maxsplit=1)[0][: MAX_LENGTH - 1]
    return words.rstrip(" \n\t,;:–—-") + ELLIPSIS


EXTENSION_PREFIX = "ext"
# Characters that an attribute's value must escape.
_SPECIAL = re.compile(r"[&<>\"\n\r\t]").search
# The namespace of Media RSS, which Atom feeds use, too.
MEDIA_NAMESPACE = "http://search.yahoo.com/mrss/"


def escape(text: str) -> str:
    """Return a text as XML; most texts need no escape, and searching is faster than replacing."""
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text:
        text = text.replace("<", "&lt;")
    return text.replace(">", "&gt;") if ">" in text else text


def write_extension_elements(occasion: Occasion, language: LanguageCode) -> bytes:
    return _write_extension_elements(
        occasion.event,
        (occasion.cancelled, is_sign_interpreted(occasion)),
        occasion.place,
        occasion.change_info.within(language),
        language,
    )


@memoize
def _write_extension_elements(
    event: Event, marks: tuple[bool, bool], place: Place | None, change_info: str, language: LanguageCode
) -> bytes:
    location, (cancelled, signed) = place.location if place else None, marks
    # The twelve elements, in the interface's spelling and order.
    texts = {
        "areaName": event.area.full_name,
        "eventCancelled": "true" if cancelled else "false",
        "eventChangedInfo": change_info,
        "eventHighlighted": "true" if event.highlighted else "false",
        "eventSignInterpreted": "true" if signed else "false",
        "eventTitle": event.title,
        "locationAccessability": location.accessibility.within(language) if location else "",
        "locationAddress": location.address if location else "",
        "locationName": location.name if location else "",
        "locationPublicTransportStation": location.public_transport_station if location else "",
        "organizerName": event.organizer.name if event.organizer else "",
        "subAreaName": event.sub_area.full_name if event.sub_area else "",
    }
    elements = (write_element(f"{EXTENSION_PREFIX}:{name}", text) for name, text in texts.items())
    return "".join(elements).encode()


def write_element(name: str, text: str = "", attributes: str = "") -> str:
    """Return an XML element around a text; `attributes` are results of `write_attribute`."""
    return f"<{name}{attributes}>{escape(text)}</{name}>" if text else f"<{name}{attributes}/>"


def write_pair(name: str, text: str, attributes: str = "") -> str:
    """Return an XML element around a text, with an end tag also where the text is empty."""
    return f"<{name}{attributes}>{escape(text)}</{name}>"


def write_picture(event: Event) -> str:
    url = safe_url(event.image_url)
    attributes = write_attribute("url", url) + write_attribute("medium", "image")
    return write_element("media:content", attributes=attributes) if url else ""


def write_attribute(name: str, value: str) -> str:
    # Most values are addresses without special characters.
    return f" {name}={quoteattr(value)}" if _SPECIAL(value) else f' {name}="{value}"'


class ListingFeed(SyndicationFeed):
    """Django's generator for a listing; formats add the interface's elements in the interface's order."""

    def __init__(self, listing: Listing, extension: str) -> None:
        super().__init__(listing.title, listing.website, listing.subtitle, language=listing.language)
        self.listing, self.extension = listing, extension


def write_feed(feed: SyndicationFeed, elements: Iterable[bytes], end_tag: bytes) -> bytes:
    """Return a feed with elements, each beginning with a line break, before an end tag."""
    out = BytesIO()
    feed.write(out, "utf-8")
    before, _, after = out.getvalue().rpartition(end_tag)
    return b"".join((before, *elements, end_tag, after))


def link_pages(listing: Listing, extension: str) -> list[tuple[str, str]]:
    """Return the URLs of a feed's other pages by relation (RFC 5005, unlike RFC 8288: `previous`)."""
    pages = listing.pages(extension).items()
    return [("previous" if relation == "prev" else relation, url) for relation, url in pages]


def category_names(event: Event, language: LanguageCode) -> tuple[str, str]:
    """Return the area and the type; feeds join them, `Stadsparken > Konsert` (decisions, "Categories")."""
    return event.area.name, event.type.name.within(language)


def describe_rights(listing: Listing) -> str:
    """Return the festival and the licence of its programme, '' without a licence."""
    terms = listing.snapshot.programme.festival.terms
    known = (listing.festival_name, terms.license_name, terms.license_url)
    return ", ".join(filter(None, known)) if any(known[1:]) else ""


# A possible character reference; `html.unescape` knows the valid names.
_REFERENCE = re.compile(r"&(?=#[0-9]|#[xX][0-9a-fA-F]|[A-Za-z])[^\s<&;]{1,32};?")
_BLANK_LINES = re.compile(r"\n\s*\n")
# With a line break for programs that strip the tags, so that they do not join words.
BREAK = "<br/>\n"


def escape_markup(text: str) -> str:
    """Return a text as HTML, escaping only markup and character references."""
    if "&" in text:
        text = _REFERENCE.sub(
            lambda found: found[0] if unescape(found[0]) == found[0] else f"&amp;{found[0][1:]}", text
        )
    return text.replace("<", "&lt;")


def write_content(occasion: Occasion, site: Site, language: LanguageCode) -> tuple[str, str]:
    """Return the content of a post about an occasion before and after that of its event.

    It begins with its cancellation or change.
    """
    change, urgent = format_change(occasion, site.time, language), format_urgent(occasion, language)
    booking = format_booking(occasion, site.time, language)
    book = f"<p><a{write_attribute('href', occasion.booking_url)}>{booking}</a></p>\n" if booking else ""
    span = format_full_span(site.time.span(occasion.start, occasion.end), language)
    url = write_attribute("href", site.occasion_url(occasion.identity, language))
    place, area = occasion.place, occasion.event.area
    lines = (place.full_name, place.location.address) if place else (area.full_name, area.address)
    before = (
        *(f"<p><strong>{link_addresses(each)}</strong></p>\n" for each in (change, urgent) if each),
        f"<p>{span}{''.join(f'{BREAK}{escape(line)}' for line in lines if line)}</p>\n",
    )
    return "".join(before), f"{book}<p><a{url}>{WORDS[language].read_more}</a></p>"


@memoize
def write_paragraphs(event: Event, language: LanguageCode) -> bytes:
    """Return the paragraphs that an event's occasions share, each before a line break."""
    words, url = WORDS[language], safe_url(event.image_url)
    by = f"{words.organizer}: {event.organizer.name}" if event.organizer else ""
    price = f"{words.price}: {event.price}" if event.price else ""
    # The caption is no description of the picture, so it is shown below.
    picture = f'<img{write_attribute("src", url)} alt=""/>', escape(event.image_caption)
    texts = (link_addresses(each.within(language)) for each in (event.intro, event.description))
    paragraphs = (
        BREAK.join(filter(None, picture)) if url else "",
        *(each.replace("\n", BREAK) for text in texts for each in _BLANK_LINES.split(text)),
        escape(by),
        escape(price),
    )
    return "".join(f"<p>{each}</p>\n" for each in paragraphs if each).encode()
