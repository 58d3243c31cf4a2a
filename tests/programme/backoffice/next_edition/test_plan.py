"""Copies of days, events and occasions: they say what the originals say, on other days at the same times."""

import datetime as dt

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from feeds.festival_time import FestivalTime
from programme.backoffice.next_edition.plan import TakenAlong
from programme.changes.writing import write
from programme.models import AreaDay, Edition, Event, ListItem, Occasion
from programme.publishing.news_reader import read_marks
from tests.programmes import JAZZ, TORGET, make_lists, utc

STOCKHOLM = FestivalTime()
MINUTE, WEEK = dt.timedelta(minutes=1), dt.timedelta(weeks=1)
YEAR = 52 * WEEK


def build_edition(first: dt.date, days: int) -> Edition:
    return Edition(
        slug="2027", name_sv="Natten 2027", first_day=first, last_day=first + dt.timedelta(days - 1)
    )


def build_plan(by: dt.timedelta) -> TakenAlong:
    """Return a plan of the sample's days from 29 July 2026 on."""
    plan = TakenAlong(build_edition(dt.date(2027, 7, 28), 4), by)
    for row in AreaDay.objects.select_related("area", "day"):
        plan.take_hours(row)
    for row in Occasion.objects.filter(start__date__range=("2026-07-29", "2026-08-01")).select_related(
        "event"
    ):
        plan.take_occasion(row)
    return plan


def read_wall(instant: dt.datetime) -> dt.datetime:
    """Return what the clocks show, in no zone: 25 hours of a day are not 24."""
    return STOCKHOLM.local(instant).replace(tzinfo=None)


@given(
    start=st.integers(0, 1100 * 24 * 60).map(lambda minutes: utc(2025, 1, 1) + minutes * MINUTE),
    minutes=st.integers(1, 3000),
    weeks=st.integers(-60, 110),
)
def test_whole_weeks_keep_weekdays_and_clock_times(start, minutes, weeks):
    end, by = start + dt.timedelta(minutes=minutes), weeks * WEEK
    plan = TakenAlong(build_edition(STOCKHOLM.day_of(start) + by, 1), by)
    plan.take_occasion(Occasion(event=Event(title="Jazz"), start=start, end=end))
    walls = [read_wall(each) + by for each in (start, end)]
    if plan.refused:
        is_skipped = not all(STOCKHOLM.exists(each.date(), each.time()) for each in walls)
        assert is_skipped or walls[0] >= walls[1]
        return
    [moved] = plan.occasions
    assert [read_wall(moved.start), read_wall(moved.end)] == walls
    assert walls[0].weekday() == read_wall(start).weekday()
    assert STOCKHOLM.day_of(moved.start) == STOCKHOLM.day_of(start) + by


@given(hour=st.integers(0, 23), first_hour=st.integers(0, 23))
def test_days_of_the_festival_move_as_those_of_the_calendar(hour, first_hour, settings):
    settings.FESTIVAL_DAY_FIRST_HOUR = first_hour
    start = utc(2026, 7, 29, hour)
    festival = FestivalTime(first_hour=first_hour)
    plan = TakenAlong(build_edition(festival.day_of(start) + YEAR, 1), YEAR)
    plan.take_occasion(Occasion(event=Event(title="Jazz"), start=start, end=start + dt.timedelta(hours=1)))
    assert [festival.day_of(each.start) for each in plan.occasions] == [festival.day_of(start) + YEAR]


def test_what_cannot_be_held_at_that_time_is_left_out_and_named():
    start = utc(2026, 3, 22, 1, 30)
    plan = TakenAlong(build_edition(dt.date(2027, 3, 28), 1), 53 * WEEK)
    with override("en"):
        plan.take_occasion(
            Occasion(event=Event(title="Jazz"), start=start, end=start + dt.timedelta(hours=2))
        )
    assert plan.refused == ["Jazz, Sun 22 Mar 02:30: There is no 02:30 on 28 March: the clock goes forward."]
    assert plan.occasions == plan.events == []


@pytest.mark.usefixtures("sample")
def test_occasions_keep_clock_times_and_places() -> None:
    make_lists()
    items = ListItem.objects.count()
    Occasion.objects.filter(pk=8001).update(booking="full", uid="jazz@frab", source="frab", source_id="2")
    rows = {row.pk: row for row in Occasion.objects.filter(event=JAZZ)}
    write(build_plan(YEAR).build())
    copies = list(Occasion.objects.filter(event__title=rows[8001].event.title).exclude(pk__in=rows))
    said = [
        (f"{read_wall(each.start):%d/%m/%Y %H}", each.location_id, each.room_id, each.stream_id)
        for each in copies
    ]
    assert said == [
        ("28/07/2027 16", 5001, 6001, 9003),
        ("29/07/2027 16", 5001, 6002, None),
        ("31/07/2027 16", 5003, 6003, None),
    ]
    assert {(each.cancelled, each.booking, each.uid, each.source, each.published_at) for each in copies} == {
        (False, "", "", "", None)
    }
    assert {each.uuid for each in copies}.isdisjoint(each.uuid for each in rows.values())
    assert {each.event.status for each in copies} == {"draft"}
    assert read_marks(copies) == {}
    assert ListItem.objects.count() == items


@pytest.mark.usefixtures("sample")
def test_opening_hours_are_those_of_the_day_before():
    write(build_plan(YEAR).build())
    names = ["day__date", "opens", "closes", "ticket_opens", "ticket_closes", "title", "price_info"]
    assert list(AreaDay.objects.filter(area=TORGET, day__date__year=2027).values_list(*names)) == [
        (
            dt.date(2027, 7, 28),
            dt.time(10),
            dt.time(3),
            dt.time(9, 30),
            dt.time(18),
            "Premiär",
            "Fri entré före 12",
        ),
        (dt.date(2027, 7, 30), dt.time(12), None, None, dt.time(18), "", ""),
    ]


@pytest.mark.usefixtures("sample")
def test_all_is_written_with_few_statements(django_assert_num_queries):
    plan = build_plan(YEAR)
    assert (len(plan.hours), len(plan.events), len(plan.occasions)) == (2, 7, 12)
    with django_assert_num_queries(18):
        write(plan.build())
