"""The bookings of rooms as the database has them: what can clash, in the room that readers see."""

import pytest
from django.db.models import Q

from programme.backoffice.problems.bookings import load_bookings
from programme.backoffice.problems.clashes import find_clashes
from programme.models import Event, Occasion, Room, Status
from tests.programmes import JAZZ, utc

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("sample")
def test_all_of_it_is_one_query(django_assert_num_queries) -> None:
    with django_assert_num_queries(1):
        found = sorted(load_bookings())
    # 8003 is cancelled alone, and the Marathon (8009, 8010) as a whole.
    assert [(booking.occasion, booking.room) for booking in found] == [
        (8001, 6001),
        (8014, 6001),
        (8004, 6003),
        (8002, 6002),
    ]
    assert [[booking.occasion for booking in run] for run in find_clashes(found)] == [[8001, 8014]]
    assert list(load_bookings(Q(event=JAZZ, start__lt=utc(2026, 7, 30)))) == [found[0]]


@pytest.mark.usefixtures("sample")
def test_what_is_cancelled_takes_up_no_room_and_a_draft_does() -> None:
    def clashing() -> list[list[int]]:
        return [[booking.occasion for booking in run] for run in find_clashes(load_bookings())]

    Event.objects.filter(id=JAZZ).update(status=Status.DRAFT)
    assert clashing() == [[8001, 8014]]
    Occasion.objects.filter(id=8014).update(cancelled=True)
    assert clashing() == []
    Occasion.objects.filter(id=8014).update(cancelled=False)
    Event.objects.filter(id=JAZZ).update(cancelled=True)
    assert clashing() == []


@pytest.mark.usefixtures("sample")
def test_a_room_open_to_several_occasions_is_never_double_booked() -> None:
    Room.objects.filter(id=6001).update(parallel=True)
    assert list(find_clashes(load_bookings())) == []
    Event.objects.filter(id=JAZZ).update(room=6002)
    moved = {"start": utc(2026, 7, 29, 14, 59), "end": utc(2026, 7, 29, 16)}
    Occasion.objects.filter(id=8002).update(**moved)
    assert [[booking.occasion for booking in run] for run in find_clashes(load_bookings())] == [[8001, 8002]]
