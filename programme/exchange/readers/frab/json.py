"""Reads schedules in JSON: frab's own, pretalx's, and the draft of version 2 with its flat list of events."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from programme.exchange.readers.json_document import as_dict, as_list, read_document
from programme.exchange.values import Conference, Entry, Schedule, UnreadableFileError

_NOT_TEXT = "track uid room persons day end place location address text_language more"
TEXTS = frozenset(Entry.__struct_fields__) - set(_NOT_TEXT.split())
# The keys of a text that is an object, or of a person, in order of preference.
_NAMES = ("public_name", "full_public_name", "name", "title", "sv", "en")


def read_json(content: bytes) -> Schedule:
    schedule = as_dict(as_dict(read_document(content)).get("schedule"))
    conference = as_dict(schedule.get("conference"))
    if not conference:
        raise UnreadableFileError(
            _(
                "it is JSON, but neither a frab schedule, events of the Linked Events API "
                "nor another service's events.json"
            )
        )
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
    for day in map(as_dict, as_list(conference.get("days"))):
        for room, events in as_dict(day.get("rooms")).items():
            for event in map(as_dict, as_list(events)):
                yield _entry(event, room, day)


def _entry(event: dict[str, Any], room: str, day: dict[str, Any]) -> Entry:
    return Entry(
        **_texts(event),  # type: ignore[arg-type]
        track=_text(event.get("track")),
        uid=_text(event.get("guid")),
        room=room.strip() or _text(event.get("room")),
        persons=_persons(event.get("persons")),
        day=_text(day.get("date")),
    )


def _flat_entries(events: list[Any], conference: dict[str, Any]) -> Iterator[Entry]:
    tracks = {
        _text(track.get("slug")): _text(track.get("name"))
        for track in map(as_dict, as_list(conference.get("tracks")))
    }
    for event in map(as_dict, events):
        texts = _texts(event)
        track = event.get("track")
        slug = _text(as_dict(track).get("slug"))
        yield Entry(
            **{**texts, "date": texts["start"], "start": ""},  # type: ignore[arg-type]
            track=tracks.get(slug) or _text(track) or slug,
            uid=_text(event.get("guid")),
            room=_text(event.get("room")),
            persons=_persons(event.get("participants") or event.get("persons")),
            end=_text(event.get("end")),
        )


def _texts(event: dict[str, Any]) -> dict[str, str]:
    texts = {name: _text(event.get(name)) for name in TEXTS}
    languages = ", ".join(filter(None, map(_text, as_list(event.get("language")))))
    texts |= {"language": languages or texts["language"]}
    return texts | {"url": _address(event.get("url")), "logo": _address(event.get("logo"))}


def _persons(persons: Any) -> tuple[str, ...]:
    return tuple(_text(person) for person in as_list(persons))


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
