"""Makes `/api/events.json` from the document of `/api/programme` and an instant, as an app would.

It knows the two documents and nothing else of the service.
"""

import json
from collections import Counter
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

Json = dict[str, Any]

DAYS = {
    "sv": ["måndag", "tisdag", "onsdag", "torsdag", "fredag", "lördag", "söndag"],
    "en": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
}
MONTHS = {
    "sv": [
        *("januari", "februari", "mars", "april", "maj", "juni"),
        *("juli", "augusti", "september", "oktober", "november", "december"),
    ],
    "en": [
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    ],
}
NEAR = {"sv": {-1: "igår", 0: "idag", 1: "imorgon"}, "en": {-1: "yesterday", 0: "today", 1: "tomorrow"}}
# Of areas and sub areas, with what stands in their places.
AREA = [
    *("id", "name", "fullName", "color", "location", "address", "info", "externalUrl"),
    *("eventCount", "occationCount"),
]


class Derived:
    def __init__(self, document: Json, now: datetime, language: str) -> None:
        self.document, self.language = document, language
        self.now = now.astimezone(ZoneInfo(document["festival"]["timeZone"]))
        kinds = ("areas", "subAreas", "locations", "rooms", "organizers", "types", "events")
        self.by_id = {kind: {each["id"]: each for each in document[kind]} for kind in kinds}
        self.languages = {each["code"]: each for each in document["languages"]}
        self.occasions = document["occasions"]
        self.of_event: dict[int, list[Json]] = {}
        for occasion in self.occasions:
            self.of_event.setdefault(occasion["eventID"], []).append(occasion)

    def write(self) -> bytes:
        elements = [self.element(each) for each in self.occasions]
        return json.dumps(elements, ensure_ascii=False, separators=(",", ":")).encode()

    def element(self, occasion: Json) -> Json:
        event = self.by_id["events"][occasion["eventID"]]
        siblings = self.of_event[event["id"]]
        event_type = self.by_id["types"][event["typeID"]]
        return {
            "id": event["id"],
            "area": self.area(self.by_id["areas"][event["areaID"]]),
            "subArea": self.sub_area(self.by_id["subAreas"].get(event["subAreaID"])),
            "title": event["title"],
            "organizer": self.organizer(self.by_id["organizers"].get(event["organizerID"])),
            "signInterpreted": "sign-language" in occasion["facts"].get("access", ()),
            **{name: event[name] for name in ("highlighted", "production")},
            "cancelled": occasion["cancelled"],
            "recurring": len(siblings) > 1,
            "language": self.languages.get(event["language"]),
            "type": event_type,
            "location": self.location(occasion),
            "occation": self.occation(occasion),
            **{name: event[name] for name in ("price", "intro", "description", "imageUrl", "imageCaption")},
            **{name: event[name] for name in ("externalUrl", "ticketUrl")},
            "allOccations": [self.occation(each) for each in siblings],
            "updated": self.is_updated(occasion["changeTimestamp"]),
            "changeInfo": self.localize(occasion["changeNote"]),
            "changeTimestamp": occasion["changeTimestamp"],
            "lastModified": event["lastModified"],
        }

    def localize(self, text: Json | None) -> str | None:
        first, second = ("en", "sv") if self.language == "en" else ("sv", "en")
        return text and (text[first] or text[second])

    def is_updated(self, changed: str | None) -> bool:
        if changed is None:
            return False
        return timedelta() <= self.now - datetime.fromisoformat(changed) < timedelta(hours=36)

    # --- Counts

    def within(self, **ids: int) -> list[Json]:
        """Return the occasions of the events that refer to these IDs."""
        events = self.by_id["events"]
        return [
            each
            for each in self.occasions
            if all(events[each["eventID"]][name] == key for name, key in ids.items())
        ]

    def counts(self, found: list[Json], names: tuple[str, str] = ("eventCount", "occationCount")) -> Json:
        return {names[0]: len({each["eventID"] for each in found}), names[1]: len(found)}

    def area(self, area: Json) -> Json:
        found = self.within(areaID=area["id"])
        inside = [each for each in found if self.by_id["events"][each["eventID"]]["subAreaID"] is not None]
        counts = self.counts(found)
        return {
            **{name: counts[name] if name in counts else area[name] for name in AREA},
            "price": area["price"],
            "ticketUrl": area["ticketUrl"],
            **self.counts(inside, ("subAreaEventCount", "subAreaOccationCount")),
            "days": self.days(area["days"], found),
            "streams": area["streams"],
        }

    def sub_area(self, sub_area: Json | None) -> Json | None:
        if sub_area is None:
            return None
        counts = self.counts(self.within(areaID=sub_area["areaID"], subAreaID=sub_area["id"]))
        return {
            **{name: counts[name] if name in counts else sub_area[name] for name in AREA},
            "days": self.days([], self.within(subAreaID=sub_area["id"])),
            "streams": sub_area["streams"],
        }

    def days(self, entered: list[Json], found: list[Json]) -> list[Json]:
        by_id = {each["dayID"]: each for each in entered}
        held = Counter(each["dayID"] for each in found)
        return [self.day(key, by_id.get(key, {}), held[key]) for key in sorted({*by_id, *held})]

    def day(self, key: int, entered: Json, count: int) -> Json:
        day = date(key // 10_000, key // 100 % 100, key % 100)
        name = f"{DAYS[self.language][day.weekday()]} {day.day} {MONTHS[self.language][day.month - 1]}"
        return {
            "date": str(day),
            "name": name,
            "opens": entered.get("opens"),
            "closes": entered.get("closes"),
            "openTimeSpan": hours(entered.get("opens"), entered.get("closes")),
            "ticketOpens": entered.get("ticketOpens"),
            "ticketCloses": entered.get("ticketCloses"),
            "ticketOpenTimespan": hours(entered.get("ticketOpens"), entered.get("ticketCloses")),
            "title": entered.get("title"),
            "priceInfo": entered.get("priceInfo"),
            "occationCount": count,
        }

    def organizer(self, organizer: Json | None) -> Json | None:
        if organizer is None:
            return None
        counts = self.counts(self.within(organizerID=organizer["id"]))
        names = ("id", "name", "info", "externalUrl")
        return {name: organizer[name] for name in names} | counts | {"offerCount": organizer["offerCount"]}

    # --- Places and times

    def location(self, occasion: Json) -> Json | None:
        location = self.by_id["locations"].get(occasion["locationID"])
        if location is None:
            return None
        room = self.by_id["rooms"].get(occasion["roomID"])
        empty = {"en": None, "sv": None}
        return {
            "name": location["name"],
            "isOnline": location["isOnline"],
            "address": location["address"],
            "room": room and room["name"],
            "fullName": f"{location['name']}, {room['name']}" if room else location["name"],
            "floor": room and room["floor"],
            "accessibilityInfo": location["accessibilityInfo"],
            "roomAccessibilityInfo": room["accessibilityInfo"] if room else empty,
            "publicTransportStation": location["publicTransportStation"],
        }

    def occation(self, occasion: Json) -> Json:
        start, end = (datetime.fromisoformat(occasion[name]) for name in ("startsAt", "endsAt"))
        return {
            "id": occasion["id"],
            "dayID": occasion["dayID"],
            "date": str(start.date()),
            "startTime": str(start.time()),
            "endTime": str(end.time()),
            "stream": occasion["stream"],
            "start": f"{start:%H:%M}",
            "timeSpan": self.time_span(start.replace(tzinfo=None), end.replace(tzinfo=None)),
            "url": occasion["url"] or self.urls(occasion["id"]),
        }

    def urls(self, occasion_id: int) -> Json:
        templates = self.document["festival"]["occasionUrl"]
        return {language: url.replace("{id}", str(occasion_id)) for language, url in templates.items()}

    def time_span(self, start: datetime, end: datetime) -> str:
        first = f"{self.label(start.date())} {start:%H:%M}"
        if end - start < timedelta(hours=24):
            return f"{first}–{end:%H:%M}"
        return f"{first}–{self.label(end.date())} {end:%H:%M}"

    def label(self, day: date) -> str:
        today = self.now.date()
        if near := NEAR[self.language].get((day - today).days):
            return near
        short = (
            f"{DAYS[self.language][day.weekday()][:3]} {day.day} {MONTHS[self.language][day.month - 1][:3]}"
        )
        return short if day.year == today.year else f"{short} {day.year}"


def hours(opens: str | None, closes: str | None) -> str | None:
    return f"{opens[:5]}–{closes[:5]}" if opens and closes else None


def derive_events(document: Json, now: datetime, language: str = "sv") -> bytes:
    return Derived(document, now, language).write()
