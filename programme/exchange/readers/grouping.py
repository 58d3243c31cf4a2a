"""Groups the entries of a schedule to events with their occasions."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from zoneinfo import ZoneInfo

import msgspec
from django.utils.translation import gettext as _

from feeds.names import fold
from feeds.vocabulary import LanguageCode
from programme.exchange import values
from programme.exchange.readers.coordinates import StatedCoordinates
from programme.exchange.readers.entries import (
    EntryOccasion,
    build_event_key,
    build_split_id,
    clean_identifier,
    label_entry,
    read_entry,
)
from programme.exchange.readers.fields import (
    Report,
    field_length,
    fit_line,
    fit_prose,
    fit_types,
    parse_language,
    parse_web_address,
)
from programme.exchange.text.lines import truncate_names
from programme.exchange.text.plain import split_description, to_plain_text
from programme.exchange.text.times import parse_clock
from programme.exchange.time_limit import check_time
from programme.models import Event, Language, Location, Organizer, Room
from programme.models.cleaning import clean_line
from programme.models.coordinates import Coordinates

# The fields of an event that each field of an entry fills.
_FIELDS_OF = {
    **dict.fromkeys(
        ("subtitle", "abstract", "description"), ("intro_sv", "intro_en", "description_sv", "description_en")
    ),
    "language": ("language",),
    "persons": ("organizer",),
    "url": ("external_url",),
    "room": ("room",),
    "location": ("location",),
}


def build_contents(
    schedule: values.Schedule, zone: ZoneInfo, texts: LanguageCode, defaults: values.ImportDefaults
) -> values.Contents:
    """Return the events of a schedule.

    `zone` is that of times without an offset, and `texts` the language of texts whose event states none.
    """
    problems = list(schedule.problems)
    day_change = parse_clock(schedule.conference.day_change)
    found, unread = [], list(schedule.unread)
    for entry in _without_repetitions(schedule.entries, problems):
        check_time()
        if each := read_entry(entry, zone, day_change, problems):
            found.append(each)
        else:
            unread.append(entry)
    for guid, repeated in values.group_by(found, lambda each: each.occasion.guid).items():
        if guid and len(repeated) > 1:
            what = _("the guid %(guid)s stands for several occasions") % {"guid": guid}
            problems.append(values.Problem(repeated[0].title, what))
    groups = list(_group(found, problems))
    steps = defaults.progress(groups)
    events = tuple(_build_event(source_id, group, texts, problems) for source_id, group in steps)
    coordinates = _find_coordinates(events, [group for _id, group in groups], defaults.places, problems)
    return values.Contents(
        events=events,
        problems=tuple(problems),
        stated=_stated_fields(schedule.entries, events),
        unread_keys=frozenset(map(build_event_key, unread)),
        unread_guids=frozenset(clean_identifier(entry.guid) for entry in unread if entry.guid),
        questions=schedule.questions,
        coordinates=coordinates,
    )


def _without_repetitions(
    entries: Iterable[values.Entry], problems: list[values.Problem]
) -> Iterator[values.Entry]:
    seen: set[values.Entry] = set()
    for entry in entries:
        words = msgspec.structs.replace(entry, place="") if entry.place else entry
        if words in seen:
            what = _("stands twice in the file, word for word; taken once")
            problems.append(values.Problem(label_entry(entry), what))
        else:
            seen.add(words)
            yield entry


def _group(
    found: Sequence[EntryOccasion], problems: list[values.Problem]
) -> Iterator[tuple[str, list[EntryOccasion]]]:
    """Yield each event's identifier and occasions, earliest first.

    The title decides only if one key has several titles in this file.
    """
    by_key: dict[str, dict[str, list[EntryOccasion]]] = defaultdict(lambda: defaultdict(list))
    for each in found:
        by_key[each.key][fold(each.title)].append(each)
    for key, by_title in by_key.items():
        if len(by_title) > 1:
            titles = ", ".join(f"“{group[0].title}”" for group in by_title.values())
            what = _("one identifier for several events: %(titles)s") % {"titles": titles}
            problems.append(values.Problem(key, what))
        for title, group in by_title.items():
            source_id = key if len(by_title) == 1 else build_split_id(key, title)
            # By time and else by words, whatever the order in the file.
            keys = attrgetter("occasion.start", "occasion.end", "occasion.location", "occasion.room")
            more = attrgetter("occasion.guid", "entry.description")
            yield source_id, sorted(group, key=lambda each: (keys(each), more(each)))


def _build_event(
    source_id: str, group: Sequence[EntryOccasion], texts: LanguageCode, problems: list[values.Problem]
) -> values.ScheduledEvent:
    """Return an event; each of its texts is that of the first entry that states it."""
    title = group[0].title

    def report(what: str) -> None:
        problems.append(values.Problem(title, what))

    def first(field: str) -> str:
        return next((text for each in group if (text := getattr(each.entry, field).strip())), "")

    intro, description = split_description(
        *(to_plain_text(first(field)) for field in ("subtitle", "abstract", "description"))
    )
    language = fit_line(Language, "code", parse_language(first("language"), report).lower(), report)
    own = choose_text_language(first("text_language").lower() or language, texts)
    more = {f"intro_{own}": fit_prose(intro, report), f"description_{own}": fit_prose(description, report)}
    links = {
        "external_url": parse_web_address(first("url"), report),
        "image_url": parse_web_address(first("logo")),
    }
    return values.ScheduledEvent(
        key=group[0].key,
        source_id=source_id,
        title=fit_line(Event, "title", title, report),
        language=language,
        type=fit_types(first("track") or first("type"), report),
        organizer=_join_persons(group, report),
        more=more | links,
        occasions=tuple(
            msgspec.structs.replace(
                each.occasion,
                room=fit_line(Room, "name", each.occasion.room, report),
                location=fit_line(Location, "name", each.occasion.location, report),
                address=fit_line(Location, "address", each.occasion.address, report),
            )
            for each in group
        ),
    )


def _find_coordinates(
    events: Sequence[values.ScheduledEvent],
    groups: Sequence[Sequence[EntryOccasion]],
    others: Collection[Coordinates],
    problems: list[values.Problem],
) -> dict[values.PlaceNames, Coordinates]:
    def report(entry: values.Entry, what: str) -> None:
        problems.append(values.Problem(label_entry(entry), what))

    found = StatedCoordinates(others)
    for event, group in zip(events, groups, strict=True):
        for occasion, each in zip(event.occasions, group, strict=True):
            found.note(occasion.place, partial(report, each.entry), each.entry.coordinates)
    return found.settle()


def choose_text_language(language: str, default: LanguageCode) -> LanguageCode:
    """Return in which of the programme's two languages a text is stored: Swedish, or else English."""
    if not language:
        return default
    return "sv" if language.partition("-")[0] == "sv" else "en"


def _join_persons(group: Sequence[EntryOccasion], report: Report) -> str:
    stated = next((each.entry.persons for each in group if any(each.entry.persons)), ())
    names = dict.fromkeys(name for person in stated if (name := clean_line(person)))
    joined = truncate_names(list(names), field_length(Organizer, "name"))
    if joined != ", ".join(names):
        report(_("too many names for one organizer, the last ones left out"))
    return joined


def _stated_fields(
    entries: Sequence[values.Entry], events: Sequence[values.ScheduledEvent]
) -> frozenset[str]:
    """Return the fields that any entry states; the import changes no others."""
    stated = {name for name in _FIELDS_OF if any(getattr(entry, name) for entry in entries)}
    fields = {field for name in stated for field in _FIELDS_OF[name]}
    # Image addresses inside the source's own website are unusable, and state nothing.
    images = {"image_url"} if any(event.more["image_url"] for event in events) else set()
    return frozenset({"title", "type"} | fields | images)
