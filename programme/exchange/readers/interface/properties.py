"""Collects what documents say of areas, organizers, places and the like, which stand in many events."""

import datetime as dt
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from feeds.names import fold
from feeds.vocabulary import LANGUAGES, LanguageCode
from programme.exchange.readers.fields import as_dict, as_list, fit_line, parse_web_address
from programme.exchange.readers.interface.documents import Table, View
from programme.exchange.values import NamedProperties, NameKey, StreamNames
from programme.models import (
    Area,
    AreaDay,
    EventType,
    Language,
    Location,
    Organizer,
    Room,
    Stream,
    StreamSource,
    SubArea,
)
from programme.models.cleaning import clean_line, clean_prose
from programme.models.fields import Color

# As large as JavaScript reads exactly; and the database counts on from the largest.
_LARGEST_ID = 2**52


def read_id(table: Table) -> int:
    """Return the ID of a table, 0 without a usable one."""
    found = table.get("id")
    usable = isinstance(found, int) and not isinstance(found, bool) and 0 < found < _LARGEST_ID
    return int(found) if usable else 0  # type: ignore[arg-type]


def read_text(table: Table, name: str) -> str:
    found = table.get(name)
    return found if isinstance(found, str) else ""


def read_line(model: type, field: str, table: Table, name: str) -> str:
    return fit_line(model, field, read_text(table, name))


def read_link(table: Table, name: str) -> str:
    return parse_web_address(read_text(table, name))


def read_number(table: Table, name: str) -> int:
    found = table.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else 0


def read_color(table: Table) -> str:
    color = read_text(table, "color").strip().lower()
    if re.fullmatch("#[0-9a-f]{3}", color):
        color = "#" + "".join(digit * 2 for digit in color[1:])
    return color if re.fullmatch(Color.pattern, color) else ""


def read_clock(table: Table, name: str) -> dt.time | None:
    try:
        return dt.time.fromisoformat(read_text(table, name)).replace(tzinfo=None)
    except ValueError:
        return None


def read_texts(views: Iterable[View], name: str, field: str) -> dict[str, str]:
    """Return the texts of a Translatable by the fields of the model, from the documents of all languages."""
    views, found = list(views), {}
    for language in LANGUAGES:
        texts = (_text_in(view, view.table.get(name), language) for view in views)
        found[f"{field}_{language}"] = clean_prose(next(filter(None, texts), ""))
    return found


def read_names(model: type, views: Iterable[View]) -> dict[str, str]:
    """Return the names of a Translatable; the Swedish one is never missing where there is one."""
    texts = read_texts(views, "name", "name")
    swedish = texts["name_sv"] or texts["name_en"]
    return {
        "name_sv": fit_line(model, "name_sv", swedish),
        "name_en": fit_line(model, "name_en", texts["name_en"]),
    }


def _text_in(view: View, value: Any, language: LanguageCode) -> str:
    """Return the text of a Translatable; a plain one is in the language that was asked for."""
    if isinstance(value, str):
        return value if view.language == language else ""
    text = as_dict(value).get(language)
    return text if isinstance(text, str) else ""


_CLOCKS = {
    "opens": "opens",
    "closes": "closes",
    "ticket_opens": "ticketOpens",
    "ticket_closes": "ticketCloses",
}
Properties = dict[NameKey, NamedProperties]


class PropertyReader:
    """Reads each thing once, from all languages; what stands in a document first is taken."""

    def __init__(self) -> None:
        self.found: Properties = {}

    def read_area(self, views: list[View]) -> str:
        """Return an area's name."""
        name = _read_name(Area, views)
        if name and (key := ("area", fold(name))) not in self.found:
            table = views[0].table
            more = {
                "price": read_line(Area, "price", table, "price"),
                "ticket_url": read_link(table, "ticketUrl"),
            }
            self.found[key] = NamedProperties(
                read_id(table), _area_fields(Area, views) | more, read_streams(table), _read_days(table)
            )
        return name

    def read_sub_area(self, area: str, views: list[View]) -> str:
        name = _read_name(SubArea, views)
        if name and (key := ("sub_area", fold(area), fold(name))) not in self.found:
            table = views[0].table
            self.found[key] = NamedProperties(
                read_id(table), _area_fields(SubArea, views), read_streams(table)
            )
        return name

    def read_organizer(self, views: list[View]) -> str:
        name = _read_name(Organizer, views)
        if name and (key := ("organizer", fold(name))) not in self.found:
            table = views[0].table
            fields = {
                "name": name,
                **read_texts(views, "info", "info"),
                "external_url": read_link(table, "externalUrl"),
                "offer_count": read_number(table, "offerCount"),
            }
            self.found[key] = NamedProperties(read_id(table), fields)
        return name

    def read_type(self, views: list[View]) -> str:
        names = read_names(EventType, views)
        name = names["name_sv"]
        if name and (key := ("type", fold(name))) not in self.found:
            table = views[0].table
            self.found[key] = NamedProperties(read_id(table), names | {"color": read_color(table)})
        return name

    def read_language(self, views: list[View]) -> str:
        code = read_line(Language, "code", views[0].table, "code") if views else ""
        if code and (key := ("language", fold(code))) not in self.found:
            names = read_names(Language, views)
            self.found[key] = NamedProperties(fields=names if names["name_sv"] else {})
        return code

    def read_place(self, views: list[View]) -> tuple[str, str, str]:
        """Return the names of a location, its address and a room; '' where there is none."""
        table = views[0].table if views else {}
        location = read_line(Location, "name", table, "name")
        address = read_line(Location, "address", table, "address")
        room = read_line(Room, "name", table, "room")
        location = location or address
        if not location:
            return "", "", ""
        key = ("location", address, fold(location))
        if key not in self.found:
            station = "public_transport_station"
            fields = {
                "online": table.get("isOnline") is True,
                **read_texts(views, "accessibilityInfo", "accessibility"),
                station: read_line(Location, station, table, "publicTransportStation"),
            }
            self.found[key] = NamedProperties(fields=fields)
        within = ("room", *key[1:], fold(room))
        if room and within not in self.found:
            fields = {
                "floor": read_line(Room, "floor", table, "floor"),
                **read_texts(views, "roomAccessibilityInfo", "accessibility"),
            }
            self.found[within] = NamedProperties(fields=fields)
        return location, address, room


def read_streams(table: Table) -> tuple[StreamNames, ...]:
    found = (read_stream(as_dict(each)) for each in as_list(table.get("streams")))
    return tuple(filter(None, found))


def read_stream(table: Table) -> StreamNames | None:
    name, url = read_line(Stream, "name", table, "name"), read_link(table, "url")
    source = read_number(table, "source")
    return (name or url[:200], url, source if source in StreamSource.values else 0) if url else None


def read_area_views(elements: Iterable[View]) -> list[list[View]]:
    """Return the areas of areas.json in their order, each with its tables in all languages."""
    by_id: dict[int, list[View]] = {}
    for number, view in enumerate(elements):
        by_id.setdefault(read_id(view.table) or -number, []).append(view)
    return list(by_id.values())


def _read_name(model: type, views: list[View]) -> str:
    """Return a name, in one line that fits; a short name may be missing beside a full one."""
    table = views[0].table if views else {}
    return fit_line(model, "name", clean_line(read_text(table, "name")) or read_text(table, "fullName"))


def _area_fields(model: type, views: list[View]) -> dict[str, Any]:
    table = views[0].table
    name, full_name = _read_name(model, views), read_line(model, "full_name", table, "fullName")
    return {
        "name": name,
        "full_name": "" if full_name == name else full_name,
        "color": read_color(table),
        "location_name": read_line(model, "location_name", table, "location"),
        "address": read_line(model, "address", table, "address"),
        **read_texts(views, "info", "info"),
        "external_url": read_link(table, "externalUrl"),
    }


def _read_days(table: Table) -> dict[dt.date, dict[str, Any]]:
    """Return what was entered for the days of an area: days that only have occasions say nothing."""
    days = {}
    for each in map(as_dict, as_list(table.get("days"))):
        fields: dict[str, Any] = {name: read_clock(each, key) for name, key in _CLOCKS.items()}
        fields["title"] = read_line(AreaDay, "title", each, "title")
        fields["price_info"] = read_line(AreaDay, "price_info", each, "priceInfo")
        entered = any(value is not None and value != "" for value in fields.values())
        if entered or not read_number(each, "occationCount"):
            with suppress(ValueError):
                days[dt.date.fromisoformat(read_text(each, "date"))] = fields
    return days
