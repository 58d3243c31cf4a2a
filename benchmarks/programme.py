"""A generated programme of any size: realistic texts, and the same rows every time, on any database.

Texts are as long as those of a real programme of 1,600 occasions (median title 59 characters, intro
250, description 500), in both languages. Half of the events are in a sub area.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction

from feeds.festival_time import FestivalTime, build_day_id
from feeds.marks import Mark
from feeds.vocabulary import Text
from programme import models
from programme.history.news import build_pieces

FIRST_DAY = date(2026, 7, 27)
DAYS = 5
# The present of all measurements: the middle of the third day.
NOW = datetime(2026, 7, 29, 12, 7, tzinfo=UTC)
# The numbers of occasions of events, 1.8 on average.
OCCASIONS = (1, 1, 1, 2, 4)
AREAS = 20
SUB_AREAS_EACH = 2
ROOMS_EACH = 3
STREAMS_OF_OCCASIONS = 30
# One of so many occasions is in the news.
NEWS_EACH = 30

SYLLABLES = (
    *("ba", "de", "fi", "gå", "ko", "lu", "mö", "na", "pe", "ri", "så", "ty", "vä"),
    *("ler", "sten", "dal", "fors", "berg", "lund", "by", "vik", "holm", "gård", "ström"),
)
TYPES = (
    ("Konsert", "Concert"),
    ("Föreläsning", "Lecture"),
    ("Samtal", "Talk"),
    ("Utställning", "Exhibition"),
    ("Dans", "Dance"),
    ("Teater", "Theatre"),
    ("Visning", "Guided tour"),
    ("Prova på", "Try it"),
    ("Film", "Film"),
    ("Övrigt", "Other"),
)
LANGUAGES = (("sv", "svenska", "Swedish"), ("en", "engelska", "English"), ("fi", "finska", "Finnish"))


class Size(NamedTuple):
    """The numbers of shared rows in a programme of so many events."""

    events: int

    @property
    def organizers(self) -> int:
        return max(1, self.events // 2)

    @property
    def locations(self) -> int:
        return min(100, max(2, self.events // 10))


def fill(events: int) -> None:
    """Write a programme of so many published events into an empty database."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Triggers keep the plans that are made for empty tables, which read every row.
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL jit = off")
        models.Festival.objects.create(
            name_sv="Stadsfesten", name_en="City Festival", website=_link("festival")
        )
        if events:
            _ProgrammeGenerator(Size(events), Random(events)).write()  # noqa: S311 - invented texts are no secrets
        _set_times()


def _set_times() -> None:
    """Set the times that triggers maintain to constant ones."""
    models.Festival.objects.update(saved_at=NOW - timedelta(days=1))
    events = list(models.Event.objects.only("id"))
    for event in events:
        event.published_at = NOW - timedelta(days=30, seconds=event.id, microseconds=event.id)
        event.last_modified = NOW - timedelta(hours=1 + event.id % 900, microseconds=event.id)
    models.Event.objects.bulk_update(events, ["published_at", "last_modified"], batch_size=500)


def _link(path: str) -> str:
    return f"https://festival.example/{path}"


class _ProgrammeGenerator:
    """Writes each table once, in the order of foreign keys."""

    def __init__(self, size: Size, random: Random) -> None:
        self.size = size
        self.random = random
        self.time = FestivalTime()
        self.marks: dict[int, Mark] = {}

    def write(self) -> None:
        self._write(models.Day, DAYS, self._day)
        self._write(models.Area, AREAS, self._area)
        self._write(models.SubArea, AREAS * SUB_AREAS_EACH, self._sub_area)
        self._write(models.AreaDay, AREAS * DAYS, self._area_day)
        self._write(models.Stream, AREAS * (1 + SUB_AREAS_EACH) + STREAMS_OF_OCCASIONS, self._stream)
        self._write(models.Organizer, self.size.organizers, self._organizer)
        self._write(models.EventType, len(TYPES), self._type)
        self._write(models.Language, len(LANGUAGES), self._language)
        self._write(models.Location, self.size.locations, self._location)
        self._write(models.Room, self.size.locations * ROOMS_EACH, self._room)
        self._write(models.Event, self.size.events, self._event)
        models.Occasion.objects.bulk_create(self._occasions(), batch_size=500)
        rows = models.Occasion.objects.select_related("event", "location", "room__location")
        told = [*build_pieces(((row, self.marks[row.event_id]) for row in rows), edit=0)]
        # Marks alone: no festival tells so much in three weeks.
        for piece in filter(lambda each: each.occasion_id % NEWS_EACH, told):
            piece.appears_at = None
        models.News.objects.bulk_create(told, batch_size=500)

    def _write(self, model: Any, count: int, fields: Callable[[int], dict[str, Any]]) -> None:
        rows = [model(**{"id": number, **fields(number)}) for number in range(1, count + 1)]
        model.objects.bulk_create(rows, batch_size=500)

    def _text(self, length: int) -> str:
        """Return words of a random length between half and one and a half times as many characters."""
        wanted = self.random.randint(length // 2, length * 3 // 2)
        words, written = [], 0
        while written < wanted:
            words.append("".join(self.random.choices(SYLLABLES, k=self.random.randint(1, 4))))
            written += len(words[-1]) + 1
        return " ".join(words).capitalize()

    def _texts(self, name: str, length: int) -> dict[str, str]:
        return {f"{name}_sv": self._text(length), f"{name}_en": self._text(length)}

    def _color(self) -> str:
        return f"#{self.random.randrange(1 << 24):06x}"

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _day(self, number: int) -> dict[str, Any]:
        day = FIRST_DAY + timedelta(days=number - 1)
        return {"id": build_day_id(day), "date": day}

    def _area_fields(self, number: int, kind: str) -> dict[str, Any]:
        return {
            "name": f"{kind} {number}",
            "full_name": f"{kind} {number} vid {self._text(15)}",
            "color": self._color(),
            "location_name": self._text(20),
            "address": self._text(25),
            "external_url": _link(f"{kind}/{number}"),
            "sort_order": number % 7,
            **self._texts("info", 150),
        }

    def _area(self, number: int) -> dict[str, Any]:
        fields = self._area_fields(number, "Torget")
        return fields | {"price": self._text(20), "ticket_url": _link(f"tickets/{number}")}

    def _sub_area(self, number: int) -> dict[str, Any]:
        return self._area_fields(number, "Scen") | {"area_id": 1 + (number - 1) // SUB_AREAS_EACH}

    def _area_day(self, number: int) -> dict[str, Any]:
        area, day = divmod(number - 1, DAYS)
        return {
            "area_id": area + 1,
            "day_id": build_day_id(FIRST_DAY + timedelta(days=day)),
            "opens": time(9 + area % 3),
            "closes": time(23, 30),
            "ticket_opens": time(8, 30),
            "ticket_closes": time(18),
            "title": self._text(20),
            "price_info": self._text(30),
        }

    def _stream(self, number: int) -> dict[str, Any]:
        fields = {"name": f"Kanal {number}", "url": _link(f"live/{number}"), "source": number % 6}
        if number <= AREAS:
            return fields | {"area_id": number}
        if number <= AREAS * (1 + SUB_AREAS_EACH):
            return fields | {"sub_area_id": number - AREAS}
        return fields

    def _organizer(self, number: int) -> dict[str, Any]:
        return {
            "name": f"{self._text(20)} {number}",
            "external_url": _link(f"organizer/{number}"),
            "offer_count": number % 9,
            **self._texts("info", 150),
        }

    def _type(self, number: int) -> dict[str, Any]:
        sv, en = TYPES[number - 1]
        return {"name_sv": sv, "name_en": en, "color": self._color()}

    def _language(self, number: int) -> dict[str, Any]:
        return dict(zip(("code", "name_sv", "name_en"), LANGUAGES[number - 1], strict=True))

    def _location(self, number: int) -> dict[str, Any]:
        return {
            "name": f"Hus {number}",
            "address": self._text(25),
            "online": self._chance(0.05),
            "public_transport_station": self._text(15),
            **self._texts("accessibility", 80),
        }

    def _room(self, number: int) -> dict[str, Any]:
        return {
            "location_id": 1 + (number - 1) // ROOMS_EACH,
            "name": f"Sal {number}",
            "floor": f"{number % 4} tr",
            **self._texts("accessibility", 60),
        }

    def _placed(self) -> dict[str, Any]:
        location = self.random.randint(1, self.size.locations)
        room = (location - 1) * ROOMS_EACH + self.random.randint(1, ROOMS_EACH)
        return {"location_id": location, "room_id": room}

    def _event(self, number: int) -> dict[str, Any]:
        # Of all its occasions.
        told_at = NOW - timedelta(minutes=self.random.randint(1, 30_000), microseconds=number)
        self.marks[number] = Mark(told_at, Text(self._text(40)))
        sub_area = self.random.randint(1, AREAS * SUB_AREAS_EACH)
        return {
            "title": self._text(59),
            "status": models.Status.PUBLISHED,
            "area_id": 1 + (sub_area - 1) // SUB_AREAS_EACH,
            "sub_area_id": sub_area if self._chance(0.5) else None,
            "type_id": self.random.randint(1, len(TYPES)),
            "organizer_id": self.random.randint(1, self.size.organizers),
            "language_id": self.random.randint(1, len(LANGUAGES)),
            "highlighted": self._chance(0.05),
            "production": number % 4,
            "price": self._text(15),
            "ticket_url": _link(f"event/{number}/tickets"),
            "external_url": _link(f"event/{number}"),
            "image_url": _link(f"event/{number}.jpg"),
            "image_caption": self._text(40),
            **self._texts("intro", 250),
            **self._texts("description", 500),
        }

    def _occasions(self) -> Iterator[models.Occasion]:
        number = 0
        for event in range(1, self.size.events + 1):
            usual = {
                **self._placed(),
                "cancelled": self._chance(0.02),
                "access": "sign-language" if self._chance(0.1) else "",
            }
            for _ in range(OCCASIONS[event % len(OCCASIONS)]):
                number += 1
                yield self._occasion(number, event, usual)

    def _occasion(self, number: int, event: int, usual: dict[str, Any]) -> models.Occasion:
        day = FIRST_DAY + timedelta(days=self.random.randrange(DAYS))
        begins = self.random.randrange(9 * 12, 23 * 12) * 5
        lasts = self.random.choice((30, 45, 60, 60, 90, 180))
        start = self.time.instant(day, time(begins // 60, begins % 60))
        return models.Occasion(
            id=number,
            event_id=event,
            uuid=UUID(int=self.random.getrandbits(128), version=4),
            start=start,
            end=start + timedelta(minutes=lasts),
            stream_id=self._own_stream() if self._chance(0.2) else None,
            **usual | (self._placed() if self._chance(0.1) else {}),
        )

    def _own_stream(self) -> int:
        return AREAS * (1 + SUB_AREAS_EACH) + self.random.randint(1, STREAMS_OF_OCCASIONS)
