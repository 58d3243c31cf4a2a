"""Parses the lines of an iCalendar file (RFC 5545, section 3.1) into components that know their line.

Not icalendar's parser: it knows no lines to report, drops text after a missing fold, takes a file that is
cut off for whole, and keeps the time zones of each file for all files after it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape as decode_entity
from typing import NamedTuple

from django.utils.translation import gettext as _

from programme.exchange.text.lines import decode_text
from programme.exchange.time_limit import check_time
from programme.exchange.values import UnreadableFileError
from programme.models.cleaning import clean_line

_BEGIN = re.compile(rb"\s*(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*BEGIN\s*:", re.IGNORECASE)
_LINE_END = re.compile("(?<!\r)\r*\n|\r")
_NAME = re.compile(r"\s*([A-Za-z0-9-]+)\s*(?=[;:])")
# The name and the value of a parameter; a quoted value may hold the separators.
_PARAMETER = re.compile(r';\s*([A-Za-z0-9-]+)\s*=((?:"[^"]*"|[^";:])*)')
_ESCAPE = re.compile(r"\\([\\;,nN])")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_COMMA = re.compile(r"(?<!\\),")


class Property(NamedTuple):
    """A property of a component; its name and the names of its parameters are in capitals."""

    name: str
    parameters: dict[str, str]
    value: str
    line: int

    @property
    def text(self) -> str:
        """The value as text (section 3.3.11)."""
        return unescape(self.value)

    @property
    def texts(self) -> list[str]:
        """The value as a list of texts, without empty ones."""
        parts = (unescape(part).strip() for part in _COMMA.split(self.value))
        return list(filter(None, parts))


@dataclass
class Component:
    """A component: its properties and components in the file's order."""

    name: str
    line: int
    properties: list[Property] = field(default_factory=list)
    components: list["Component"] = field(default_factory=list)
    # Lines that are no properties, below the last one: they should have been folded.
    more: list[str] = field(default_factory=list)

    def complete(self) -> None:
        """Add the lines that should have been folded to the last property."""
        if self.more and self.properties:
            last = self.properties.pop()
            self.properties.append(last._replace(value="\\n".join((last.value, *self.more))))
        self.more.clear()

    def find_all(self, name: str) -> list[Property]:
        """Return the properties of a name that have a value."""
        return [each for each in self.properties if each.name == name and each.value.strip()]

    def find(self, name: str) -> Property | None:
        return next(iter(self.find_all(name)), None)

    def text(self, name: str) -> str:
        """Return the text of the first property of a name, '' without one."""
        found = self.find(name)
        return found.text if found else ""

    @property
    def place(self) -> str:
        return _("line %(line)d") % {"line": self.line}

    @property
    def label(self) -> str:
        title = clean_line(decode_entities(self.text("SUMMARY")))
        return f"{title} ({self.place})" if title else self.place

    def keyword(self, name: str) -> str:
        """Return the first property of a name as a word in capitals."""
        return self.text(name).strip().upper()


def is_calendar(content: bytes, _ending: str = "") -> bool:
    return _BEGIN.match(content[:200].replace(b"\0", b"")) is not None


def unescape(value: str) -> str:
    """Return a text without its escapes; any other backslash stays."""
    return _ESCAPE.sub(lambda escape: "\n" if escape[1] in "nN" else escape[1], value)


def decode_entities(text: str) -> str:
    """Return a line as people read it: calendars of websites hold what their pages do, `Rock &amp; pop`."""
    return _ENTITY.sub(lambda entity: decode_entity(entity[0]), text)


def parse_calendars(content: bytes) -> list[Component]:
    """Return the calendars of a file, each of which is complete."""
    root = Component("", 0)
    stack = [root]
    for line, text in _unfold(decode_text(content)):
        check_time()
        name = _NAME.match(text)
        if not name:
            stack[-1].more.append(text)
            continue
        each = _parse_property(name[1].upper(), text[name.end() :], line)
        if each.name == "BEGIN":
            component = Component(each.value.strip().upper(), line)
            stack[-1].components.append(component)
            stack.append(component)
        elif each.name == "END":
            _close(stack, each.value.strip(), line)
        else:
            stack[-1].complete()
            stack[-1].properties.append(each)
    if len(stack) > 1:
        message = _("it is cut off: the %(name)s of line %(line)d does not end")
        raise UnreadableFileError(message % {"name": stack[-1].name, "line": stack[-1].line})
    calendars = [each for each in root.components if each.name == "VCALENDAR"]
    if not calendars:
        raise UnreadableFileError(_("it holds no calendar"))
    return calendars


def _unfold(text: str) -> Iterator[tuple[int, str]]:
    """Yield each content line with the number, from 1, of its first line."""
    begin, parts = 0, list[str]()
    for number, line in enumerate(_LINE_END.split(text), start=1):
        if parts and line[:1] in {" ", "\t"}:
            parts.append(line[1:])
        elif line.strip():
            if parts:
                yield begin, "".join(parts)
            begin, parts = number, [line]
    if parts:
        yield begin, "".join(parts)


def _parse_property(name: str, rest: str, line: int) -> Property:
    """Return a property of the text after its name: parameters, a colon, and a value."""
    parameters, place = {}, 0
    while match := _PARAMETER.match(rest, place):
        parameters[match[1].upper()] = match[2].strip().strip('"')
        place = match.end()
    value = rest[place:].lstrip(" ;").removeprefix(":")
    last = next(reversed(parameters), "")
    if not value and ":" in parameters.get(last, ""):
        # Exchange closes the quote at the end of the line: TZID="W. Europe Standard Time:20200609T090000".
        parameters[last], _colon, value = parameters[last].rpartition(":")
    return Property(name, parameters, value, line)


def _close(stack: list[Component], name: str, line: int) -> None:
    if stack[-1].name != name.upper():
        raise UnreadableFileError(
            _("it is damaged: line %(line)d ends %(ended)s inside of %(name)s")
            % {"line": line, "ended": name[:40] or "?", "name": stack[-1].name or "?"}
        )
    stack.pop().complete()
