"""The demo festival: that it shows all that a programme can hold, whenever it is made."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

from feeds.facts import FACTS
from feeds.festival_time import FestivalTime
from feeds.selection import DateKeyword, Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import Occasion
from tests.programme.demo.created import STOCKHOLM, create_at, events_of

# Dates in whose five days the clock does not change, goes forward, and goes back.
TODAYS = [date(2026, 7, 29), date(2026, 3, 29), date(2026, 10, 25)]
TODAY = TODAYS[0]

pytestmark = pytest.mark.usefixtures("db")


def wall_clock(occasion: Occasion) -> tuple[datetime, datetime]:
    """Start and end as the festival's clocks show them."""
    start, end = STOCKHOLM.local(occasion.start), STOCKHOLM.local(occasion.end)
    return start.replace(tzinfo=None), end.replace(tzinfo=None)


def test_the_demo_is_as_large_as_a_city_festival(programme):
    assert len(programme.areas) == 5
    assert len(events_of(programme)) >= 60
    assert len(programme.occasions) >= 120


def test_the_demo_lasts_five_days_around_its_day(programme):
    days = {STOCKHOLM.day_of(occasion.start) for occasion in programme.occasions}
    assert sorted(days) == [TODAY + timedelta(days=n) for n in (-2, -1, 0, 1, 2)]


@pytest.mark.parametrize(("today", "first_hour"), list(zip(TODAYS, (0, 5, 5), strict=True)))
def test_now_today_tomorrow_and_upcoming_show_something_at_every_hour(today, first_hour):
    festival_time = FestivalTime(first_hour=first_hour)
    begins = festival_time.day_begins(today)
    programme = create_at(begins, festival_time)
    ends = festival_time.day_begins(today + timedelta(days=1))
    empty = []
    # What the instant decides is the day alone, so one made earlier on the same day will do.
    while begins < ends:
        snapshot = Snapshot(programme, begins)
        empty += [
            (begins, moment) for moment in DateKeyword if not snapshot.find(Selection(moments=(moment,)))
        ]
        begins += timedelta(minutes=10)
    assert empty == []


@pytest.mark.parametrize("hour", [0, 23])
def test_the_dates_depend_on_the_day_alone(programme, hour):
    instant = STOCKHOLM.instant(TODAY, time(hour, 50))
    spans = [(each.event.title, each.start, each.end) for each in create_at(instant).occasions]
    assert spans == [(each.event.title, each.start, each.end) for each in programme.occasions]


def test_at_night_before_the_days_first_hour_the_day_before_is_in_the_middle():
    programme = create_at(datetime(2026, 7, 29, 1, 0, tzinfo=UTC), FestivalTime(first_hour=5))
    opening = next(each for each in programme.occasions if each.event.title.startswith("Älven tänds"))
    assert opening.start == datetime(2026, 7, 26, 17, 0, tzinfo=UTC)


def test_clock_times_are_the_same_where_the_clock_changes(programme):
    for today in TODAYS[1:]:
        made = create_at(datetime.combine(today, time(12), UTC))
        moved = today - TODAY
        clocks = {(each.event.title, *wall_clock(each)) for each in made.occasions}
        assert clocks == {
            (each.event.title, *(clock + moved for clock in wall_clock(each))) for each in programme.occasions
        }


def test_the_demo_shows_every_value_of_every_fact_and_where_its_places_are(programme):
    tokens = {token for occasion in programme.occasions for token in occasion.facts}
    declared = {fact.token(code) for fact in FACTS for code in fact.codes}
    assert declared - tokens == set()
    assert any(occasion.booking_from for occasion in programme.occasions)
    places = {occasion.place.location for occasion in programme.occasions if occasion.place}
    assert {place.name for place in places if place.latitude is None} == {"På nätet"}
    assert all(place.accessibility.sv and place.accessibility.en for place in places)


def test_the_demo_is_in_two_languages_with_lists_and_events_of_several_types(programme):
    assert all(text.sv and text.en for each in programme.lists for text in (each.title, each.text))
    assert [len(programme.index.find_having("list", each)) for each in programme.lists] == [30, 8]
    events = events_of(programme)
    assert [each.title for each in events if each.intro.sv and not each.intro.en] == []
    assert len([event for event in events if event.further_types]) == 2
    theme = programme.festival.theme
    assert all((theme.logo_url, theme.hero_url, theme.icon_url, theme.color))
