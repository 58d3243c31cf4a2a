"""What posts and entries hold of an occasion, in HTML that is safe, and well-formed XML, too.

It holds nothing of the clock, so that a blog that imports it sees no change where none was made.
"""

import re
from collections.abc import Iterator
from html import unescape
from xml.sax.saxutils import escape, quoteattr

from feeds.links import safe_url
from feeds.memoization import memoize
from feeds.vocabulary import Event, LanguageCode, Occasion, Site
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
    change = format_change(occasion, language)
    url = quoteattr(site.occasion_url(occasion.identity, language))
    return "".join(
        (
            _write_paragraph(f"<strong>{escape(change)}</strong>") if change else "",
            _write_paragraph(*map(escape, _list_time_and_place(occasion, site, language))),
            _write_event(occasion.event, language),
            _write_paragraph(f"<a href={url}>{WORDS[language].read_more}</a>"),
        )
    )


def _list_time_and_place(occasion: Occasion, site: Site, language: LanguageCode) -> Iterator[str]:
    yield format_full_span(site.time.span(occasion.start, occasion.end), language)
    if place := occasion.place:
        yield place.full_name
        yield place.location.address
    else:
        yield occasion.event.area.full_name
        yield occasion.event.area.address


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
    # The caption is no description of the picture, so it is shown below.
    return _write_paragraph(f'<img src={quoteattr(url)} alt=""/>', escape(event.image_caption)) if url else ""


def _write_prose(text: str) -> str:
    return "".join(_write_paragraph(*escape(part).split("\n")) for part in _BLANK_LINES.split(text) if part)


def _write_paragraph(*lines: str) -> str:
    """Return lines of HTML as a paragraph; '' if all of them are empty."""
    written = "<br/>".join(filter(None, lines))
    return f"<p>{written}</p>" if written else ""
