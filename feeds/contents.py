"""What posts and entries hold of an occasion, in HTML that is safe, and well-formed XML, too.

It holds nothing of the clock, so that a blog that imports it sees no change where none was made.
"""

import re
from html import unescape

from feeds.links import safe_url
from feeds.memoization import memoize
from feeds.syndication import escape, write_attribute
from feeds.vocabulary import Area, Event, LanguageCode, Occasion, Place, Site
from feeds.wording import WORDS, format_change, format_full_span

# What may be a character reference; `html.unescape` knows the names of those that are.
_REFERENCE = re.compile(r"&(?=#[0-9]|#[xX][0-9a-fA-F]|[A-Za-z])[^\s<&;]{1,32};?")
_BLANK_LINES = re.compile(r"\n\s*\n")


def escape_markup(text: str) -> str:
    """Return a text as HTML, escaping only what would be markup or a character reference."""
    if "&" in text:
        text = _REFERENCE.sub(_escape_reference, text)
    return text.replace("<", "&lt;")


def _escape_reference(found: re.Match[str]) -> str:
    return found[0] if unescape(found[0]) == found[0] else f"&amp;{found[0][1:]}"


def write_content(occasion: Occasion, site: Site, language: LanguageCode) -> str:
    """Return what a person wants to read of an occasion; whether it is cancelled stands first."""
    change = format_change(occasion, site.time, language)
    span = format_full_span(site.time.span(occasion.start, occasion.end), language)
    url = write_attribute("href", site.occasion_url(occasion.identity, language))
    return (
        f"{_write_paragraph(f'<strong>{escape(change)}</strong>') if change else ''}"
        f"<p>{span}{_write_place(occasion.place, occasion.event.area)}</p>"
        f"{_write_event(occasion.event, language)}"
        f"<p><a{url}>{WORDS[language].read_more}</a></p>"
    )


@memoize
def _write_place(place: Place | None, area: Area) -> str:
    """Return the lines of a place, below another one; of the area where there is none."""
    lines = (place.full_name, place.location.address) if place else (area.full_name, area.address)
    return "".join(f"<br/>{escape(line)}" for line in lines if line)


@memoize
def _write_event(event: Event, language: LanguageCode) -> str:
    """Return what all occasions of an event share."""
    words = WORDS[language]
    by = f"{words.organizer}: {event.organizer.name}" if event.organizer else ""
    price = f"{words.price}: {event.price}" if event.price else ""
    return "".join(
        (
            _write_picture(event),
            _write_prose(event.intro.within(language)),
            _write_prose(event.description.within(language)),
            *(_write_paragraph(escape(line)) for line in (by, price)),
        )
    )


def _write_picture(event: Event) -> str:
    url = safe_url(event.image_url)
    if not url:
        return ""
    # The caption is no description of the picture, so it is shown below.
    return _write_paragraph(f'<img{write_attribute("src", url)} alt=""/>', escape(event.image_caption))


def _write_prose(text: str) -> str:
    if not text:
        return ""
    paragraphs = _BLANK_LINES.sub("</p><p>", escape(text)).replace("\n", "<br/>")
    return f"<p>{paragraphs}</p>"


def _write_paragraph(*lines: str) -> str:
    """Return lines of HTML as a paragraph; '' if all of them are empty."""
    written = "<br/>".join(filter(None, lines))
    return f"<p>{written}</p>" if written else ""
