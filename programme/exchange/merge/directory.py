"""Areas, rooms, organizers and the like that a file names: the stored ones, and those it would create."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import get_language_info, override

from feeds.names import fold
from programme.exchange.merge.named_rows import Key, NamedRows, Row, identify
from programme.exchange.readers.fields import field_length
from programme.exchange.text.lines import truncate
from programme.exchange.values import ImportOptions, PlaceNames
from programme.history.merging import load_merged
from programme.models import Area, Event, EventType, Language, Location, Occasion, Organizer, Room, SubArea

# The type of events that state none, as in EventType.other().
OTHER = "Övrigt"
# The fields in which rows have names; where two rows have the same, the later field's wins.
_NAME, _AREA, _TYPE = ("name",), ("full_name", "name"), ("name_en", "name_sv")


class Directory:
    """All that the events of a source name, each kind read in one query."""

    def __init__(self, options: ImportOptions, *, exact: bool = False) -> None:
        self.options = options
        self.exact = exact
        self.events = Event.objects.filter(source=options.source)
        self.occasions = Occasion.objects.filter(event__source=options.source)
        # What names that may be a room's mean by an answer: None is a location.
        self.rooms_meant: dict[str, Room | None] = {}
        # The rooms that are named as if they were locations, by these names.
        self.rooms_alone: dict[str, Room] = {}
        # What was found for the names of a place in an area.
        self.places: dict[tuple[PlaceNames, str], dict[str, Any]] = {}
        self.areas = NamedRows(Area, _by_name(Area.objects.all(), *_AREA), _AREA, self._make_area)
        locations = Location.objects.order_by("-id")
        # As the back office shows them, too: "Stadsbiblioteket, Biblioteksgatan 1".
        by_names = {fold(str(row)): row for row in locations}
        by_names |= _by_name(locations, scope="address") | _by_name(locations)
        merged = load_merged()
        self.locations = NamedRows(Location, by_names, _NAME, merged=merged)
        self.rooms = NamedRows(Room, self._read_rooms(), _NAME, merged=merged)
        self.organizers = NamedRows(Organizer, _by_name(Organizer.objects.all()), _NAME, merged=merged)
        types = _by_name(EventType.objects.all(), *_TYPE)
        self.types = NamedRows(EventType, types, _TYPE, _make_type, merged)
        self.languages = NamedRows(Language, _by_name(Language.objects.all(), "code"), make=_make_language)

    def kinds(self) -> dict[type[Any], NamedRows[Any]]:
        """Return the kinds of rows, each after those that its rows refer to; sub areas if any are named."""
        names = ("areas", "sub_areas", "locations", "rooms", "organizers", "types", "languages")
        return {self.__dict__[name].model: self.__dict__[name] for name in names if name in self.__dict__}

    def drop_unused(self, named: Iterable[Any]) -> None:
        rows = set()
        for value in named:
            # A room brings its location, a sub area its area.
            rows |= {id(value), id(getattr(value, "location", None)), id(getattr(value, "area", None))}
        for kind in self.kinds().values():
            kind.drop_unused(rows)

    @cached_property
    def area(self) -> Area:
        """The area that was asked for, else the source's, else the one named like the conference.

        The source's is the area of most of its events: it may have been renamed here, and another part of
        the same conference's schedule may have another title.
        """
        usual = None if self.options.area else _find_usual(self.events, "area")
        if usual:
            return self.areas.find(usual.name)
        name = self.options.area or self.options.default_area or self.options.title
        return self.find_area(truncate(name, field_length(Area, "full_name")))

    def find_area(self, name: str) -> Area:
        if fold(name) in self.areas:
            return self.areas.find(name)
        area = self.areas.find(truncate(name, field_length(Area, "name")))
        if area.pk is None and area.name != name:
            area.full_name = truncate(name, field_length(Area, "full_name"))
        return area

    def _make_area(self, name: str) -> Area:
        last = max((area.sort_order for area in self.areas.rows.values() if area.pk), default=-1)
        return Area(name=name, sort_order=last + 1)

    @cached_property
    def sub_areas(self) -> NamedRows[SubArea]:
        stored = _by_name(SubArea.objects.all(), *_AREA, scope="area_id")
        return NamedRows(SubArea, stored, _AREA)

    def find_inside(self, kind: NamedRows[Row], name: str, **within: Any) -> Row | None:
        """Return the row of a name that is unique within another row, None if it is left out."""
        name = truncate(name, field_length(kind.model, "name"))
        key = (*map(identify, within.values()), fold(name))
        if not name or kind.leaves_out(key):
            return None
        return kind.find_by_key(key, lambda: kind.model(name=name, **within))

    def split_types(self, stated: str) -> list[str]:
        """Return the names in a list of types; commas are between them only where each is known."""
        parts = stated.split(";")
        names: list[str] = []
        while parts:
            # The name of a type may have a semicolon itself.
            joined = (";".join(parts[:count]) for count in range(len(parts), 1, -1))
            name = next((each for each in joined if fold(each) in self.types), parts[0])
            parts = parts[name.count(";") + 1 :]
            name = name.strip()
            items = [item.strip() for item in name.split(",")]
            is_list = fold(name) not in self.types and all(fold(item) in self.types for item in items)
            names += items if is_list else [name] if name else []
        return names

    def read_names(self, names: PlaceNames) -> PlaceNames:
        """Return the names of a place; where the source has none of its own, a room alone is one."""
        location, address, room = names
        return names if location or self.options.venue else (room, address, "")

    def find_place(self, names: PlaceNames, area: str) -> dict[str, Any]:
        """Return the rows of a location and a room by location, address and room; '' is the source's own."""
        if (names, area) not in self.places:
            self.places[names, area] = self._find_place(names, area)
        return self.places[names, area]

    def _find_place(self, names: PlaceNames, area: str) -> dict[str, Any]:
        location, address, room = self.read_names(names)
        if not room and (inside := self.find_in_single_cell(location, address, area)):
            return {"location": inside.location, "room": inside}
        if location:
            if self.locations.leaves_out(fold(location)):
                return {"location": None, "room": None}
            found = self._find_location(location, address)
            return {"location": found, "room": self.find_inside(self.rooms, room, location=found)}
        inside = self._find_room_of_source(room) if room else None
        where = inside.location if inside else self.location
        return {"location": where and self.locations.use(where), "room": inside}

    def find_in_single_cell(self, name: str, address: str, area: str) -> Room | None:
        """Return the room that is meant by an unknown location, in files of others than this service."""
        if not name or address or self.exact or fold(name) in self.locations:
            return None
        if fold(name) in self.rooms_meant:
            return self.rooms_meant[fold(name)]
        return self._find_behind_comma(name) or self._find_alone(name, area)

    def _find_behind_comma(self, name: str) -> Room | None:
        """Return the room whose location stands before a comma."""
        for place, sign in enumerate(name):
            location, room = fold(name[:place]), fold(name[place + 1 :])
            if sign == "," and location in self.locations:
                key = (identify(self.locations.rows[location]), room)
                if key in self.rooms:
                    return self.rooms.use(self.rooms.rows[key])
        return None

    def _find_alone(self, name: str, stated: str) -> Room | None:
        """Return the room of a name, unless there are several and the area does not say which of them."""
        found = self.rooms.list_inside(fold(name))
        if len(found) > 1:
            names_one = stated and not self.options.area and not self.areas.leaves_out(fold(stated))
            area = self.find_area(stated) if names_one else self.area
            names, places = {fold(area.name), fold(area.full_name)}, self._places_of_areas[area.pk]
            found = [
                each for each in found if fold(each.location.name) in names or each.location_id in places
            ]
        if len(found) != 1:
            return None
        self.rooms_alone[name] = found[0]
        return self.rooms.use(found[0])

    @cached_property
    def _places_of_areas(self) -> dict[int | None, set[int]]:
        """The locations that are used in each area."""
        held = Occasion.objects.exclude(location=None).order_by()
        found: dict[int | None, set[int]] = defaultdict(set)
        for area, location in held.values_list("event__area_id", "location_id").distinct():
            found[area].add(location)
        return found

    @cached_property
    def location(self) -> Location | None:
        """The location of most of the source's occasions, else the conference's venue, if it has one."""
        if not self.options.venue:
            return None
        if usual := _find_usual(self.occasions, "location"):
            return self.locations.use(usual)
        return self.locations.find(truncate(self.options.venue, field_length(Location, "name")))

    def _find_location(self, name: str, address: str) -> Location:
        """Return a location by name and address, as sheets of this service state both.

        In other files the address may be missing, as it may be here.
        """
        name = truncate(name, field_length(Location, "name"))
        if meant := self.locations.meant.get(fold(name)):
            return self.locations.use(meant)
        address = truncate(address, field_length(Location, "address"))
        key = (address, fold(name))
        for each in (key, fold(f"{name}, {address}")):
            if each in self.locations:
                return self.locations.use(self.locations.rows[each])
        known = self.locations.rows[fold(name)] if fold(name) in self.locations else None
        if not self.exact and known and (not address or not known.address):
            known.address = known.address or ("" if known.pk else address)
            return self.locations.use(known)
        new = Location(name=name, address=address)
        self.locations.rows.setdefault(fold(name), new)
        return self.locations.find_by_key(key, lambda: new)

    def settle_locations(self) -> None:
        """Of a file that states no address at all, none of the new locations lacks one."""
        new = self.locations.created
        for each in new if not any(each.address for each in new) else ():
            each.parallel = each.online

    def locate_room(self, names: PlaceNames) -> Location | None:
        """Return the location in which a file has a room, None where it does not say it."""
        location, address, room = names
        if location:
            return self._find_location(location, address)
        return None if fold(room) in self.rooms else self.location

    def _find_room_of_source(self, name: str) -> Room | None:
        if fold(name) in self.rooms or not (place := self.location):
            return self.rooms.find(name)
        return self.find_inside(self.rooms, name, location=place)

    def _read_rooms(self) -> dict[Key, Room]:
        """Return all rooms by their locations and names, and by names alone those of the source.

        These are in its locations, and before them any that it uses: an editor may have moved them.
        """
        rooms = list(Room.objects.select_related("location").order_by("-id"))
        held = [*self.occasions.order_by().values_list("location_id", "room_id").distinct()]
        locations, used = ({place[which] for place in held} for which in (0, 1))
        venue = fold(self.options.venue)
        here = [each for each in rooms if each.location_id in locations or fold(each.location.name) == venue]
        own = [each for each in rooms if each.pk in used]
        return _by_name(rooms, scope="location_id") | _by_name(here) | _by_name(own)


def _find_usual(rows: QuerySet[Any], field: str) -> Any:
    """Return what most of these rows name in a field; None if none does."""
    used = Counter(getattr(row, field) for row in rows.select_related(field).order_by("id"))
    used.pop(None, None)
    return used.most_common(1)[0][0] if used else None


def _by_name(rows: Iterable[Row], *fields: str, scope: str = "") -> dict[Key, Row]:
    """Return rows by their folded names in these fields, and by the scope in which names are unique.

    The names of later fields and of later rows win.
    """
    return {
        (getattr(row, scope), fold(name)) if scope else fold(name): row
        for field in fields or _NAME
        for row in rows
        if (name := getattr(row, field))
    }


def _make_type(name: str) -> EventType:
    return EventType(name_sv=name, name_en="Other" if name == OTHER else name)


def _make_language(code: str) -> Language:
    try:
        info = get_language_info(code)
    except KeyError:
        return Language(code=code, name_sv=code)
    with override("sv"):
        return Language(code=code, name_sv=str(info["name_translated"]), name_en=info["name"])
