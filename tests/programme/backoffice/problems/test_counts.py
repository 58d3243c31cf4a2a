"""Clashes are counted alike on the start page, in the list of problems, on the timetable and before a change."""

import datetime as dt
import random
import re
from itertools import combinations
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from programme.backoffice.problems.accepted import ProblemKey, accept, load_accepted
from programme.backoffice.problems.survey import build_survey
from programme.demo import creation
from programme.models import Area, Event, EventType, Location, Occasion, Room
from programme.models.festival_time import festival_time
from tests.browser import thorough
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.bulk.pages import apply, show

HALL = "Hallen"


@pytest.fixture(autouse=True)
def _clock(at: SetClock) -> None:
    at(NOW)


def read(office: Client, address: str) -> BeautifulSoup:
    return BeautifulSoup(office.get(address).content.decode(), "lxml")


def read_number(tag: Any) -> int:
    return int(re.sub(r"\D", "", tag.get_text())) if tag else 0


def list_clashes() -> list[frozenset[int]]:
    """Return the occasions of each clash that is open, by comparing each two of them."""
    accepted = build_survey(festival_time()).split(load_accepted())[1]
    pairs = {
        pair
        for each in accepted.found
        for problem in each.problems
        for pair in combinations(sorted(link.pk for link in problem.links), 2)
        if each.kind.key == "double-booked"
    }
    rooms = set(Room.objects.filter(parallel=False).values_list("pk", flat=True))
    held = Occasion.objects.with_venue().filter(cancelled=False, event__cancelled=False, venue_room__in=rooms)
    groups: list[set[int]] = []
    for one, other in combinations(sorted(held, key=lambda each: each.pk), 2):
        overlap = max(one.start, other.start) < min(one.end, other.end)
        if one.venue_room == other.venue_room and overlap and (one.pk, other.pk) not in pairs:
            joined = [group for group in groups if group & {one.pk, other.pk}]
            groups = [group for group in groups if group not in joined]
            groups.append({one.pk, other.pk}.union(*joined))
    return [frozenset(group) for group in groups]


def check_counts(office: Client) -> None:
    clashes = list_clashes()
    start_page = read(office, "/admin/").select_one("[aria-labelledby=kind-double-booked] .count")
    over = read(office, "/admin/problems/?kind=double-booked&when=over").select(".problem")
    assert read_number(start_page) + len(over) == len(clashes)
    assert len(read(office, "/admin/problems/?kind=double-booked&when=all").select(".problem")) == len(
        clashes
    )
    festival = festival_time()
    days = {
        day
        for each in Occasion.objects.all()
        for day in (festival.day_of(each.start), festival.day_of(each.end - dt.timedelta(microseconds=1)))
    }
    for day in sorted(days):
        timetable = read(office, f"/admin/timetable/{day}/")
        problems = read(office, f"/admin/problems/?kind=double-booked&when=all&day={day}")
        # A day without problems is not among the choices, and narrows nothing.
        listed = problems.select(".problem") if problems.select(f"#id_day [value='{day}']") else []
        assert read_number(timetable.select_one(".tally.clash")) == len(listed), day
        marked = {int(each["data-occasion"]) for each in timetable.select(".occasion.clash[data-occasion]")}
        shown = {int(each["data-occasion"]) for each in timetable.select(".occasion[data-occasion]")}
        assert marked == shown & frozenset().union(*clashes)


@pytest.mark.django_db
def test_of_the_demo(office: Client) -> None:
    creation.create(NOW, festival_time())
    check_counts(office)


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [0, *thorough(1)])
def test_of_any_programme(office: Client, anna: Any, seed: int) -> None:
    chosen = random.Random(seed)  # noqa: S311 - a programme is no secret
    area, kind = Area.objects.create(name="Torget"), EventType.other()
    location = Location.objects.create(name=HALL)
    rooms = [Room.objects.create(name=f"Sal {n}", location=location, parallel=n == 2) for n in range(3)]

    def hold(number: int) -> Occasion:
        event = Event.objects.create(
            title=f"{number}", area=area, type=kind, status=chosen.choice(["draft", "published"])
        )
        start = NOW - dt.timedelta(hours=12) + dt.timedelta(minutes=30 * chosen.randrange(100))
        return Occasion.objects.create(
            event=event,
            location=location,
            room=chosen.choice(rooms),
            start=start,
            end=start + dt.timedelta(minutes=30 * chosen.randrange(1, 7)),
            cancelled=chosen.random() < 0.1,
        )

    occasions = [hold(number) for number in range(30)]
    check_counts(office)
    [found] = [each for each in build_survey(festival_time()).found if each.kind.key == "double-booked"]
    some = chosen.sample(found.problems, len(found.problems) // 2)
    accept((ProblemKey("double-booked", problem.rows) for problem in some), anna, "Meant so", NOW)
    assert len(list_clashes()) == len(found.problems) - len(some)
    check_counts(office)
    occasions += [hold(number) for number in range(30, 36)]
    check_counts(office)
    moved = [each.pk for each in chosen.sample(occasions, 8)]
    shown = show(office, moved, shift="+30 min")
    apply(office, shown)
    changed = {row.occasion.pk for row in shown.context["plan"].changing if row.is_held_otherwise}
    assert shown.context["plan"].clashes == sum(bool(each & changed) for each in list_clashes())
    check_counts(office)
