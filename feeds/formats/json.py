"""JSON: an array with one Event object per occasion, and the array of areas."""

from collections.abc import Collection

from feeds import json_parts, tombstones
from feeds.formats.base import Format
from feeds.json_elements import find_elements
from feeds.json_parts import encode
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.snapshot import Snapshot
from feeds.vocabulary import Occasion, Text


class JsonFormat(Format):
    extension = "json"
    media_types = ("application/json", "text/json")
    rank = 10
    label = Text(sv="JSON", en="JSON")
    purpose = Text(sv="för appar och egna program", en="for apps and programs of your own")

    @classmethod
    def prepare(cls, programme: Programme, occasions: Collection[Occasion]) -> None:
        for occasion in occasions:
            recurring = len(programme.by_event[occasion.event.id]) > 1
            mark = occasion.change_info, occasion.changed_at
            json_parts.write_frame(occasion.event, *mark, recurring, programme.site.time)
        for organizer in filter(None, {occasion.event.organizer for occasion in occasions}):
            json_parts.write_organizer(organizer, programme.tallies.count("organizer", organizer.id))
        for place in filter(None, {occasion.place for occasion in occasions}):
            json_parts.write_location(place)

    def write_events(self, listing: Listing) -> bytes:
        snapshot, elements = listing.snapshot, find_elements(listing.snapshot, listing.language)
        array: list[bytes] = []
        for occasion in listing.occasions:
            array.append(b",")
            array += elements.get_pieces(occasion, snapshot.is_updated(occasion))
        for removed in listing.removed or ():
            array += (b",", encode(tombstones.build_table(removed, listing.site.time)))
        array[:1] = [b"["]
        array.append(b"]")
        return b"".join(array)

    def write_areas(self, snapshot: Snapshot) -> bytes:
        return encode(
            [json_parts.build_area(snapshot.programme, area, "sv") for area in snapshot.programme.areas]
        )
