"""News of the sample programme (tests/programmes.py), written by hand."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from feeds.news import MOST_SINGLE
from programme.models import News, NewsKind, Occasion
from tests.conftest import NOW

HOUR = timedelta(hours=1)
STAGE, LAWN = {"location": 5001, "room": 6001, "place": "Stora scenen"}, {"location": 5002, "place": "Gräset"}
BATCHES = UUID("0d5cdd0b-8f0c-4d8e-9a47-6a8f5b0b7c11")
# What is gone: neither an occasion nor its event is in the programme.
GONE, GONE_EVENT = 8999, 7999


def build_state(start: datetime, end: datetime | None = None, **others: Any) -> dict[str, Any]:
    ends = end or start + HOUR
    return {"start": start.isoformat(), "end": ends.isoformat(), "cancelled": False} | STAGE | others


def write(number: int, kind: str, before: Any, after: Any, occasion_id: int = 8001, **others: Any) -> News:
    """Write a piece, by default of the number's hour before NOW, and of an edit of its own."""
    occasion = Occasion.objects.filter(id=occasion_id).select_related("event").first()
    event = occasion.event if occasion else None
    facts = {
        "title": event.title if event else "Borttagen konsert",
        "area": event.area_id if event else 1001,
        "sub_area": event.sub_area_id if event else None,
        "type": event.type_id if event else 4999,
        "organizer": event.organizer_id if event else 3999,
    }
    values = {
        "uuid": UUID(int=number),
        "edit_id": number,
        "event_id": event.id if event else GONE_EVENT,
        "occasion_id": occasion_id,
        "appears_at": NOW - number * HOUR,
        "facts": facts,
    } | others
    # It marks its occasion only where that is asked for.
    defaults = {"entry": values["uuid"], "told_at": NOW - 1000 * HOUR}
    return News.objects.create(kind=kind, before=before, after=after, **defaults | values)


def write_each_kind() -> None:
    """Write one piece of each kind and way, from the newest on, and a batch that is the oldest."""
    held = build_state(NOW + 2 * HOUR)
    notes = {"note_sv": "Det väntas <regn> & åska.", "note_en": "Rain is expected."}
    later = build_state(NOW + 4 * HOUR)
    write(1, NewsKind.MOVED, held, later | LAWN, **notes)
    write(2, NewsKind.MOVED, held, later)
    write(3, NewsKind.MOVED, held, held | LAWN)
    write(4, NewsKind.MOVED, held, build_state(NOW + 2 * HOUR, NOW + 4 * HOUR))
    write(5, NewsKind.MOVED, held, build_state(NOW + 26 * HOUR))
    write(6, NewsKind.MOVED, build_state(NOW - 300 * 24 * HOUR), held)
    write(7, NewsKind.CANCELLED, held, held | {"cancelled": True}, note_sv="Artisten är sjuk.")
    write(8, NewsKind.REINSTATED, held | {"cancelled": True}, held)
    write(9, NewsKind.NEW, {}, held | {"place": "", "location": None, "room": None})
    write(10, NewsKind.WITHDRAWN, held, {}, GONE)
    write_batch(12)


def write_batch(count: int, first: int = 100, kind: str = NewsKind.MOVED, **others: Any) -> None:
    """Write pieces of one edit; each occasion in turn."""
    occasions = [*Occasion.objects.filter(event__status="published").order_by("pk")]
    shared = {"edit_id": first, "appears_at": NOW - 11 * HOUR} | others
    named = f"{shared['edit_id']} {kind} {shared['appears_at'].isoformat()}"
    shared |= {"entry": uuid5(BATCHES, named)} if count > MOST_SINGLE else {}
    for number in range(count):
        start = NOW + (number + 1) * HOUR
        of = occasions[number % len(occasions)].id
        write(first + number, kind, build_state(start), build_state(start + HOUR), of, **shared)
