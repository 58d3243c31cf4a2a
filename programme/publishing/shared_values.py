"""The values that events share, joined from their tables and reused for the next programme."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import chain
from typing import Any
from urllib.parse import urljoin

from django.core.files.storage import default_storage
from msgspec.structs import replace

from feeds import vocabulary
from feeds.editions import Edition
from feeds.festival_time import FestivalTime
from feeds.names import order_name
from feeds.vocabulary import Occasion, Place, Site, Text
from programme.history.merging import find_last
from programme.models.pictures import SIZES
from programme.publishing.shared_tables import (
    MERGED,
    AreaDayRow,
    ListItemRow,
    MergedRow,
    PublishedYearRow,
    RoomRow,
    SharedTables,
    StreamRow,
)

EPOCH = datetime.fromtimestamp(0, UTC)
# Feeds must have a title and an author, even before an editor has named the festival.
NO_FESTIVAL = vocabulary.Festival(Text("Festivalprogram", "Festival programme"), Text(), "", EPOCH)

# The key of the shared values in a programme's `__dict__`, outside its fields and its copy on disk.
KEPT = "shared_values"
# The values of an earlier programme as keys and values; unchanged ones are reused.
Known = Mapping[Any, Any]


def find_known(occasions: Iterable[Occasion]) -> Known:
    """Return occasions and the values they refer to."""
    parts = (
        (event.area, event.sub_area, event.organizer, event) for event in {each.event for each in occasions}
    )
    return {each: each for each in chain(chain.from_iterable(parts), occasions)}


class SharedValues:
    """The values outside events' own rows; `related` has the rows that events refer to, by column."""

    def __init__(self, site: Site, known: Known, former: "SharedValues | None" = None) -> None:
        self.site = site
        self.tables: SharedTables = SharedTables(former.tables if former else None)
        self.areas = {key: known.get(area, area) for key, area in _areas(self.tables).items()}
        self.sub_areas = {key: known.get(area, area) for key, area in _sub_areas(self.tables).items()}
        editions = self.tables[Edition].values()
        self.editions = tuple(sorted(editions, key=lambda each: (each.first_day, each.id)))
        # The fields of the programme.
        self.fields: dict[str, Any] = {
            "areas": tuple(sorted(self.areas.values(), key=lambda area: area.order)),
            "festival": _festival(self.tables, site),
            "published_years": _published_years(self.tables, site.time),
            "merged": _follow_merges(self.tables),
            "editions": self.editions,
            "lists": tuple(
                sorted(_lists(self.tables), key=lambda each: (order_name(each.title.sv), each.id))
            ),
        }
        self._pictures = {
            (build_url(each.folder, site), each.focus): _locate(each)
            for each in self.tables[vocabulary.Picture].values()
        }
        self.streams = {key: row.stream for key, row in self.tables[StreamRow].items()}
        self.related: dict[str, dict[int, Any]] = {
            "area_id": self.areas,
            "sub_area_id": self.sub_areas,
            "language_id": self.tables[vocabulary.Language],
            "type_id": self.tables[vocabulary.EventType],
        }
        self._rooms = self.tables[RoomRow]
        self._places: dict[tuple[int, int | None], Place] = {}

    def place(self, location_id: int | None, room_id: int | None) -> Place | None:
        """Return a location, with a room if the room is in it."""
        if location_id is None:
            return None
        key = location_id, room_id
        if key not in self._places:
            row = self._rooms[room_id] if room_id else None
            room = row.room if row and row.location_id == location_id else None
            self._places[key] = Place(self.tables[vocabulary.Location][location_id], room)
        return self._places[key]

    def picture(self, image_url: str, focus: tuple[int, int]) -> vocabulary.Picture | None:
        """Return the sizes of an image, None if there are none, as for one on another website."""
        return self._pictures.get((image_url, focus)) if image_url else None


def build_url(name: str, site: Site) -> str:
    """Return the URL of an uploaded file."""
    return urljoin(f"{site.base_url}/", default_storage.url(name)) if name else ""


def _locate(picture: vocabulary.Picture) -> vocabulary.Picture:
    return replace(picture, folder=default_storage.url(f"{SIZES}/{picture.folder}/"))


def load_festival(site: Site) -> vocabulary.Festival:
    """Return the festival in the present transaction."""
    return _festival(SharedTables(), site)


def _festival(tables: SharedTables, site: Site) -> vocabulary.Festival:
    for row in tables[vocabulary.Festival].values():
        theme = row.theme
        files = {name: build_url(getattr(theme, name), site) for name in ("logo_url", "hero_url", "map_url")}
        files["icon_url"] = build_url(theme.icon_url and f"{SIZES}/{theme.icon_url}", site)
        maps = (each for each in tables[vocabulary.Picture].values() if each.folder == theme.map_url)
        return replace(row, theme=replace(theme, **files, map_picture=next(map(_locate, maps), None)))
    return NO_FESTIVAL


def _published_years(tables: SharedTables, festival: FestivalTime) -> dict[int, datetime]:
    """Return the instant of the first publication of each calendar year."""
    years: dict[int, datetime] = {}
    for row in tables[PublishedYearRow].values():
        year = festival.local(row.start).year
        years[year] = min(row.published_at, years.get(year, row.published_at))
    return years


def _follow_merges(tables: SharedTables) -> dict[str, dict[int, int]]:
    """Return the rows that merged rows belong to now, by ID and by parameter."""
    found: dict[str, dict[int, int]] = defaultdict(dict)
    for row in tables[MergedRow].values():
        if not row.undone:
            found[MERGED[row.kind]][row.row_id] = row.into
    return {name: {key: find_last(key, merged) for key in merged} for name, merged in found.items()}


def _lists(tables: SharedTables) -> Iterator[vocabulary.OccasionList]:
    items: dict[int, list[ListItemRow]] = defaultdict(list)
    for item in tables[ListItemRow].values():
        items[item.on_list_id].append(item)
    for key, row in tables[vocabulary.OccasionList].items():
        events, occasions = (
            frozenset(filter(None, (getattr(each, name) for each in items[key])))
            for name in ("event_id", "occasion_id")
        )
        yield replace(row, event_ids=events, occasion_ids=occasions)


def _areas(tables: SharedTables) -> dict[int, vocabulary.Area]:
    days: dict[int, list[vocabulary.AreaDay]] = defaultdict(list)
    for row in tables[AreaDayRow].values():
        days[row.area_id].append(row.day)
    streams = _streams(tables, "area_id")
    return {
        key: replace(area, streams=streams[key], days=tuple(sorted(days[key], key=lambda day: day.date)))
        for key, area in tables[vocabulary.Area].items()
    }


def _sub_areas(tables: SharedTables) -> dict[int, vocabulary.SubArea]:
    streams = _streams(tables, "sub_area_id")
    return {key: replace(area, streams=streams[key]) for key, area in tables[vocabulary.SubArea].items()}


def _streams(tables: SharedTables, parent: str) -> dict[int | None, tuple[vocabulary.Stream, ...]]:
    streams: dict[int | None, tuple[vocabulary.Stream, ...]] = defaultdict(tuple)
    named = ((order_name(row.stream.name), key, row) for key, row in tables[StreamRow].items())
    for *_order, row in sorted(named):
        streams[getattr(row, parent)] += (row.stream,)
    return streams
