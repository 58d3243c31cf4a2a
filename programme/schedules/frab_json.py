"""Schedules in JSON: frab's own, pretalx's, and the draft of version 2 with its flat list of events."""

import json
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from programme.schedules.values import Conference, Entry, NotASchedule, Schedule

_NO_TEXTS = "track room persons day end place location address text_language more"
_TEXTS = frozenset(Entry.__struct_fields__) - set(_NO_TEXTS.split())
# Where a text is an object: in which order its languages, or the names of a person, are looked for.
_NAMES = ("public_name", "full_public_name", "name", "title", "sv", "en")


def read_json(content: bytes) -> Schedule:
    """Return the schedule in a JSON document."""
    schedule = _dict(_dict(_document(content)).get("schedule"))
    conference = _dict(schedule.get("conference"))
    if not conference:
        raise NotASchedule(_("it has no conference inside a schedule"))
    if isinstance(schedule.get("events"), list):
        entries = _flat_entries(schedule["events"], conference)
    else:
        entries = _entries(conference)
    return Schedule(_conference(conference), tuple(entries))


def _document(content: bytes) -> Any:
    try:
        # Python's own reader takes half surrogate pairs, which some producers leave of an emoji that
        # they cut in two; cleaning removes them.
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise NotASchedule(_("its encoding cannot be read (%(error)s)") % {"error": error}) from None
    except (ValueError, RecursionError) as error:
        raise NotASchedule(_("it is cut off or damaged (%(error)s)") % {"error": error}) from None


def _conference(conference: dict[str, Any]) -> Conference:
    languages = _list(conference.get("languages"))
    return Conference(
        title=_text(conference.get("title")),
        acronym=_text(conference.get("acronym")),
        venue=_text(conference.get("venue")),
        language=_text(
            conference.get("language")
            or _dict(conference.get("defaults")).get("language")
            or (languages[0] if len(languages) == 1 else "")
        ),
        time_zone_name=_text(conference.get("time_zone_name")),
        day_change=_text(conference.get("day_change")),
    )


def _entries(conference: dict[str, Any]) -> Iterator[Entry]:
    for day in map(_dict, _list(conference.get("days"))):
        for room, events in _dict(day.get("rooms")).items():
            for event in map(_dict, _list(events)):
                yield _entry(event, room, day)


def _entry(event: dict[str, Any], room: str, day: dict[str, Any]) -> Entry:
    return Entry(
        **_texts(event),  # type: ignore[arg-type]
        track=_text(event.get("track")),
        room=room.strip() or _text(event.get("room")),
        persons=_persons(event.get("persons")),
        day=_text(day.get("date")),
    )


def _flat_entries(events: list[Any], conference: dict[str, Any]) -> Iterator[Entry]:
    tracks = {
        _text(track.get("slug")): _text(track.get("name"))
        for track in map(_dict, _list(conference.get("tracks")))
    }
    for event in map(_dict, events):
        texts = _texts(event)
        track = event.get("track")
        slug = _text(_dict(track).get("slug"))
        yield Entry(
            **{**texts, "date": texts["start"], "start": ""},  # type: ignore[arg-type]
            track=tracks.get(slug) or _text(track) or slug,
            room=_text(event.get("room")),
            persons=_persons(event.get("participants") or event.get("persons")),
            end=_text(event.get("end")),
        )


def _texts(event: dict[str, Any]) -> dict[str, str]:
    texts = {name: _text(event.get(name)) for name in _TEXTS}
    return texts | {"url": _address(event.get("url")), "logo": _address(event.get("logo"))}


def _persons(persons: Any) -> tuple[str, ...]:
    return tuple(_text(person) for person in _list(persons))


def _address(value: Any) -> str:
    return _text(_dict(value).get("url")) if isinstance(value, dict) else _text(value)


def _text(value: Any) -> str:
    """Return what a value says: of an object its name, or its text in the first language it has."""
    if isinstance(value, dict):
        named = [value[name] for name in _NAMES if value.get(name)] or list(value.values())
        value = next((text for text in named if isinstance(text, str)), None)
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
