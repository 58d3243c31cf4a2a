"""Reads what another service answers, as tables that refer to each other by ID, like `/api/programme`."""

from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from feeds.facts import SIGN_LANGUAGE, group_tokens
from programme.exchange.readers.fields import as_dict, as_dicts, read_document
from programme.exchange.readers.ical.lines import parse_calendars
from programme.exchange.values import UnreadableFileError
from programme.models.cleaning import clean_line

Table = dict[str, Any]
# By their names in `/api/programme`.
Tables = dict[str, list[Table]]


def read_folder(folder: Path) -> Tables:
    """Return the tables of the files in a folder: `/api/programme` if it is there, else the interface's."""
    calendar = _Calendar((folder / "events.ics").read_bytes())
    if (whole := folder / "programme.json").exists():
        return _read_programme(as_dict(_read(whole)), calendar)
    names = ("areas", "events", "events-en")
    areas, swedish, english = (as_dicts(_read(folder / f"{name}.json")) for name in names)
    translated = {_key(each): each for each in english}
    interface = _Interface(calendar)
    for area in areas:
        interface.add("areas", area)
    for element in swedish:
        interface.add_element(merge(element, translated.get(_key(element), {})))
    tables = {name: list(found.values()) for name, found in interface.found.items()}
    return tables | {"festival": [{"name": {"sv": calendar.name, "en": None}}]}


def _read(path: Path) -> Any:
    try:
        return read_document(path.read_bytes())
    except UnreadableFileError as reason:
        raise UnreadableFileError(f"{path.name}: {reason}") from None


def _read_programme(document: Table, calendar: "_Calendar") -> Tables:
    festival = as_dict(document.get("festival"))
    pages = as_dict(festival.get("occasionUrl")).get("sv") or ""
    tables = {name: as_dicts(each) for name, each in document.items()} | {"festival": [festival]}
    for each in tables["occasions"]:
        url = as_dict(each["url"]).get("sv") or pages.replace("{id}", str(each["id"]))
        each.update(calendar.find(url))
    for each in tables.get("editions", ()):
        each["isCurrent"] = each["slug"] == document["edition"]
    return tables


class _Calendar:
    """What a calendar says of occasions, by their Swedish addresses, and its name."""

    def __init__(self, content: bytes) -> None:
        calendar = parse_calendars(content)[0]
        self.name = clean_line(calendar.text("X-WR-CALNAME"))
        self._events = {each.text("URL"): each for each in calendar.components if each.name == "VEVENT"}

    def find(self, url: Any) -> Table:
        """Return the UID of an occasion, and when it begins and ends."""
        if url not in self._events:
            message = _("the calendar does not have %(url)s: fetch all files again, at once")
            raise UnreadableFileError(message % {"url": url})
        event = self._events[url]
        times = (datetime.strptime(event.text(name), "%Y%m%dT%H%M%S%z") for name in ("DTSTART", "DTEND"))
        return {"uid": event.text("UID").strip()} | dict(zip(("startsAt", "endsAt"), times, strict=True))


# --- The interface --------------------------------------------------------------------------


def _key(element: Table) -> tuple[Any, Any]:
    return element.get("id"), as_dict(element.get("occation")).get("id")


def merge(swedish: Any, english: Any) -> Any:
    """Return a value of the Swedish document with the English texts of the other one."""
    if not (isinstance(swedish, dict) and isinstance(english, dict)):
        return swedish
    merged = {name: merge(value, english.get(name)) for name, value in swedish.items()}
    if "changeInfo" in swedish:
        sv, en = swedish["changeInfo"], english.get("changeInfo")
        merged["changeNote"] = {"sv": sv, "en": en if en != sv else None}
    return merged | {"en": swedish["en"] or english.get("en")} if {*swedish} == {"en", "sv"} else merged


class _Interface:
    """Collects what stands in many elements, each once, under the names that it has in `/api/programme`."""

    def __init__(self, calendar: _Calendar) -> None:
        self.calendar = calendar
        self.found: dict[str, dict[Any, Table]] = defaultdict(dict)

    def add(self, name: str, table: Any, key: Any = None, **more: Any) -> Any:
        """Add a table, and return its ID, which is a number if it states none; None without a table."""
        if not isinstance(table, dict):
            return None
        found = self.found[name]
        return found.setdefault(key or table["id"], {"id": len(found) + 1} | table | more)["id"]

    def add_element(self, element: Table) -> None:
        area, language = self.add("areas", element["area"]), as_dict(element.get("language"))
        if language:
            self.add("languages", language, language["code"])
        event = self.add(
            "events",
            element,
            areaID=area,
            subAreaID=self.add("subAreas", element.get("subArea"), areaID=area),
            organizerID=self.add("organizers", element.get("organizer")),
            typeIDs=[self.add("types", element.get("type"))],
            language=language.get("code"),
        )
        occasion = element["occation"]
        stated = {name: element.get(name) for name in ("cancelled", "changeNote", "changeTimestamp")}
        # The interface says of an occasion what a performance has.
        stated["facts"] = group_tokens([SIGN_LANGUAGE] if element.get("signInterpreted") else ())
        stated |= {"id": occasion["id"], "stream": occasion.get("stream"), "eventID": event}
        place = self.add_place(as_dict(element.get("location")))
        self.add("occasions", stated | place | self.calendar.find(as_dict(occasion["url"]).get("sv")))

    def add_place(self, location: Table) -> Table:
        """Add a location and its room, and return their IDs by the names that occasions have for them."""
        if not location:
            return {}
        key, room = (location.get("address"), location["name"]), location.get("room")
        location_id = self.add("locations", location, key)
        table = {"name": room, "floor": location.get("floor"), "locationID": location_id}
        table |= {"accessibilityInfo": location.get("roomAccessibilityInfo")}
        return {"locationID": location_id, "roomID": self.add("rooms", table, (*key, room)) if room else None}
