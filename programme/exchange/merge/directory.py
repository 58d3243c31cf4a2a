"""Areas, rooms, organizers and the like by name: those that the programme has, and those it would get."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import get_language_info, override

from feeds.names import fold
from programme.exchange.merge.named_rows import NamedRows, identity
from programme.exchange.readers.grouping import length_of
from programme.exchange.text.fitting import truncate
from programme.exchange.values import ImportOptions
from programme.models import Area, Event, EventType, Language, Location, Occasion, Organizer, Room, SubArea

# The type of events that state none, as in EventType.other().
OTHER = "Övrigt"


class Directory:
    """All that the events of a source name, each kind looked up in one query."""

    def __init__(self, order: ImportOptions, *, exact: bool = False) -> None:
        self.order = order
        self.exact = exact
        self.events = Event.objects.filter(source=order.source)
        self.areas = NamedRows(
            _areas(), lambda name: Area(name=name, sort_order=self._last), Area, ["name", "full_name"]
        )
        self.locations = NamedRows(_locations(), lambda name: Location(name=name), Location, ["name"])
        self.rooms = NamedRows(
            self._rooms(), lambda name: Room(location=self.location, name=name), Room, ["name"]
        )
        self.organizers = NamedRows(
            _by_name(Organizer.objects.all()), lambda name: Organizer(name=name), Organizer, ["name"]
        )
        self.types = NamedRows(_types(), _new_type, EventType, ["name_sv", "name_en"])
        self.languages = NamedRows(_languages(), _new_language)

    def kinds(self) -> dict[type[Any], NamedRows]:
        """Return the kinds of rows, each after those that its rows refer to; sub areas if any are named."""
        sub_areas = {SubArea: self.sub_areas} if "sub_areas" in self.__dict__ else {}
        return {
            Area: self.areas,
            **sub_areas,
            Location: self.locations,
            Room: self.rooms,
            Organizer: self.organizers,
            EventType: self.types,
            Language: self.languages,
        }

    @cached_property
    def area(self) -> Area:
        """The area that was asked for, else the source's, else that of the conference's title.

        The source's is the one in which most of its events are: it may have been renamed here, and
        another part of the same conference's schedule may have another title.
        """
        usual = None if self.order.area else _most_common(self.events, "area")
        if usual:
            return self.areas.named(usual.name)
        name = self.order.area or self.order.otherwise or self.order.title
        full_name = truncate(name, length_of(Area, "full_name"))
        return self.area_named(full_name)

    @cached_property
    def _last(self) -> int:
        """The order of new areas: after all that are there."""
        return 1 + max((area.sort_order for area in self.areas.rows.values() if area.pk), default=-1)

    @cached_property
    def sub_areas(self) -> NamedRows:
        return NamedRows(
            _sub_areas(), lambda name: SubArea(area=self.area, name=name), SubArea, ["name", "full_name"]
        )

    def area_named(self, name: str) -> Area:
        """Return the area of a name or full name."""
        if self.areas.knows(fold(name)):
            return self.areas.named(name)
        area: Area = self.areas.named(truncate(name, length_of(Area, "name")))
        if area.pk is None and area.name != name:
            area.full_name = truncate(name, length_of(Area, "full_name"))
        return area

    def sub_area(self, area: Area, name: str) -> Any:
        """Return an area's sub area of a name or full name."""
        name = truncate(name, length_of(SubArea, "name"))
        return self.sub_areas.keyed((identity(area), fold(name)), lambda: SubArea(area=area, name=name))

    def place(self, location: str, address: str, room: str) -> dict[str, Any]:
        """Return the rows of a location and a room by their names; '' is the source's own location."""
        if location:
            found = self._location(location, address)
            return {"location": found, "room": self._room(found, room) if room else None}
        if room and not self.order.venue and not self.rooms.knows(fold(room)):
            # Rooms of no place that is known are places.
            return {"location": self._location(room, address), "room": None}
        inside = self.rooms.optional(room)
        where = inside.location if inside else self.location
        return {"location": where and self.locations.use(where), "room": inside}

    def _location(self, name: str, address: str) -> Location:
        """Return a location by name and address. A sheet of our own tells them apart exactly.

        In others an address may be missing, as it may be here.
        """
        name = truncate(name, length_of(Location, "name"))
        address = truncate(address, length_of(Location, "address"))
        key = (address, fold(name))
        if self.locations.knows(key):
            return self.locations.use(self.locations.rows[key])  # type: ignore[no-any-return]
        known = self.locations.rows[fold(name)] if self.locations.knows(fold(name)) else None
        if not self.exact and known and (not address or not known.address):
            known.address = known.address or ("" if known.pk else address)
            return self.locations.use(known)  # type: ignore[no-any-return]
        made = Location(name=name, address=address)
        self.locations.rows.setdefault(fold(name), made)
        return self.locations.keyed(key, lambda: made)  # type: ignore[no-any-return]

    def _room(self, location: Location, name: str) -> Room:
        name = truncate(name, length_of(Room, "name"))
        key = (identity(location), fold(name))
        if key not in self.rooms.rows:
            self.rooms.know(self._rooms_everywhere)
        return self.rooms.keyed(key, lambda: Room(location=location, name=name))  # type: ignore[no-any-return]

    @cached_property
    def location(self) -> Location | None:
        """The source's location, found like its area, else that of the conference's venue, if any."""
        if not self.order.venue:
            return None
        usual = _most_common(self.events, "location")
        if usual:
            return self.locations.use(usual)  # type: ignore[no-any-return]
        return self.locations.named(truncate(self.order.venue, length_of(Location, "name")))

    @cached_property
    def _rooms_everywhere(self) -> dict[Any, Room]:
        rooms = Room.objects.select_related("location")
        return {(room.location_id, room.name_key): room for room in rooms}

    def _rooms(self) -> dict[str, Room]:
        """Return the rooms of the source's location, and before those any that its events are in.

        Somebody may have moved them to another location here.
        """
        events = self.events.order_by()
        occasions = Occasion.objects.filter(event__in=events).order_by()
        used = Q(pk__in=events.values("room")) | Q(pk__in=occasions.values("room"))
        here = Q(location__in=events.values("location")) | Q(location__name_key=fold(self.order.venue))
        rooms = Room.objects.select_related("location").order_by("-id")
        return _by_name(rooms.filter(here)) | _by_name(rooms.filter(used))


def _most_common(events: QuerySet[Event], field: str) -> Any:
    """Return the row that most events refer to, None where none does."""
    used = Counter(getattr(event, field) for event in events.select_related(field).order_by("id"))
    used.pop(None, None)
    return used.most_common(1)[0][0] if used else None


def _by_name(rows: Iterable[Any]) -> dict[str, Any]:
    return {fold(row.name): row for row in rows}


def _locations() -> dict[Any, Location]:
    """Return the locations by name, and by address and name."""
    locations = list(Location.objects.order_by("-id"))
    return {(each.address, fold(each.name)): each for each in locations} | _by_name(locations)


def _sub_areas() -> dict[Any, SubArea]:
    """Return the sub areas by their area and name or full name."""
    found = list(SubArea.objects.all())
    full_names = {(each.area_id, fold(each.full_name)): each for each in found if each.full_name}
    return full_names | {(each.area_id, fold(each.name)): each for each in found}


def _areas() -> dict[str, Area]:
    areas = list(Area.objects.all())
    full_names = {fold(area.full_name): area for area in areas if area.full_name}
    return full_names | _by_name(areas)


def _types() -> dict[str, EventType]:
    types = list(EventType.objects.all())
    english = {fold(kind.name_en): kind for kind in types if kind.name_en}
    return english | {fold(kind.name_sv): kind for kind in types}


def _new_type(name: str) -> EventType:
    return EventType(name_sv=name, name_en="Other" if name == OTHER else name)


def _languages() -> dict[str, Language]:
    return {fold(language.code): language for language in Language.objects.all()}


def _new_language(code: str) -> Language:
    """Return a language with its names, as far as Django knows them, else with its code for a name."""
    try:
        info = get_language_info(code)
    except KeyError:
        return Language(code=code, name_sv=code)
    with override("sv"):
        return Language(code=code, name_sv=str(info["name_translated"]), name_en=info["name"])
