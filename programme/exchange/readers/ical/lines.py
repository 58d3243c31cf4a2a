"""The lines of an iCalendar file (RFC 5545, section 3.1) as components that know where they stand."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils.translation import gettext as _

from programme.exchange.values import UnreadableFileError

_LINE_END = re.compile("\r*\n|\r")
_NAME = re.compile(r"\s*([A-Za-z0-9-]+)\s*(?=[;:])")
# The name and the value of a parameter; a value in quotes may hold what divides the rest.
_PARAMETER = re.compile(r';\s*([A-Za-z0-9-]+)\s*=((?:"[^"]*"|[^";:])*)')
_ESCAPE = re.compile(r"\\([\\;,nN])")
# RFC 6868: what a value in quotes cannot hold.
_CARET = re.compile(r"\^([\^n'])")
_CARETS = {"^": "^", "n": "\n", "'": '"'}
_COMMA = re.compile(r"((?:\\.|[^,\\])*)(?:,|$)", re.DOTALL)
_BYTE_ORDER_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


class Property(NamedTuple):
    """One property of a component; the names of it and of its parameters are in capitals."""

    name: str
    parameters: dict[str, str]
    value: str
    line: int

    @property
    def text(self) -> str:
        """The value as text (section 3.3.11)."""
        return unescaped(self.value)

    @property
    def texts(self) -> list[str]:
        """The value as a list of texts, without those that are empty."""
        parts = (unescaped(match[1]).strip() for match in _COMMA.finditer(self.value))
        return [part for part in parts if part]


@dataclass
class Component:
    """A component: its properties in the file's order, and the components inside it."""

    name: str
    line: int
    properties: list[Property] = field(default_factory=list)
    components: list["Component"] = field(default_factory=list)

    def all(self, name: str) -> list[Property]:
        """Return the properties of a name."""
        return [each for each in self.properties if each.name == name]

    def first(self, name: str) -> Property | None:
        """Return the first property of a name that has a value."""
        return next((each for each in self.properties if each.name == name and each.value.strip()), None)

    def text(self, name: str) -> str:
        """Return the text of the first property of a name, '' where there is none."""
        stated = self.first(name)
        return stated.text if stated else ""


def unescaped(value: str) -> str:
    """Return a text without its escapes; a backslash that begins none stays."""
    return _ESCAPE.sub(lambda escape: "\n" if escape[1] in "nN" else escape[1], value)


def read_calendars(content: bytes) -> list[Component]:
    """Return the calendars of a file, each of which has come to its end."""
    root = Component("", 0)
    open_components = [root]
    for line, text in _unfolded(_decoded(content)):
        name = _NAME.match(text)
        if not name:
            _continue(open_components[-1], text)
            continue
        each = _property(name[1].upper(), text[name.end() :], line)
        if each.name == "BEGIN":
            component = Component(each.value.strip().upper(), line)
            open_components[-1].components.append(component)
            open_components.append(component)
        elif each.name == "END":
            _end(open_components, each)
        else:
            open_components[-1].properties.append(each)
    if len(open_components) > 1:
        opened = open_components[-1]
        raise UnreadableFileError(
            _("it is cut off: the %(name)s of line %(line)d does not end")
            % {"name": opened.name, "line": opened.line}
        )
    return root.components


def _decoded(content: bytes) -> str:
    try:
        return content.decode(_BYTE_ORDER_MARKS.get(content[:2], "utf-8-sig"))
    except UnicodeDecodeError:
        # What Windows writes where it does not write UTF-8; what that leaves open is no letter.
        return content.decode("cp1252", errors="replace")


def _unfolded(text: str) -> Iterator[tuple[int, str]]:
    """Yield each content line with the number, from 1, of the line that it begins in."""
    begins, parts = 0, list[str]()
    for number, line in enumerate(_LINE_END.split(text), start=1):
        if parts and line[:1] in {" ", "\t"}:
            parts.append(line[1:])
        elif line.strip():
            if parts:
                yield begins, "".join(parts)
            begins, parts = number, [line]
    if parts:
        yield begins, "".join(parts)


def _property(name: str, rest: str, line: int) -> Property:
    """Return a property of what follows its name: its parameters, a colon, and its value."""
    parameters, place = {}, 0
    while match := _PARAMETER.match(rest, place):
        parameters[match[1].upper()] = _CARET.sub(_plain, match[2].strip().strip('"'))
        place = match.end()
    value = rest[place:].lstrip(" ;").removeprefix(":")
    last = next(reversed(parameters), "")
    if not value and ":" in parameters.get(last, ""):
        # Exchange: a quote that ends at the end of the line, TZID="W. Europe Standard Time:20200609T090000".
        parameters[last], _colon, value = parameters[last].rpartition(":")
    return Property(name, parameters, value, line)


def _plain(caret: re.Match[str]) -> str:
    return _CARETS[caret[1]]


def _continue(component: Component, text: str) -> None:
    """Take a line that is no property for one that should have been folded."""
    if component.properties:
        last = component.properties.pop()
        component.properties.append(last._replace(value=f"{last.value}\\n{text}"))


def _end(open_components: list[Component], end: Property) -> None:
    opened = open_components[-1]
    if opened.name != end.value.strip().upper():
        raise UnreadableFileError(
            _("it is damaged: line %(line)d ends %(ended)s inside of %(name)s")
            % {"line": end.line, "ended": end.value.strip()[:40] or "?", "name": opened.name or "?"}
        )
    open_components.pop()
