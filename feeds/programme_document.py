"""The programme as one normalized JSON document, for apps that store a copy."""

from collections.abc import Iterable
from datetime import time
from typing import Any, TypeVar

from msgspec import Raw
from msgspec.structs import replace

from feeds import interface as tables
from feeds import vocabulary
from feeds.facts import find_tokens, group_tokens
from feeds.festival_time import FestivalTime, build_day_id
from feeds.interface import EventType, Language, Stream, Translatable
from feeds.json_parts import Table, build_table, build_urls, encode, translatable
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.names import order_name
from feeds.programme import Programme
from feeds.selection import Selection
from feeds.vocabulary import Event, Occasion, Site, Text, build_occasion_path

Named = TypeVar("Named", vocabulary.SubArea, vocabulary.Location, vocabulary.Organizer)


def build_programme(listing: Listing, *, is_brief: bool = False) -> tables.Programme:
    """Return the occasions of a listing and everything they refer to; if brief, without descriptions."""
    site, occasions, programme = listing.site, listing.occasions, listing.snapshot.programme
    events = list({each.event.id: each.event for each in occasions}.values())
    places = {each.place for each in occasions if each.place}
    types = {each for event in events for each in event.types}
    rooms = {(each.room, each.location) for each in places if each.room}
    languages = {each.language for each in events if each.language}
    sub_areas = _by_name(each.sub_area for each in events)
    organizers = _by_name(each.organizer for each in events)
    return tables.Programme(
        festival=_festival(programme),
        areas=[
            _describe(tables.ProgrammeArea, each, is_brief, days=[*map(_day, programme.list_days(each))])
            for each in _areas(listing, events)
        ],
        subAreas=[_describe(tables.ProgrammeSubArea, each, is_brief) for each in sub_areas],
        locations=[
            build_table(tables.ProgrammeLocation, each, facts=group_tokens(find_tokens(each.stated)))
            for each in _by_name(each.location for each in places)
        ],
        rooms=[
            build_table(
                tables.ProgrammeRoom, room, locationID=of.id, facts=group_tokens(find_tokens(room.stated))
            )
            for room, of in sorted(rooms, key=lambda each: (order_name(each[0].name), each[0].id))
        ],
        organizers=[_describe(tables.ProgrammeOrganizer, each, is_brief) for each in organizers],
        types=[
            build_table(EventType, each)
            for each in sorted(types, key=lambda each: (order_name(each.name.sv), each.id))
        ],
        languages=[build_table(Language, each) for each in sorted(languages, key=lambda each: each.code)],
        lists=build_lists(programme, listing.snapshot.find(listing.selection)),
        events=[Raw(_event(each, site.time, is_brief)) for each in events],
        occasions=[Raw(_occasion(each, site)) for each in occasions],
        removed=[
            tables.RemovedOccasion(
                id=each.identity.id,
                eventID=each.identity.event_id,
                removed=each.reason,
                lastModified=site.time.timestamp(each.at),
            )
            for each in listing.removed or ()
        ],
        **_editions(programme),
    )


# --- The values that a listing refers to, each once, in order -------------------------------


def _areas(listing: Listing, events: list[Event]) -> Iterable[vocabulary.Area]:
    """Return the areas of events and their sub areas, or all areas for the whole programme."""
    programme, whole = listing.snapshot.programme, Selection(language=listing.language)
    if not listing.part_query and replace(listing.selection, edition="") == whole:
        return programme.listed_areas
    named = {each.area.id for each in events} | {each.sub_area.area_id for each in events if each.sub_area}
    return [area for area in programme.areas if area.id in named]


def _by_name(named: Iterable[Named | None]) -> list[Named]:
    return sorted({each for each in named if each}, key=lambda each: (order_name(each.name), each.id))


# --- Tables ---------------------------------------------------------------------------------


def build_lists(programme: Programme, occasions: Iterable[Occasion]) -> list[tables.ProgrammeList]:
    """Return all lists, each with the occasions on it."""
    return [
        build_table(tables.ProgrammeList, each, occasionIDs=[one.id for one in occasions if each.has(one)])
        for each in programme.listed_lists
    ]


def _festival(programme: Programme) -> tables.ProgrammeFestival:
    site = programme.site
    urls = (f"{site.base_url}{build_occasion_path('{id}', language)}" for language in ("en", "sv"))
    return build_table(
        tables.ProgrammeFestival,
        programme.festival,
        occasionUrl=None if site.pages_are_elsewhere else Translatable(*urls),
        timeZone=site.time.zone_name,
        dayBegins=time(site.time.first_hour).isoformat(),
    )


def _editions(programme: Programme) -> dict[str, Any]:
    """Return the programme's edition and all editions, or nothing if there are no editions."""
    if programme.edition is None:
        return {}
    found = [build_table(tables.ProgrammeEdition, each) for each in programme.editions]
    return {"edition": programme.edition.slug, "editions": found}


def _day(day: vocabulary.AreaDay) -> tables.ProgrammeDay:
    return build_table(tables.ProgrammeDay, day, dayID=build_day_id(day.date))


def _describe(
    table: type[Table],
    thing: vocabulary.Area | vocabulary.SubArea | vocabulary.Organizer,
    is_brief: bool,
    **others: Any,
) -> Table:
    return build_table(table, thing, info=_description(thing.info, is_brief), **others)


@memoize
def _event(event: Event, festival: FestivalTime, is_brief: bool) -> bytes:
    table = build_table(
        tables.ProgrammeEvent,
        event,
        areaID=event.area.id,
        subAreaID=event.sub_area.id if event.sub_area else None,
        organizerID=event.organizer.id if event.organizer else None,
        language=event.language.code if event.language else None,
        typeID=event.type.id,
        typeIDs=[each.id for each in event.types],
        description=_description(event.description, is_brief),
        lastModified=festival.timestamp(event.last_modified),
    )
    return encode(table)


@memoize
def _occasion(occasion: Occasion, site: Site) -> bytes:
    span, place = site.time.span(occasion.start, occasion.end), occasion.place
    changed_at, moved_from, opens = occasion.changed_at, occasion.previous_start, occasion.booking_from
    table = tables.ProgrammeOccasion(
        id=occasion.id,
        eventID=occasion.identity.event_id,
        dayID=build_day_id(span.day),
        startsAt=span.start.isoformat(),
        endsAt=span.end.isoformat(),
        cancelled=occasion.cancelled,
        locationID=place.location.id if place else None,
        roomID=place.room.id if place and place.room else None,
        stream=build_table(Stream, occasion.stream) if occasion.stream else None,
        changeInfo=occasion.change_info.within("sv") or None,
        changeNote=translatable(occasion.change_info) if occasion.change_info else None,
        changeTimestamp=site.time.timestamp(changed_at) if changed_at else None,
        previousStart=site.time.local(moved_from).isoformat(timespec="seconds") if moved_from else None,
        previousPlace=occasion.previous_place or None,
        facts=group_tokens(occasion.facts),
        bookingUrl=occasion.booking_url or None,
        bookingFrom=site.time.local(opens).isoformat(timespec="seconds") if opens else None,
        url=build_urls(occasion.identity, site) if site.pages_are_elsewhere else None,
    )
    return encode(table)


def _description(text: Text, is_brief: bool) -> Translatable | None:
    return None if is_brief else translatable(text)
