"""Reads the interface's JSON, from one file or several, into contents that keep all IDs."""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from feeds.vocabulary import Text
from programme.exchange.readers.entries import (
    CHECK_THE_YEAR,
    DEFAULT_DURATION,
    NO_END,
    is_storable,
    parse_instant,
)
from programme.exchange.readers.fields import as_dict, as_list, fit_line, read_text
from programme.exchange.readers.interface.documents import Documents, View, descend, read_documents
from programme.exchange.readers.interface.occasions import (
    Calendar,
    choose_start,
    find_end,
    find_start,
    list_urls,
)
from programme.exchange.readers.interface.properties import (
    PropertyReader,
    read_area_views,
    read_fields,
    read_id,
    read_stream,
)
from programme.exchange.values import (
    Conference,
    Contents,
    ImportDefaults,
    Problem,
    ReadResult,
    ScheduledEvent,
    ScheduledOccasion,
    group_by,
)
from programme.models import Area, Event, SubArea
from programme.models.change_marks import NO_NOTE, build_note

# When something was marked as changed, and the note.
Mark = tuple[dt.datetime | None, Text]
Place = tuple[str, str, str]
NO_PLACE: Place = ("", "", "")


class OccasionState(NamedTuple):
    """What an element says that holds for its occasion."""

    cancelled: bool
    place: Place
    mark: Mark

    @property
    def more(self) -> dict[str, Any]:
        """The fields of an event that itself states it."""
        changed_at, note = self.mark
        return {
            "cancelled": self.cancelled,
            "place": self.place,
            "changed_at": changed_at,
            **build_note(note),
        }


class EventReader:
    """Reads events; of one that cannot be read a problem remains."""

    def __init__(self, defaults: ImportDefaults, calendar: Calendar, properties: PropertyReader) -> None:
        self.defaults = defaults
        self.calendar = calendar
        self.properties = properties
        self.problems: list[Problem] = []
        self.unread_keys: set[str] = set()
        self.unread_guids: set[str] = set()

    def read(self, key: int, views: list[View]) -> ScheduledEvent | None:
        """Return the event of all elements that have its ID, in all languages, Swedish ones first."""
        title = fit_line(Event, "title", read_text(views[0].table, "title"))
        if not title:
            self._leave_out(key, str(key), _("left out, because it has no title"))
            return None
        states = self._read_states(views)
        # What the event itself states, so that each occasion can state what differs from it.
        shared = OccasionState(
            cancelled=all(state.cancelled for state in states.values()),
            place=_find_shared_place(state.place for state in states.values()),
            mark=_find_shared_mark([state.mark for state in states.values()]),
        )
        occasions = self._read_occasions(views, title, states, shared)
        if not occasions:
            self._leave_out(key, title, _("left out, because none of its occasions can be read"))
            return None
        fields = read_fields(Event, views, lambda what: self.problems.append(Problem(title, what)))
        return ScheduledEvent(
            key=str(key),
            source_id=str(key),
            row_id=key,
            title=fields.pop("title"),
            cancelled=shared.cancelled,
            language=self.properties.read_language(descend(views, "language")),
            type=self.properties.read_type(descend(views, "type")),
            organizer=self.properties.read_organizer(descend(views, "organizer")),
            occasions=tuple(sorted(occasions, key=lambda each: (each.start, each.end, each.row_id))),
            external_url=fields.pop("external_url"),
            image_url=fields.pop("image_url"),
            more=fields | self._read_areas(views) | shared.more,
        )

    def _leave_out(self, key: int, where: str, why: str) -> None:
        self.problems.append(Problem(where, why, left_out=True))
        self.unread_keys.add(str(key))

    def _read_areas(self, views: list[View]) -> dict[str, str]:
        area = self.properties.read_area(Area, descend(views, "area"))
        if not area:
            return {}
        return {"area": area, "sub_area": self.properties.read_area(SubArea, descend(views, "subArea"), area)}

    # --- Occasions ------------------------------------------------------------------------------

    def _read_states(self, views: list[View]) -> dict[int, OccasionState]:
        """Return what holds for the occasions that have an element, by their IDs."""
        by_id = group_by(views, lambda view: read_id(as_dict(view.table.get("occation"))))
        return {key: self._read_state(each) for key, each in by_id.items()}

    def _read_state(self, views: list[View]) -> OccasionState:
        table = views[0].table
        changed_at = parse_instant(read_text(table, "changeTimestamp"), self.defaults.zone)
        note = _read_note(views)
        place = self.properties.read_place(descend(views, "location"))
        return OccasionState(table.get("cancelled") is True, place, (changed_at, note))

    def _read_occasions(
        self, views: list[View], title: str, states: dict[int, OccasionState], shared: OccasionState
    ) -> list[ScheduledOccasion]:
        tables: dict[int, list[View]] = {}
        for view in views:
            for each in map(as_dict, (view.table.get("occation"), *as_list(view.table.get("allOccations")))):
                if key := read_id(each):
                    tables.setdefault(key, []).append(View(view.language, each))
        found = (
            self._read_occasion(key, each, title, states.get(key), shared) for key, each in tables.items()
        )
        return [occasion for occasion in found if occasion]

    def _read_occasion(
        self, key: int, views: list[View], title: str, state: OccasionState | None, shared: OccasionState
    ) -> ScheduledOccasion | None:
        table = views[0].table
        stated = find_start(table, self.defaults)
        if stated is None:
            self._skip_occasion(key, title, _("left out, because its start cannot be read"))
            return None
        known = self.calendar.find(list_urls(views), title, stated)
        start = choose_start(stated, known, self.defaults)
        end = find_end(views, start, known, self.defaults)
        if not is_storable(start, end or start):
            self._skip_occasion(key, title, _("left out: %(why)s") % {"why": CHECK_THE_YEAR})
            return None
        note = "" if end else str(NO_END)
        if note:
            self.problems.append(Problem(title, note))
        # An occasion states what differs from its event.
        state = state or shared
        own_place = state.place != shared.place
        location, address, room = state.place if own_place else NO_PLACE
        changed_at, change = state.mark if state.mark != shared.mark else (None, NO_NOTE)
        return ScheduledOccasion(
            guid=str(key),
            row_id=key,
            start=start,
            end=end or start + DEFAULT_DURATION,
            cancelled=state.cancelled and not shared.cancelled,
            location=location,
            address=address,
            room=room,
            own_place=own_place,
            **build_note(change),
            note=note,
            uid=known.uid if known else "",
            more={"changed_at": changed_at, "stream": read_stream(as_dict(table.get("stream")))},
        )

    def _skip_occasion(self, key: int, title: str, why: str) -> None:
        self.problems.append(Problem(title, why, left_out=True))
        self.unread_guids.add(str(key))


def _read_note(views: list[View]) -> Text:
    """Return the note in both languages: an absent one is shown as the other."""
    notes = {each.language: read_text(each.table, "changeInfo") for each in reversed(views)}
    fitted = {language: fit_line(Event, "change_info", note) for language, note in notes.items()}
    sv, en = fitted.get("sv", ""), fitted.get("en", "")
    return Text(sv, en if en != sv else "")


def _find_shared_place(places: Iterable[Place]) -> Place:
    """Return the place of most occasions, unless another one could not be stated beside it.

    An occasion cannot be without a location that its event has, nor without a room of the event's location.
    """
    counts = Counter(places)
    if NO_PLACE in counts:
        return NO_PLACE
    location, address, room = counts.most_common(1)[0][0]
    return (location, address, "" if (location, address, "") in counts else room)


def _find_shared_mark(marks: list[Mark]) -> Mark:
    """Return the earliest mark: an occasion's own holds if it is not earlier than its event's."""
    unmarked = [mark for mark in marks if mark[0] is None]
    if unmarked:
        # A note without a mark is its event's, unless another occasion has none.
        return (None, NO_NOTE) if (None, NO_NOTE) in unmarked else Counter(unmarked).most_common(1)[0][0]
    first = min(moment for moment, _note in marks if moment)
    return Counter(mark for mark in marks if mark[0] == first).most_common(1)[0][0]


# The fields that elements state; all others are among those of each event.
_STATED = frozenset({"title", "cancelled", "type", "organizer", "language", "location", "room"}) | {
    "external_url",
    "image_url",
}


def read_interface(content: bytes, defaults: ImportDefaults) -> ReadResult:
    documents = read_documents(content)
    calendar = Calendar(documents.calendars, defaults)
    properties = PropertyReader()
    for area in read_area_views(documents.areas):
        properties.read_area(Area, area)
    reader = EventReader(defaults, calendar, properties)
    contents = Contents(
        events=tuple(_read_events(reader, documents, defaults)),
        problems=(*_list_missing(documents, calendar), *reader.problems),
        stated=_STATED,
        unread_keys=frozenset(reader.unread_keys),
        unread_guids=frozenset(reader.unread_guids),
        properties=properties.found,
    )
    # The source is the service that the festival moves from, whether a calendar names the festival or not.
    return ReadResult(Conference(title=calendar.title, acronym=_find_host(documents)), contents)


def _read_events(
    reader: EventReader, documents: Documents, defaults: ImportDefaults
) -> Iterator[ScheduledEvent]:
    by_id = group_by(documents.events, lambda view: read_id(view.table))
    nameless = by_id.pop(0, [])
    if nameless:
        what = _("left out, because they have no usable ID: %(count)d") % {"count": len(nameless)}
        reader.problems.append(Problem(_("the file"), what, left_out=True))
    for key, views in defaults.progress(list(by_id.items())):
        event = reader.read(key, views)
        if event:
            yield event


def _find_host(documents: Documents) -> str:
    occasions = (as_dict(view.table.get("occation")) for view in documents.events)
    urls = (url for each in occasions for url in list_urls([View("sv", each)]))
    with suppress(ValueError):
        return next(filter(None, (urlsplit(url).hostname for url in urls)), "")
    return ""


def _list_missing(documents: Documents, calendar: Calendar) -> Iterator[Problem]:
    """Yield what another file would complete, and what it means that it is not there."""
    if calendar.is_empty:
        what = _(
            "there is no calendar (events.ics) beside it: calendars that people subscribe to will show every "
            "occasion as a new one, because its UID is in that file alone"
        )
        yield Problem(_("the file"), what, whole=True)
    if not documents.areas:
        what = _("there is no areas.json beside it: areas without events are not in it, nor the areas’ order")
        yield Problem(_("the file"), what, whole=True)
    languages = {view.language for view in documents.events}
    texts = (as_dict(view.table.get(name)) for view in documents.events for name in ("intro", "description"))
    if len(languages) == 1 and not any(text.get("sv") and text.get("en") for text in texts):
        what = _(
            "its texts are in one language: add the events.json of the other one (language=en, language=sv)"
        )
        yield Problem(_("the file"), what, whole=True)
