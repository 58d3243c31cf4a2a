"""Counts the occasions of each format, with a parser that the service does not write it with."""

import json
import re
from collections.abc import Callable

from defusedxml import ElementTree
from icalendar import Calendar

_ATOM = "{http://www.w3.org/2005/Atom}"
_BBCODE = re.compile(rb"^\[b\]\S+\[/b\] \[url=", re.MULTILINE)
_HTML = re.compile(rb"^<p[ >]", re.MULTILINE)


def _in_xml(root: str, path: str) -> Callable[[bytes], int]:
    """Return what counts the elements of a path below a root element."""

    def count(body: bytes) -> int:
        parsed = ElementTree.fromstring(body)
        if parsed.tag != root:
            raise ValueError(f"<{parsed.tag}>")
        return len(parsed.findall(path))

    return count


def _in_calendar(body: bytes) -> int:
    return len(Calendar.from_ical(body).walk("VEVENT"))


def _in_schedule(body: bytes) -> int:
    days = json.loads(body)["schedule"]["conference"]["days"]
    return sum(len(events) for day in days for events in day["rooms"].values())


# By extension.
COUNTS: dict[str, Callable[[bytes], int]] = {
    "json": lambda body: len(json.loads(body)),
    "atom": _in_xml(f"{_ATOM}feed", f"{_ATOM}entry"),
    **dict.fromkeys(("rss", "rss-wp"), _in_xml("rss", "channel/item")),
    **dict.fromkeys(("ics", "ics-text"), _in_calendar),
    "bbcode": lambda body: len(_BBCODE.findall(body)),
    "qx1": lambda body: len(_HTML.findall(body)),
    "frab-xml": _in_xml("schedule", "day/room/event"),
    "frab-json": _in_schedule,
}
