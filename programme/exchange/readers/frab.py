"""Reads schedules in the frab format and its dialects (CCC, FOSDEM, pretalx, EMF), in XML and JSON."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.utils.translation import gettext as _

from programme.exchange.readers.fields import as_dict, as_dicts, as_list, read_document
from programme.exchange.values import Conference, Entry, Schedule, UnreadableFileError

_NOT_TEXT = "track uid room persons day end place location address coordinates text_language more"
TEXTS = frozenset(Entry.__struct_fields__) - set(_NOT_TEXT.split())
# The keys of a text that is an object, or of a person, in order of preference.
_NAMES = ("public_name", "full_public_name", "name", "title", "sv", "en")


def read_json(content: bytes) -> Schedule:
    schedule = as_dict(as_dict(read_document(content)).get("schedule"))
    conference = as_dict(schedule.get("conference"))
    if not conference:
        raise UnreadableFileError(_("it is JSON, but no schedule in the frab format"))
    if isinstance(schedule.get("events"), list):
        entries = _flat_entries(schedule["events"], conference)
    else:
        entries = _entries(conference)
    return Schedule(_conference(conference), tuple(entries))


def _conference(conference: dict[str, Any]) -> Conference:
    languages = as_list(conference.get("languages"))
    texts = {name: _text(conference.get(name)) for name in Conference.__struct_fields__}
    if not texts["language"]:
        default = _text(as_dict(conference.get("defaults")).get("language"))
        texts["language"] = default or (_text(languages[0]) if len(languages) == 1 else "")
    return Conference(**texts)


def _entries(conference: dict[str, Any]) -> Iterator[Entry]:
    for day in as_dicts(conference.get("days")):
        for room, events in as_dict(day.get("rooms")).items():
            for event in as_dicts(events):
                yield Entry(
                    **_texts(event),
                    track=_text(event.get("track")),
                    uid=_text(event.get("guid")),
                    room=room.strip() or _text(event.get("room")),
                    persons=tuple(map(_text, as_list(event.get("persons")))),
                    day=_text(day.get("date")),
                )


def _flat_entries(events: list[Any], conference: dict[str, Any]) -> Iterator[Entry]:
    tracks = {
        _text(track.get("slug")): _text(track.get("name")) for track in as_dicts(conference.get("tracks"))
    }
    for event in as_dicts(events):
        texts = _texts(event)
        track = event.get("track")
        slug = _text(as_dict(track).get("slug"))
        yield Entry(
            **{**texts, "date": texts["start"], "start": ""},
            track=tracks.get(slug) or _text(track) or slug,
            uid=_text(event.get("guid")),
            room=_text(event.get("room")),
            persons=tuple(map(_text, as_list(event.get("participants") or event.get("persons")))),
            end=_text(event.get("end")),
        )


def _texts(event: dict[str, Any]) -> dict[str, str]:
    texts = {name: _text(event.get(name)) for name in TEXTS}
    languages = ", ".join(filter(None, map(_text, as_list(event.get("language")))))
    texts |= {"language": languages or texts["language"]}
    return texts | {"url": _address(event.get("url")), "logo": _address(event.get("logo"))}


def _address(value: Any) -> str:
    return _text(as_dict(value).get("url")) if isinstance(value, dict) else _text(value)


def _text(value: Any) -> str:
    """Return a value as text: of an object its name, or its text in the first language it has."""
    if isinstance(value, dict):
        named = [value[name] for name in _NAMES if value.get(name)] or list(value.values())
        value = next((text for text in named if isinstance(text, str)), None)
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def read_xml(content: bytes) -> Schedule:
    """Return the schedule in an XML document, which may hold no DOCTYPE and no entities of its own."""
    root = _root(content)
    if _name(root) != "schedule":
        raise UnreadableFileError(_("its outermost element is <%(name)s>, not <schedule>"), name=_name(root))
    conference = next(iter(_children(root, "conference")), ())
    stated: dict[str, Any] = {_name(child): _full_text(child) for child in reversed(conference)}
    stated["days"] = [_to_day(day) for day in _children(root, "day")]
    return Schedule(_conference(stated), tuple(_entries(stated)))


def _to_day(day: Element) -> dict[str, Any]:
    """Return a day as JSON has it."""
    rooms: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for room in _children(day, "room"):
        rooms[room.get("name", "")] += map(_to_event, _children(room, "event"))
    return {"date": day.get("date"), "rooms": rooms}


def _to_event(event: Element) -> dict[str, Any]:
    children = {_name(child): child for child in reversed(event)}
    stated = event.attrib | {name: text for name, child in children.items() if (text := _full_text(child))}
    return stated | {"persons": list(map(_full_text, _children(children.get("persons"), "person")))}


def _root(content: bytes) -> Element:
    try:
        return fromstring(content, forbid_dtd=True)
    except DefusedXmlException:
        message = _("it holds a DOCTYPE or entities, which are not read for safety's sake")
        raise UnreadableFileError(message) from None
    except ParseError as error:
        line = error.position[0]
        raise UnreadableFileError(_("it is cut off or damaged (line %(line)s)"), line=line) from None
    except (ValueError, LookupError):
        raise UnreadableFileError(_("its encoding cannot be read: save it as UTF-8")) from None


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _children(element: Element | None, name: str) -> list[Element]:
    return [child for child in element if _name(child) == name] if element is not None else []


def _full_text(element: Element) -> str:
    return "".join(element.itertext())


_XML_BEGINS = (b"<", b"\xef\xbb\xbf<", b"\xff\xfe<", b"\xfe\xff\x00<")
_JSON_BEGINS = (b"{", b"[", b"\xef\xbb\xbf{", b"\xef\xbb\xbf[")


def is_frab(content: bytes, _ending: str = "") -> bool:
    return content.lstrip()[:8].startswith(_XML_BEGINS + _JSON_BEGINS)


def read_schedule(content: bytes, _defaults: Any = None) -> Schedule:
    """Return the schedule in a file's content, which has at least one event."""
    is_xml = content.lstrip()[:8].startswith(_XML_BEGINS)
    schedule = read_xml(content.lstrip()) if is_xml else read_json(content)
    if not schedule.entries:
        raise UnreadableFileError(_("it names no event"))
    return schedule
