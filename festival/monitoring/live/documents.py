"""Reads each format with parsers that are not the service's own, and says what it should hold by the JSON.

Each occasion is a tuple whose first value is its address; a document is a list of them, in order.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from html.parser import HTMLParser
from itertools import chain
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element as XmlElement
from zoneinfo import ZoneInfo

from defusedxml import ElementTree
from icalendar import Calendar

ATOM = "{http://www.w3.org/2005/Atom}"
# What stands behind the brackets of a text in BBCode, so that they open no tag.
_PLAIN = str.maketrans({"\u200b": None})

Row = tuple[str, ...]


class Element(NamedTuple):
    """An occasion in the JSON: address in the document's language, title, span in words, clock times."""

    id: int
    url: str
    title: str
    span: str
    date: str
    start: str
    end: str
    modified: datetime
    language: str
    is_cancelled: bool


class DocumentError(Exception):
    """A document is not what its format says."""


def read_json(body: bytes, language: str) -> list[Element]:
    """Raises DocumentError."""
    try:
        return [_read_element(each, language) for each in json.loads(body)]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DocumentError(_describe(error)) from None


def _read_element(event: Any, language: str) -> Element:
    occasion = event["occation"]
    texts = [occasion["url"][language], event["title"], occasion["timeSpan"], occasion["date"]]
    texts += [occasion["startTime"], occasion["endTime"], event["lastModified"]]
    if not all(isinstance(each, str) for each in texts):
        raise TypeError(f"a text is missing in occasion {occasion['id']}")
    url, title, span, date, start, end, modified = texts
    return Element(
        *(int(occasion["id"]), url, title, span, date, start[:5], end[:5]),
        *(datetime.fromisoformat(modified), language, bool(event["cancelled"])),
    )


def read_areas(body: bytes) -> dict[str, int]:
    """Return the number of occasions of each area; raises DocumentError."""
    try:
        return {str(each["name"]): int(each["occationCount"]) for each in json.loads(body)}
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DocumentError(_describe(error)) from None


def read_programme(body: bytes, language: str) -> list[Row]:
    """Return its occasions as `expect_occasion` has them; raises DocumentError."""
    try:
        document = json.loads(body)
        titles = {each["id"]: each["title"] for each in document["events"]}
        urls = document["festival"]["occasionUrl"]
        return [
            (
                str((each["url"] or urls)[language]).replace("{id}", str(each["id"])),
                str(titles[each["eventID"]]),
                f"{each['startsAt'][:16]} {each['endsAt'][11:16]}{' X' if each['cancelled'] else ''}",
            )
            for each in document["occasions"]
        ]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DocumentError(_describe(error)) from None


def expect_occasion(each: Element) -> Row:
    return each.url, each.title, f"{each.date}T{each.start} {each.end}{' X' if each.is_cancelled else ''}"


def read_atom(body: bytes, _zone: ZoneInfo) -> list[Row]:
    root = _parse_xml(body, f"{ATOM}feed")
    return [_read_entry(each) for each in root.findall(f"{ATOM}entry")]


def _read_entry(entry: XmlElement) -> Row:
    links = [each.get("href", "") for each in entry.findall(f"{ATOM}link") if each.get("rel") == "alternate"]
    return links[0] if links else "", entry.findtext(f"{ATOM}title", "")


def read_rss(body: bytes, _zone: ZoneInfo) -> list[Row]:
    root = _parse_xml(body, "rss")
    items = root.findall("channel/item")
    return [(each.findtext("link", ""), each.findtext("title", "")) for each in items]


def read_rss_wp(body: bytes, zone: ZoneInfo) -> list[Row]:
    return [(url,) for url, _title in read_rss(body, zone)]


def _parse_xml(body: bytes, root: str) -> XmlElement:
    parsed: XmlElement = ElementTree.fromstring(body)
    if parsed.tag != root:
        raise DocumentError(f"<{parsed.tag}>")
    return parsed


def read_calendar(body: bytes, zone: ZoneInfo) -> list[Row]:
    calendar = Calendar.from_ical(body)
    rows: list[Row] = []
    for event in calendar.walk("VEVENT"):
        start, end = (event.decoded(name).astimezone(zone) for name in ("DTSTART", "DTEND"))
        if not str(event.get("UID", "")):
            raise DocumentError("VEVENT without UID")
        rows.append((str(event["URL"]), str(event["SUMMARY"]), f"{start:%Y-%m-%d %H:%M}", f"{end:%H:%M}"))
    return rows


def read_uids(body: bytes) -> dict[str, str]:
    """Return the UIDs of a calendar's occasions by their addresses."""
    return {str(each["URL"]): str(each["UID"]) for each in Calendar.from_ical(body).walk("VEVENT")}


# --- Schedules for conference apps --------------------------------------------------------------

CANCELLED = {"sv": "[INSTÄLLT] ", "en": "[CANCELLED] "}


class ScheduleEvent(NamedTuple):
    url: str
    guid: str
    title: str
    begins: str

    @property
    def row(self) -> Row:
        return self.url, self.title, self.begins[:16].replace("T", " ")


def _read_schedule_xml(body: bytes) -> Iterator[ScheduleEvent]:
    for event in _parse_xml(body, "schedule").findall("day/room/event"):
        texts = [event.findtext(name, "") for name in ("title", "date")]
        yield ScheduleEvent(event.findtext("url", ""), event.get("guid", ""), *texts)


def _read_schedule_json(body: bytes) -> Iterator[ScheduleEvent]:
    for day in json.loads(body)["schedule"]["conference"]["days"]:
        for event in chain.from_iterable(day["rooms"].values()):
            yield ScheduleEvent(*(str(event[name]) for name in ("url", "guid", "title", "date")))


def _expect_event(each: Element) -> Row:
    title = f"{CANCELLED[each.language] if each.is_cancelled else ''}{each.title}"
    return each.url, title, f"{each.date} {each.start}"


def _schedule(media_type: str, read_events: Callable[[bytes], Iterable[ScheduleEvent]]) -> "Document":
    return Document(
        (media_type,),
        lambda body, _zone: [each.row for each in read_events(body)],
        _expect_event,
        lambda body: {each.url: each.guid for each in read_events(body)},
        is_grouped=True,
    )


# --- Texts --------------------------------------------------------------------------------------

_BLOCK = re.compile(r"^\[b\](\S+?)–(\S+?)\[/b\] \[url=([^\]]+)\](.*?)\[/url\]$", re.MULTILINE)


def read_bbcode(body: bytes, _zone: ZoneInfo) -> list[Row]:
    text = body.decode()
    rows: list[Row] = [
        (url.replace("%5B", "[").replace("%5D", "]"), title.translate(_PLAIN), start, end)
        for start, end, url, title in _BLOCK.findall(text)
    ]
    if text.strip() and not rows:
        raise DocumentError(text.strip().partition("\n")[0][:80])
    return rows


class _ListParser(HTMLParser):
    """Collects start, address and title of each paragraph of the HTML list."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[dict[str, str]] = []
        self.is_list = False
        self._part = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "div":
            self.is_list |= values.get("class") == "event-list"
        elif tag == "p":
            self.rows.append({"a": "", "strong": "", "href": ""})
        elif tag in ("strong", "a") and self.rows:
            self._part = tag
            self.rows[-1]["href"] = values.get("href") or self.rows[-1]["href"]

    def handle_endtag(self, tag: str) -> None:
        if tag == self._part:
            self._part = ""

    def handle_data(self, data: str) -> None:
        if self._part:
            self.rows[-1][self._part] += data


def read_html_list(body: bytes, _zone: ZoneInfo) -> list[Row]:
    parser = _ListParser()
    parser.feed(body.decode())
    parser.close()
    if not parser.is_list:
        raise DocumentError("no <div class=event-list>")
    return [(each["href"], each["a"], each["strong"]) for each in parser.rows]


class Document(NamedTuple):
    """How a format is read, and what each of its occasions should be."""

    media_types: tuple[str, ...]
    read: Callable[[bytes, ZoneInfo], list[Row]]
    expect: Callable[[Element], Row]
    # Returns the identifiers of occasions by their addresses.
    identify: Callable[[bytes], dict[str, str]] | None = None
    # Whether its occasions are by day and room, in another order than the JSON's.
    is_grouped: bool = False


def _timed_title(each: Element) -> Row:
    return each.url, f"{each.span} {each.title}"


def _plain_title(each: Element) -> str:
    return each.title.replace("\n", " ").translate(_PLAIN)


CALENDAR = Document(
    ("text/calendar",),
    read_calendar,
    lambda each: (each.url, each.title, f"{each.date} {each.start}", each.end),
    read_uids,
)
DOCUMENTS = {
    "atom": Document(("application/atom+xml",), read_atom, _timed_title),
    "rss": Document(("application/rss+xml",), read_rss, _timed_title),
    "rss-wp": Document(
        ("application/rss+xml", "application/rss+xml+wp"), read_rss_wp, lambda each: (each.url,)
    ),
    "ics": CALENDAR,
    "bbcode": Document(
        ("text/plain",), read_bbcode, lambda each: (each.url, _plain_title(each), each.start, each.end)
    ),
    "qx1": Document(("text/html",), read_html_list, lambda each: (each.url, each.title, each.start)),
    "frab-xml": _schedule("application/xml", _read_schedule_xml),
    "frab-json": _schedule("application/json", _read_schedule_json),
}


def read(document: Document, body: bytes, zone: ZoneInfo) -> list[Row]:
    """Return the occasions of a document; raises DocumentError for whatever is not one."""
    try:
        return document.read(body, zone)
    except DocumentError:
        raise
    except Exception as error:  # noqa: BLE001
        # Parsers raise whatever garbage leads to.
        raise DocumentError(_describe(error)) from None


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"[:200]
