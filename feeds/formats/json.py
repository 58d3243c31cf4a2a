"""JSON: an array with one Event object per occasion, and the array of areas."""

from collections.abc import Collection
from datetime import date
from typing import Any
from weakref import proxy

from feeds import interface, json_parts, vocabulary
from feeds.facts import is_sign_interpreted
from feeds.formats.base import Format
from feeds.grouping import Occasions
from feeds.json_parts import build_table, encode
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.vocabulary import LanguageCode, Occasion, Text, Value

Pieces = tuple[bytes, ...]

BOOLEANS = {True: b"true", False: b"false"}


class JsonFormat(Format):
    extension = "json"
    media_types = ("application/json", "text/json")
    rank = 10
    label = Text(sv="JSON", en="JSON")
    purpose = Text(sv="för appar och egna program", en="for apps and programs of your own")

    @staticmethod
    def prepare(programme: Programme, occasions: Collection[Occasion]) -> None:
        """Write the parts of loaded occasions that do not depend on time, before the first request."""
        for occasion in occasions:
            recurring = len(programme.by_event[occasion.event.id]) > 1
            mark = occasion.change_info.within("sv"), occasion.changed_at
            json_parts.write_frame(occasion.event, *mark, recurring, programme.site.time)
        for organizer in filter(None, {occasion.event.organizer for occasion in occasions}):
            json_parts.write_organizer(organizer, json_parts.count_organized(programme, organizer))
        for place in filter(None, {occasion.place for occasion in occasions}):
            json_parts.write_location(place)

    def write_events(self, listing: Listing) -> bytes:
        snapshot, language = listing.snapshot, listing.language
        programme, today = snapshot.programme, snapshot.date
        elements = programme.derived.get(language)
        if not isinstance(elements, ElementCache) or elements.today != today:
            elements = programme.derived[language] = ElementCache(programme, today, language)
        array: list[bytes] = []
        for occasion in listing.occasions:
            array.append(b",")
            array += elements.list_pieces(occasion, snapshot.is_updated(occasion))
        for removed in listing.removed or ():
            tombstone = interface.Tombstone(
                id=removed.identity.event_id,
                occation=interface.RemovedOccation(id=removed.identity.id),
                removed=removed.reason,
                lastModified=listing.site.time.timestamp(removed.at),
            )
            array += (b",", encode(tombstone))
        array[:1] = [b"["]
        array.append(b"]")
        return b"".join(array)


class ElementCache:
    """The elements of the array on one date in one language, which are written on first use."""

    def __init__(self, programme: Programme, today: date, language: LanguageCode) -> None:
        # The programme refers to its elements. A reference cycle would retain it until the next full
        # garbage collection, and programmes are large.
        self.programme = proxy(programme)
        self.today = today
        self.language = language
        self._pieces: dict[tuple[int, bool], Pieces] = {}
        self._parts: dict[Value, bytes] = {}

    def list_pieces(self, occasion: Occasion, updated: bool) -> Pieces:
        key, event, part = (occasion.id, updated), occasion.event, self._part
        if key not in self._pieces:
            self._write_event(self.programme.by_event[event.id], updated)
        first, second, third, *rest = self._pieces[key]
        # Parts with counts are written separately, because the counts change with other events.
        return (first, part(event.area), second, part(event.sub_area), third, part(event.organizer), *rest)

    def replace(self, programme: Programme, removed: Occasions, added: Occasions) -> "ElementCache":
        """Return the elements of a programme that differs in some occasions."""
        replaced = ElementCache(programme, self.today, self.language)
        replaced._pieces, replaced._parts = self._pieces.copy(), self._parts.copy()
        for occasion in removed:
            for updated in (True, False):
                replaced._pieces.pop((occasion.id, updated), None)
        for thing, *_ in self._list_counted(removed) ^ self._list_counted(added):
            replaced._parts.pop(thing, None)
        return replaced

    def _list_counted(self, occasions: Occasions) -> set[tuple[Any, ...]]:
        """Return the areas and organizers of occasions, each with everything that its counts depend on."""
        return {
            (thing, each.identity, each.event.area, each.event.sub_area, self.programme.span(each).day)
            for each in occasions
            for thing in (each.event.area, each.event.sub_area, each.event.organizer)
            if thing
        }

    def _write_event(self, occasions: tuple[Occasion, ...], updated: bool) -> None:
        """Write the elements of one event, which differ only in the holes of a frame."""
        event = occasions[0].event
        recurring, festival = len(occasions) > 1, self.programme.site.time
        described = [
            encode(json_parts.build_occasion(self.programme, occasion, self.today, self.language))
            for occasion in occasions
        ]
        every = b"".join((b"[", b",".join(described), b"]"))
        language, event_type = self._part(event.language), self._part(event.type)
        for occasion, description in zip(occasions, described, strict=True):
            mark = occasion.change_info.within(self.language), occasion.changed_at
            cut = json_parts.write_frame(event, *mark, recurring, festival)
            location = self._part(occasion.place)
            self._pieces[occasion.identity.id, updated] = (
                *cut[:4],
                *(BOOLEANS[is_sign_interpreted(occasion)], cut[4], BOOLEANS[occasion.cancelled], cut[5]),
                *(language, cut[6], event_type, cut[7], location, cut[8], description, cut[9]),
                *(every, cut[10], BOOLEANS[updated], cut[11]),
            )

    def _part(self, thing: Value | None) -> bytes:
        """Return the bytes of an area, an organizer and so on, which elements share."""
        if thing is None:
            return b"null"
        if thing not in self._parts:
            self._parts[thing] = self._write_part(thing)
        return self._parts[thing]

    def _write_part(self, thing: Value) -> bytes:
        match thing:
            case vocabulary.Area() | vocabulary.SubArea():
                return encode(json_parts.build_area(self.programme, thing, self.language))
            case vocabulary.Organizer():
                return json_parts.write_organizer(thing, json_parts.count_organized(self.programme, thing))
            case vocabulary.Place():
                return json_parts.write_location(thing)
            case vocabulary.Language():
                return encode(build_table(interface.Language, thing))
            case vocabulary.EventType():
                return encode(build_table(interface.EventType, thing))
        raise TypeError(thing)
