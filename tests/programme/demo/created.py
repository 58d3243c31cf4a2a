"""The demo as it is created at some instant."""

from datetime import UTC, datetime

from django.db import transaction

from feeds.festival_time import FestivalTime
from feeds.programme import Programme
from feeds.vocabulary import Event
from programme.demo import creation as demo
from programme.publishing.loading import load

STOCKHOLM = FestivalTime()
NOON = datetime(2026, 7, 29, 10, 0, tzinfo=UTC)


def create_at(instant: datetime, festival_time: FestivalTime = STOCKHOLM) -> Programme:
    with transaction.atomic():
        demo.clear()
        demo.create(instant, festival_time)
        return load()


def events_of(programme: Programme) -> list[Event]:
    return list({occasion.event.id: occasion.event for occasion in programme.occasions}.values())
