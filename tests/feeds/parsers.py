"""Reads each format back with a parser that is not ours, as one dictionary of facts per occasion."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import bbcode
import feedparser
import html5lib
import icalendar
from lxml import etree

Facts = dict[str, Any]

ATOM = "{http://www.w3.org/2005/Atom}"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}"
DCTERMS = "{http://purl.org/dc/terms/}"
MEDIA = "{http://search.yahoo.com/mrss/}"
EXT = "{https://program.example/ns/programme}"
# A bracket that is no tag, as it is followed by an invisible character.
PLAIN_BRACKET = "[\u200b"


def parse_instant(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def parse_xml(body: bytes) -> Any:
    return etree.fromstring(body)


def read_children(element: Any) -> dict[str, str]:
    """Return the texts of an element's children by name; each name must stand once."""
    found = [(child.tag, child.text or "") for child in element]
    assert len(dict(found)) == len(found)
    return dict(found)


def read_extension_texts(element: Any) -> dict[str, str]:
    return {
        name.removeprefix(EXT): text for name, text in read_children(element).items() if name.startswith(EXT)
    }


def parse_atom(body: bytes) -> list[Facts]:
    return [
        {
            "id": entry.findtext(f"{ATOM}id"),
            "title": entry.findtext(f"{ATOM}title"),
            "intro": entry.findtext(f"{ATOM}summary") or "",
            "published": parse_instant(entry.findtext(f"{ATOM}published")),
            "modified": parse_instant(entry.findtext(f"{ATOM}updated")),
            "url": entry.find(f"{ATOM}link").get("href"),
            "category": entry.find(f"{ATOM}category").get("term"),
            "content": read_paragraphs(entry.findtext(f"{ATOM}content")),
            "picture": read_picture(entry),
            "ext": read_extension_texts(entry),
        }
        for entry in parse_xml(body).findall(f"{ATOM}entry")
    ]


def parse_rss(body: bytes) -> list[Facts]:
    return [
        {
            "id": item.findtext("guid"),
            "title": item.findtext("title"),
            "intro": "".join(parse_html(item.findtext("description")).itertext()),
            "dated": parsedate_to_datetime(item.findtext("pubDate")).astimezone(UTC),
            "modified": parse_instant(item.findtext(f"{DCTERMS}modified")),
            "url": item.findtext("link"),
            "category": item.findtext("category"),
            "content": read_paragraphs(item.findtext(f"{CONTENT}encoded")),
            "picture": read_picture(item),
            "ext": read_extension_texts(item),
        }
        for item in parse_xml(body).iter("item")
    ]


def read_picture(element: Any) -> str | None:
    picture = element.find(f"{MEDIA}content")
    return None if picture is None else str(picture.get("url"))


def read_paragraphs(content: str) -> list[list[str]]:
    """Return the paragraphs of a post as a browser shows them, each line a text, which is XML, too."""
    shown, parsed = parse_html(content), parse_xml(f"<div>{content}</div>".encode())
    found = [_read_lines(paragraph) for paragraph in shown]
    assert found == [_read_lines(paragraph) for paragraph in parsed]
    assert {paragraph.tag for paragraph in shown} == {"p"}
    return found


def _read_lines(paragraph: Any) -> list[str]:
    lines = [paragraph.text or ""]
    for child in paragraph:
        assert child.tag in ("a", "br", "img", "strong")
        if child.tag == "br":
            lines.append("")
        elif child.tag == "img":
            lines[-1] += f"picture {child.get('src')}"
        else:
            # An address that stands in the text is a link as it stands there.
            target = "" if child.get("rel") else f" {child.get('href', '')}".rstrip(" ")
            lines[-1] += "".join(child.itertext()) + target
        # As a browser shows it, a line break in the source is white space.
        lines[-1] += (child.tail or "").removeprefix("\n" if child.tag == "br" else "")
    return lines


def parse_feed(body: bytes) -> Any:
    """Return what feedparser reads; it finds nothing to complain of."""
    parsed = feedparser.parse(body)
    assert not parsed.bozo, parsed.get("bozo_exception")
    return parsed


def parse_feed_entries(body: bytes) -> list[Facts]:
    """Return what a feed reader shows: feedparser takes texts of RSS for HTML, so without texts."""
    return [
        {
            "id": entry.id,
            "url": entry.link,
            "category": entry.tags[0].term,
            "published": datetime(*entry.published_parsed[:6], tzinfo=UTC),
        }
        for entry in parse_feed(body).entries
    ]


def parse_calendar(body: bytes) -> icalendar.Calendar:
    parsed = icalendar.Calendar.from_ical(body)
    assert isinstance(parsed, icalendar.Calendar)
    return parsed


def parse_ics(body: bytes) -> list[Facts]:
    return [
        {
            "uid": str(event["UID"]),
            "title": str(event["SUMMARY"]),
            "description": str(event.get("DESCRIPTION", "")),
            "location": str(event.get("LOCATION", "")),
            "position": (geo.latitude, geo.longitude) if (geo := event.get("GEO")) else None,
            "categories": [str(category) for category in event["CATEGORIES"].cats],
            "start": event["DTSTART"].dt,
            "end": event["DTEND"].dt,
            "modified": event["DTSTAMP"].dt,
            "url": str(event["URL"]),
            "status": str(event["STATUS"]),
            "transparency": str(event["TRANSP"]),
        }
        for event in parse_calendar(body).walk("VEVENT")
    ]


def parse_jcal(calendar: list[Any]) -> list[Facts]:
    """Return the events of what ical.js has read, as jCal."""
    events = [component for component in calendar[2] if component[0] == "vevent"]
    return [_jcal_event({name: values for name, _parameters, _type, *values in each[1]}) for each in events]


def _jcal_event(properties: dict[str, list[Any]]) -> Facts:
    return {
        "uid": properties["uid"][0],
        "title": properties["summary"][0],
        "description": properties.get("description", [""])[0],
        "location": properties.get("location", [""])[0],
        "position": tuple(geo[0]) if (geo := properties.get("geo")) else None,
        "categories": properties["categories"],
        "start": parse_instant(properties["dtstart"][0]),
        "end": parse_instant(properties["dtend"][0]),
        "modified": parse_instant(properties["dtstamp"][0]),
        "url": properties["url"][0],
        "status": properties["status"][0],
        "transparency": properties["transp"][0],
    }


def parse_html(html: str) -> Any:
    """Return what a browser makes of a fragment, in a `body` without namespaces."""
    return html5lib.parseFragment(html, namespaceHTMLElements=False)


def parse_qx1(body: bytes) -> list[Facts]:
    (division,) = parse_html(body.decode()).iter("div")
    return [_paragraph(paragraph) for paragraph in division]


def _paragraph(paragraph: Any) -> Facts:
    strong, link, *rest = paragraph
    struck = [child.tag for child in link]
    return {
        "start": strong.text,
        "url": link.get("href"),
        "target": link.get("target"),
        "rel": link.get("rel"),
        "title": "".join(link.itertext()),
        "struck": struck,
        "class": paragraph.get("class"),
        "lines": [child.tail for child in rest if child.tag == "br"],
    }


def _bbcode_parser() -> bbcode.Parser:
    parser = bbcode.Parser(newline="\n", replace_cosmetic=False, replace_links=False)
    # Inside tags it would still make ellipses of dots, and the like.
    for _render, options in parser.recognized_tags.values():
        options.replace_cosmetic = options.replace_links = False
    return parser


def parse_bbcode(body: bytes) -> list[Facts]:
    html = _bbcode_parser().format(body.decode()).replace(PLAIN_BRACKET, "[")
    return [_block(block) for block in html.removesuffix("\n").split("\n\n")] if html else []


def _block(html: str) -> Facts:
    first, *lines = html.split("\n")
    strong, link = parse_html(first)
    return {
        "time_span": strong.text,
        "url": link.get("href"),
        "title": "".join(link.itertext()),
        "lines": [_line(line) for line in lines],
    }


def _line(html: str) -> tuple[list[str], str]:
    """Return the tags and the text of a line."""
    parsed = parse_html(html)
    return [child.tag for child in parsed], "".join(parsed.itertext())


def parse_json(body: bytes) -> list[dict[str, Any]]:
    parsed: list[dict[str, Any]] = json.loads(body)
    return parsed


# Parsers of the formats that can be read back.
PARSERS: dict[str, Callable[[bytes], list[Facts]]] = {
    "json": lambda body: [{"url": event["occation"]["url"]["sv"]} for event in parse_json(body)],
    "atom": parse_atom,
    "rss": parse_rss,
    "rss-wp": parse_rss,
    "ics": parse_ics,
    "ics-text": parse_ics,
    "bbcode": parse_bbcode,
    "qx1": parse_qx1,
}


def _count_in_schedule(body: bytes) -> int:
    days = json.loads(body)["schedule"]["conference"]["days"]
    return sum(len(events) for day in days for events in day["rooms"].values())


# By extension: counts the occasions of a document.
COUNTS: dict[str, Callable[[bytes], int]] = {
    "json": lambda body: len(json.loads(body)),
    "atom": lambda body: len(parse_xml(body).findall(f"{ATOM}entry")),
    **dict.fromkeys(("rss", "rss-wp"), lambda body: len(parse_xml(body).findall("channel/item"))),
    **dict.fromkeys(("ics", "ics-text"), lambda body: len(parse_calendar(body).walk("VEVENT"))),
    "bbcode": lambda body: len(re.findall(rb"^\[b\]\S+\[/b\] \[url=", body, re.MULTILINE)),
    "qx1": lambda body: len(re.findall(rb"^<p[ >]", body, re.MULTILINE)),
    "frab-xml": lambda body: len(parse_xml(body).findall("day/room/event")),
    "frab-json": _count_in_schedule,
    "csv": lambda body: body.count(b"\r\n") - 1,
}
