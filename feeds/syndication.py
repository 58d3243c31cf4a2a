"""What Atom and RSS share: fragments of XML and the extension elements."""

import re
from collections.abc import Callable, Iterable
from io import BytesIO
from xml.sax.saxutils import quoteattr

from django.utils.feedgenerator import SyndicationFeed

from feeds.links import safe_url
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.vocabulary import Event, LanguageCode, Occasion, Place, Value

EXTENSION_PREFIX = "ext"
# What an attribute's value cannot have as it is.
_SPECIAL = re.compile(r"[&<>\"\n\r\t]").search
# Of Media RSS, which Atom feeds use, too.
MEDIA_NAMESPACE = "http://search.yahoo.com/mrss/"


def escape(text: str) -> str:
    """Return a text as XML; most have nothing to escape, and looking is faster than replacing."""
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text:
        text = text.replace("<", "&lt;")
    return text.replace(">", "&gt;") if ">" in text else text


class Described(Value, frozen=True):
    """What the extension elements tell of an occasion; several of one event have it in common."""

    event: Event
    cancelled: bool
    place: Place | None
    change_info: str


# The twelve elements, in the interface's spelling and order.
ExtensionElement = Callable[[Described, LanguageCode], str]


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _accessibility(occasion: Described, language: LanguageCode) -> str:
    return occasion.place.location.accessibility.within(language) if occasion.place else ""


EXTENSION_ELEMENTS: dict[str, ExtensionElement] = {
    "areaName": lambda occasion, _: occasion.event.area.full_name,
    "eventCancelled": lambda occasion, _: _boolean(occasion.cancelled),
    "eventChangedInfo": lambda occasion, _: occasion.change_info,
    "eventHighlighted": lambda occasion, _: _boolean(occasion.event.highlighted),
    "eventSignInterpreted": lambda occasion, _: _boolean(occasion.event.sign_interpreted),
    "eventTitle": lambda occasion, _: occasion.event.title,
    "locationAccessability": _accessibility,
    "locationAddress": lambda occasion, _: occasion.place.location.address if occasion.place else "",
    "locationName": lambda occasion, _: occasion.place.location.name if occasion.place else "",
    "locationPublicTransportStation": lambda occasion, _: (
        occasion.place.location.public_transport_station if occasion.place else ""
    ),
    "organizerName": lambda occasion, _: occasion.event.organizer.name if occasion.event.organizer else "",
    "subAreaName": lambda occasion, _: occasion.event.sub_area.full_name if occasion.event.sub_area else "",
}


_PREFIXED_ELEMENTS = [(f"{EXTENSION_PREFIX}:{name}", text_of) for name, text_of in EXTENSION_ELEMENTS.items()]


def write_extension_elements(occasion: Occasion, language: LanguageCode) -> str:
    return _write_extension_elements(
        occasion.event, occasion.cancelled, occasion.place, occasion.change_info, language
    )


@memoize
def _write_extension_elements(
    event: Event, cancelled: bool, place: Place | None, change_info: str, language: LanguageCode
) -> str:
    described = Described(event, cancelled, place, change_info)
    return "".join(
        [
            f"<{name}>{escape(text)}</{name}>" if (text := text_of(described, language)) else f"<{name}/>"
            for name, text_of in _PREFIXED_ELEMENTS
        ]
    )


def write_element(name: str, text: str = "", attributes: str = "") -> str:
    """Return an XML element around a text, with attributes that are written already (`attribute`).

    These are the bytes of the SAX generator that writes the rest of a feed (a test compares them), which
    takes ten times as long over the twenty elements of an occasion.
    """
    return f"<{name}{attributes}>{escape(text)}</{name}>" if text else f"<{name}{attributes}/>"


def write_pair(name: str, text: str, attributes: str = "") -> str:
    """Return an XML element around a text, with an end tag also where the text is empty."""
    return f"<{name}{attributes}>{escape(text)}</{name}>"


def write_picture(event: Event) -> str:
    url = safe_url(event.image_url)
    attributes = write_attribute("url", url) + write_attribute("medium", "image")
    return write_element("media:content", attributes=attributes) if url else ""


def write_attribute(name: str, value: str) -> str:
    # Most are addresses without any.
    return f" {name}={quoteattr(value)}" if _SPECIAL(value) else f' {name}="{value}"'


def write_feed(feed: SyndicationFeed, elements: Iterable[bytes], end_tag: bytes) -> bytes:
    """Return a feed with elements, each beginning with a line break, before an end tag."""
    out = BytesIO()
    feed.write(out, "utf-8")
    before, _, after = out.getvalue().rpartition(end_tag)
    return b"".join((before, *elements, end_tag, after))


def format_category(event: Event, language: LanguageCode) -> str:
    """Return `Stadsparken > Konsert` (decisions, "Categories")."""
    return " > ".join(category_names(event, language))


def category_names(event: Event, language: LanguageCode) -> tuple[str, str]:
    return event.area.name, event.type.name.within(language)


def describe_rights(listing: Listing) -> str:
    """Return the festival and the licence of its programme; empty if none was entered."""
    terms = listing.snapshot.programme.festival.terms
    known = (listing.festival_name, terms.license_name, terms.license_url)
    return ", ".join(filter(None, known)) if any(known[1:]) else ""


def find_website(listing: Listing) -> str:
    return listing.snapshot.programme.festival.website or f"{listing.site.base_url}/"
