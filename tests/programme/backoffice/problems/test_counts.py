"""Clashes are counted alike on the start page, in the list of problems, on the timetable and before a change."""

import datetime as dt
import random
import re
from typing import Any

import pytest
from django.test import Client

from programme.backoffice.problems.accepted import accept
from programme.backoffice.problems.finders import DOUBLE_BOOKED, KINDS
from programme.backoffice.problems.warnings import find_open
from programme.backoffice.programme import load_programme
from programme.models import Area, Event, EventType, Location, Occasion, Room
from programme.models.festival_time import festival_time
from tests.conftest import NOW
from tests.programme.backoffice.bulk.pages import apply, show
from tests.programme.backoffice.requests import opened

pytestmark = pytest.mark.usefixtures("at")

HALL = "Hallen"


def read_number(tag: Any) -> int:
    return int(re.sub(r"\D", "", tag.get_text())) if tag else 0


def list_clashes() -> list[frozenset[int]]:
    """Return the occasions of each clash that is open."""
    found = find_open(load_programme(), KINDS[DOUBLE_BOOKED])
    return [frozenset(link.pk for link in clash.links) for clash in found]


def check_counts(office: Client) -> None:
    clashes = list_clashes()
    start_page = opened(office, "/admin/").select_one("[aria-labelledby=kind-double-booked] .count")
    over = opened(office, "/admin/problems/?kind=double-booked&when=over").select(".problem")
    assert read_number(start_page) + len(over) == len(clashes)
    assert len(opened(office, "/admin/problems/?kind=double-booked&when=all").select(".problem")) == len(
        clashes
    )
    festival = festival_time()
    days = {
        day
        for each in Occasion.objects.all()
        for day in (festival.day_of(each.start), festival.day_of(each.end - dt.timedelta(microseconds=1)))
    }
    for day in sorted(days):
        timetable = opened(office, f"/admin/timetable/{day}/")
        problems = opened(office, f"/admin/problems/?kind=double-booked&when=all&day={day}")
        # A day without problems is not among the choices, and narrows nothing.
        listed = problems.select(".problem") if problems.select(f"#id_day [value='{day}']") else []
        assert read_number(timetable.select_one(".tally.clash")) == len(listed), day
        marked = {int(each["data-occasion"]) for each in timetable.select(".occasion.clash[data-occasion]")}
        shown = {int(each["data-occasion"]) for each in timetable.select(".occasion[data-occasion]")}
        assert marked == shown & frozenset().union(*clashes)


@pytest.mark.django_db
def test_of_any_programme(office: Client, anna: Any) -> None:
    chosen = random.Random(1)  # noqa: S311 - a programme is no secret
    area, kind = Area.objects.create(name="Torget"), EventType.other()
    location = Location.objects.create(name=HALL)
    rooms = [Room.objects.create(name=f"Sal {n}", location=location, parallel=n == 2) for n in range(3)]
    stage, park = (Location.objects.create(name=name, address="Kajen") for name in ("Scenen", "Parken"))
    Location.objects.filter(pk=park.pk).update(parallel=True)
    places = [*((location, room) for room in [*rooms, None]), (stage, None), (park, None)]

    def hold(number: int) -> Occasion:
        event = Event.objects.create(
            title=f"{number}", area=area, type=kind, status=chosen.choice(["draft", "published"])
        )
        start = NOW - dt.timedelta(hours=12) + dt.timedelta(minutes=30 * chosen.randrange(100))
        held_at, room = chosen.choice(places)
        return Occasion.objects.create(
            event=event,
            location=held_at,
            room=room,
            start=start,
            end=start + dt.timedelta(minutes=30 * chosen.randrange(1, 7)),
            cancelled=chosen.random() < 0.1,
        )

    occasions = [hold(number) for number in range(30)]
    check_counts(office)
    found = find_open(load_programme(), KINDS[DOUBLE_BOOKED])
    some = chosen.sample(found, len(found) // 2)
    accept(some, anna, "Meant so", NOW)
    assert len(list_clashes()) == len(found) - len(some)
    check_counts(office)
    occasions += [hold(number) for number in range(30, 36)]
    check_counts(office)
    moved = [each.pk for each in chosen.sample(occasions, 8)]
    shown = show(office, "move", moved, shift="+30 min")
    apply(office, shown)
    count = sum(bool(each & {*moved}) for each in list_clashes())
    warned = shown.context["preview"].warnings
    assert [int(each.split()[0]) for each in warned] == ([count] if count else [])
    check_counts(office)


@pytest.mark.usefixtures("sample")
def test_clashes_of_one_place_stand_together(office: Client) -> None:
    first, second = (Location.objects.create(name=name, address=name) for name in ("Ateljén", "Åsen"))
    event = Event.objects.order_by("pk").first()
    for day, place in ((1, second), (2, first), (3, second), (4, first)):
        start = NOW + dt.timedelta(days=300 + day)
        times = {"start": start, "end": start + dt.timedelta(hours=1), "event": event, "location": place}
        Occasion.objects.bulk_create([Occasion(**times), Occasion(**times)])
    listed = opened(office, "/admin/problems/?kind=double-booked&when=all").select(".problem .subject")
    names = [each.get_text(strip=True) for each in listed]
    assert [name for name in names if name in {"Ateljén", "Åsen"}] == ["Ateljén"] * 2 + ["Åsen"] * 2
