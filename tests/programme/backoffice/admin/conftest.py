"""Fixtures for tests of lists and forms: the clock, areas, a location and an event."""

import pytest

from programme.models import Area, Event, EventType, Location, Occasion
from tests.conftest import SetClock
from tests.programmes import utc


@pytest.fixture(autouse=True)
def _clock(at: SetClock) -> None: ...


@pytest.fixture
def torget(db: None) -> Area:
    return Area.objects.create(name="Torget")


@pytest.fixture
def jazz(torget: Area) -> Event:
    event = Event.objects.create(title="Jazz", area=torget, type=EventType.other())
    Occasion.objects.create(event=event, start=utc(2026, 7, 29, 12), end=utc(2026, 7, 29, 13))
    return event


@pytest.fixture
def angtorget(db: None) -> Area:
    return Area.objects.create(name="Ångtorget", full_name="Stora Ångtorget")


@pytest.fixture
def biblioteket(db: None) -> Location:
    return Location.objects.create(name="Biblioteket", address="Storgatan 1")
