"""Reads schedules in XML: frab, pretalx, and the older pentabarf dialect."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.utils.translation import gettext as _

from programme.exchange.readers.frab.json import TEXTS
from programme.exchange.values import Conference, Entry, Schedule, UnreadableFileError


def read_xml(content: bytes) -> Schedule:
    """Return the schedule in an XML document, which may hold no DOCTYPE and no entities of its own."""
    root = _root(content)
    if _name(root) != "schedule":
        raise UnreadableFileError(
            _("its outermost element is <%(name)s>, not <schedule>") % {"name": _name(root)}
        )
    return Schedule(_conference(root), tuple(_entries(root)))


def _root(content: bytes) -> Element:
    try:
        return fromstring(content, forbid_dtd=True)
    except DefusedXmlException:
        raise UnreadableFileError(
            _("it holds a DOCTYPE or entities, which are not read for safety's sake")
        ) from None
    except ParseError as error:
        message = _("it is cut off or damaged (line %(line)s)") % {"line": error.position[0]}
        raise UnreadableFileError(message) from None
    except (ValueError, LookupError):
        raise UnreadableFileError(_("its encoding cannot be read: save it as UTF-8")) from None


def _conference(root: Element) -> Conference:
    conference = _child(root, "conference")
    if conference is None:
        return Conference()
    return Conference(**{name: _text(conference, name) for name in Conference.__struct_fields__})


def _entries(root: Element) -> Iterator[Entry]:
    for day in _children(root, "day"):
        for room in _children(day, "room"):
            for event in _children(room, "event"):
                yield _entry(event, day, room)


def _entry(event: Element, day: Element, room: Element) -> Entry:
    children = {_name(child): child for child in reversed(event)}
    stated = event.attrib | {name: text for name, child in children.items() if (text := _full_text(child))}
    return Entry(
        **{name: stated.get(name, "") for name in {*TEXTS, "track"}},  # type: ignore[arg-type]
        uid=stated.get("guid", ""),
        room=room.get("name", "").strip() or stated.get("room", ""),
        persons=tuple(_full_text(person) for person in _children(children.get("persons"), "person")),
        day=day.get("date", ""),
    )


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _children(element: Element | None, name: str) -> list[Element]:
    return [child for child in element if _name(child) == name] if element is not None else []


def _child(element: Element, name: str) -> Element | None:
    return next(iter(_children(element, name)), None)


def _text(element: Element, name: str) -> str:
    child = _child(element, name)
    return "" if child is None else _full_text(child)


def _full_text(element: Element) -> str:
    return "".join(element.itertext())
