"""Which entries of a schedule are occasions of one event, and what that event is."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

import msgspec
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext as _

from feeds.names import fold
from programme.exchange.readers.entries import (
    EntryOccasion,
    ReportProblem,
    build_event_key,
    clean_identifier,
    label_entry,
    read_entry,
)
from programme.exchange.readers.times import parse_clock
from programme.exchange.text.descriptions import split_description
from programme.exchange.text.plain import to_plain_text
from programme.exchange.text.truncate import truncate, truncate_names
from programme.exchange.values import Contents, Entry, Problem, Progress, Schedule, ScheduledEvent
from programme.models import Event, EventType, Language, Location, Organizer, Room
from programme.models.cleaning import clean_line

TextLanguage = Literal["sv", "en"]
_web_address = URLValidator(schemes=["http", "https"])


def field_length(model: type, field: str) -> int:
    """Return how many characters a field of a model holds."""
    return int(model._meta.get_field(field).max_length)  # type: ignore[attr-defined]


def build_contents(
    schedule: Schedule, zone: ZoneInfo, texts: TextLanguage, progress: Progress = iter
) -> Contents:
    """Return what a schedule says.

    `zone` is that of times without an offset, and `texts` the language of texts whose event states
    none.
    """
    problems = list(schedule.problems)
    day_change = parse_clock(schedule.conference.day_change)

    def complain(where: str, what: str) -> None:
        problems.append(Problem(where, what))

    showings, unread = [], list(schedule.unread)
    for entry in _once(schedule.entries, complain):
        showing = read_entry(entry, zone, day_change, complain)
        if showing:
            showings.append(showing)
        else:
            unread.append(entry)
            problems[-1] = msgspec.structs.replace(problems[-1], left_out=True)
    _tell_repeated_guids(showings, complain)
    groups = list(_groups(showings, complain))
    events = tuple(_event(source_id, group, texts, complain) for source_id, group in progress(groups))
    return Contents(
        events=events,
        problems=tuple(problems),
        stated=_stated(schedule.entries, events),
        unread_keys=frozenset(map(build_event_key, unread)),
        unread_guids=frozenset(clean_identifier(entry.guid) for entry in unread if entry.guid),
    )


def _once(entries: Iterable[Entry], complain: ReportProblem) -> Iterator[Entry]:
    seen: set[Entry] = set()
    for entry in entries:
        words = msgspec.structs.replace(entry, place="") if entry.place else entry
        if words in seen:
            complain(label_entry(entry), _("stands twice in the file, word for word; taken once"))
        else:
            seen.add(words)
            yield entry


def _tell_repeated_guids(showings: Sequence[EntryOccasion], complain: ReportProblem) -> None:
    titles: dict[str, list[str]] = defaultdict(list)
    for showing in showings:
        titles[showing.occasion.guid].append(showing.title)
    for guid, bearers in titles.items():
        if guid and len(bearers) > 1:
            complain(bearers[0], _("the guid %(guid)s stands for several occasions") % {"guid": guid})


def _groups(
    showings: Sequence[EntryOccasion], complain: ReportProblem
) -> Iterator[tuple[str, list[EntryOccasion]]]:
    """Yield each event's identifier and showings, earliest first.

    The title decides only where one key bears several titles in this file.
    """
    by_key: dict[str, dict[str, list[EntryOccasion]]] = defaultdict(lambda: defaultdict(list))
    for showing in showings:
        by_key[showing.key][fold(showing.title)].append(showing)
    for key, by_title in by_key.items():
        if len(by_title) > 1:
            titles = ", ".join(f"“{group[0].title}”" for group in by_title.values())
            complain(key, _("one identifier for several events: %(titles)s") % {"titles": titles})
        for title, group in by_title.items():
            source_id = key if len(by_title) == 1 else build_split_id(key, title)
            yield source_id, sorted(group, key=_order)


def build_split_id(key: str, folded_title: str) -> str:
    """Return the identifier of one of several events that bear the same key."""
    return f"{key} ={hashlib.sha256(folded_title.encode()).hexdigest()[:12]}"


def _order(showing: EntryOccasion) -> tuple[datetime, datetime]:
    return (showing.occasion.start, showing.occasion.end)


def _event(
    source_id: str, showings: Sequence[EntryOccasion], texts: TextLanguage, complain: ReportProblem
) -> ScheduledEvent:
    """Return the event of its showings: for each text the first of them that states it decides."""
    title = showings[0].title

    def first(field: str) -> str:
        return next((text for showing in showings if (text := getattr(showing.entry, field).strip())), "")

    def fitting(model: type, field: str, text: str) -> str:
        return _fitting(field_length(model, field), clean_line(text), title, complain)

    intro, description = split_description(
        *(to_plain_text(first(field)) for field in ("subtitle", "abstract", "description"))
    )
    cancelled = all(showing.occasion.cancelled for showing in showings)
    language = fitting(Language, "code", first("language").lower().replace("_", "-"))
    return ScheduledEvent(
        key=showings[0].key,
        source_id=source_id,
        title=fitting(Event, "title", title),
        cancelled=cancelled,
        intro=intro,
        description=description,
        text_language=choose_text_language(first("text_language").lower() or language, texts),
        language=language,
        type=fitting(EventType, "name_sv", first("track") or first("type")),
        organizer=_organizer(showings, title, complain),
        external_url=_address(first("url"), title, complain),
        image_url=_address(first("logo"), title, lambda *_: None),
        occasions=tuple(
            msgspec.structs.replace(
                showing.occasion,
                # Of an event that is cancelled altogether no occasion is cancelled alone.
                cancelled=showing.occasion.cancelled and not cancelled,
                room=fitting(Room, "name", showing.occasion.room),
                location=fitting(Location, "name", showing.occasion.location),
                address=fitting(Location, "address", showing.occasion.address),
            )
            for showing in showings
        ),
        more=_more(showings),
    )


def _more(showings: Sequence[EntryOccasion]) -> dict[str, Any]:
    """Return the further fields of an event: each as the first of its showings states it."""
    more: dict[str, Any] = {}
    for showing in showings:
        for name, value in showing.entry.more:
            more[name] = more.get(name) or value
    return more


def choose_text_language(language: str, otherwise: TextLanguage) -> TextLanguage:
    """Return in which of the programme's two languages a text is stored: Swedish, or else English."""
    if not language:
        return otherwise
    return "sv" if language.partition("-")[0] == "sv" else "en"


def _fitting(length: int, text: str, where: str, complain: ReportProblem) -> str:
    fitted = truncate(text, length)
    if fitted != text:
        complain(where, _("cut to %(length)s characters: “%(text)s”") % {"length": length, "text": fitted})
    return fitted


def _organizer(showings: Sequence[EntryOccasion], title: str, complain: ReportProblem) -> str:
    stated = next((showing.entry.persons for showing in showings if any(showing.entry.persons)), ())
    names = dict.fromkeys(name for person in stated if (name := clean_line(person)))
    joined = truncate_names(list(names), field_length(Organizer, "name"))
    if joined != ", ".join(names):
        complain(title, _("too many names for one organizer, the last ones left out"))
    return joined


def parse_web_address(text: str) -> str:
    """Return a text as an absolute web address, '' where it is none or too long."""
    address = clean_line(text)
    try:
        _web_address(address)
    except ValidationError:
        return ""
    return address if len(address) <= field_length(Event, "external_url") else ""


def _address(text: str, where: str, complain: ReportProblem) -> str:
    """Return an absolute web address, or '' for anything else."""
    address = parse_web_address(text)
    if text and not address:
        complain(where, _("no usable web address: “%(text)s”") % {"text": truncate(clean_line(text), 100)})
    return address


def _stated(entries: Sequence[Entry], events: Sequence[ScheduledEvent]) -> frozenset[str]:
    """Return the fields that any entry states: of the others the file says nothing."""
    stated = {name for name in _FIELDS_OF if any(getattr(entry, name) for entry in entries)}
    fields = {field for name in stated for field in _FIELDS_OF[name]}
    # Addresses of images inside the source's own website are no use, and say nothing.
    images = {"image_url"} if any(event.image_url for event in events) else set()
    return frozenset({"title", "cancelled", "type"} | fields | images)


# Which of an event's fields are made of which of an entry's.
_FIELDS_OF = {
    "subtitle": ("intro", "description"),
    "abstract": ("intro", "description"),
    "description": ("intro", "description"),
    "language": ("language",),
    "persons": ("organizer",),
    "url": ("external_url",),
    "room": ("room",),
    "location": ("location",),
}
