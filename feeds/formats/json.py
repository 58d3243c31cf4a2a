"""JSON: an array with one Event object per occasion, and the array of areas."""

from feeds import interface, json_parts, vocabulary
from feeds.formats.base import Format
from feeds.json_parts import build_table, encode
from feeds.listing import Listing, RemovedOccasion
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion, Site, Text, Value

BOOLEANS = {True: b"true", False: b"false"}


class JsonFormat(Format):
    extension = "json"
    media_types = ("application/json", "text/json")
    rank = 10
    label = Text(sv="JSON", en="JSON")
    purpose = Text(sv="för appar och egna program", en="for apps and programs of your own")

    def write_events(self, listing: Listing) -> bytes:
        writer = ElementWriter(listing.snapshot, listing.language)
        array: list[bytes] = []
        for occasion in listing.occasions:
            array.append(b",")
            array += writer.write(occasion)
        for removed in listing.removed or ():
            array += (b",", _tombstone(removed, listing.site))
        array[:1] = [b"["]
        array.append(b"]")
        return b"".join(array)

    def write_areas(self, snapshot: Snapshot) -> bytes:
        return encode(
            [json_parts.build_area(snapshot.programme, area, "sv") for area in snapshot.programme.areas]
        )


def _tombstone(removed: RemovedOccasion, site: Site) -> bytes:
    table = interface.Tombstone(
        id=removed.identity.event_id,
        occation=interface.RemovedOccation(id=removed.identity.id),
        removed=removed.reason,
        lastModified=site.time.local(removed.at).isoformat(timespec="microseconds"),
    )
    return encode(table)


class ElementWriter:
    """Writes the elements of a document.

    Most of an element's bytes are those of others, too: the frame of its event and its mark of change, and
    in the holes of the frame its area, organizer, location and so on, and all occasions of its event.
    """

    def __init__(self, snapshot: Snapshot, language: LanguageCode) -> None:
        self.snapshot = snapshot
        self.programme = snapshot.programme
        self.language = language
        self._parts: dict[Value | None, bytes] = {None: b"null"}
        # By event: each of its occasions by ID, and the array of them.
        self._occasions: dict[int, tuple[dict[int, bytes], bytes]] = {}

    def write(self, occasion: Occasion) -> list[bytes]:
        """Return an element in pieces."""
        event, festival = occasion.event, self.programme.site.time
        occasions, array = self._write_occasions(event.id)
        mark = occasion.change_info, occasion.changed_at
        frame = json_parts.write_frame(event, *mark, len(occasions) > 1, festival)
        pieces = [b""] * (2 * len(frame) - 1)
        pieces[::2] = frame
        # In the order of the interface.
        pieces[1::2] = (
            *map(self._write_part, (event.area, event.sub_area, event.organizer)),
            BOOLEANS[occasion.cancelled],
            *map(self._write_part, (event.language, event.type, occasion.place)),
            *(occasions[occasion.id], array, BOOLEANS[self.snapshot.is_updated(occasion)]),
        )
        return pieces

    def _write_occasions(self, event_id: int) -> tuple[dict[int, bytes], bytes]:
        if event_id not in self._occasions:
            written = {each.id: self._write_occasion(each) for each in self.programme.by_event[event_id]}
            self._occasions[event_id] = written, b"[" + b",".join(written.values()) + b"]"
        return self._occasions[event_id]

    def _write_occasion(self, occasion: Occasion) -> bytes:
        time_span = self.snapshot.time_span(occasion, self.language)
        return json_parts.write_occasion(occasion, time_span, self.programme.site)

    def _write_part(self, thing: Value | None) -> bytes:
        """Return what an area, an organizer and so on is in all elements that have it."""
        part = self._parts.get(thing)
        if part is None:
            part = self._parts[thing] = self._write_thing(thing)
        return part

    def _write_thing(self, thing: Value | None) -> bytes:
        match thing:
            case vocabulary.Area():
                return encode(json_parts.build_area(self.programme, thing, self.language))
            case vocabulary.SubArea():
                return encode(json_parts.build_sub_area(self.programme, thing, self.language))
            case vocabulary.Organizer():
                return json_parts.write_organizer(thing, self.programme.tallies.count("organizer", thing.id))
            case vocabulary.Place():
                return json_parts.write_location(thing)
            case vocabulary.Language():
                return encode(build_table(interface.Language, thing))
            case vocabulary.EventType():
                return encode(build_table(interface.EventType, thing))
        raise TypeError(thing)
