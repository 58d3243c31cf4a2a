"""The timetable of a day: what it shows, in words as well as in colours, and what is chosen of it."""

import datetime as dt
import re

import pytest

from feeds.day_layout import HOUR, MinuteSpan
from feeds.names import fold
from programme.backoffice.timetable.days import find_current_or_next, find_first_of_day
from programme.models import Area, Location, Occasion, Room
from tests.conftest import NOW
from tests.programme.backoffice.requests import submission, words
from tests.programme.backoffice.samples import make_events
from tests.programme.backoffice.timetable.reading import DAY, declarations, heads, occasions, page, titles
from tests.programmes import BARE, CLOCKS, JAZZ, PARKEN, utc

pytestmark = pytest.mark.usefixtures("at")


JAZZ_TITLE = r"Jazz, blues & soul; allt på \New \n ]]> <b>fest</b> [b]nu[/b]"
LIBRARY, WAREHOUSE = "Biblioteket, Sal 2", "Magasinet; kaj 3, port B, Övre, golvet"
PARK = r"Parken; norr, söder & \mitt"


def test_a_day_is_read_in_the_order_of_time_with_all_that_colours_mean(office, sample):
    read = page(office)
    assert words(read.select_one("h1:not(#site-name)")) == "Wednesday 29 July 2026"
    assert occasions(read) == [
        (
            "Tue 12:00–Wed 12:00",
            "Åtta ångbåtar, åtta ödesmättade ättlingar och två hela nätter på sjön utan sömn överhuvudtaget",
            "Cancelled",
            f"Nätet · {PARK}",
        ),
        ("13:00–14:00", "Only in English", "", f"Nätet · {PARK}"),
        ("14:00–14:30", "Only in English", "", f"Nätet · {PARK}"),
        ("16:00–17:00", JAZZ_TITLE, "Clash", f"{LIBRARY} · Ångtorget"),
        ("16:00–17:00", "När klockan ställs om", "Clash", f"{LIBRARY} · {PARK}"),
        ("16:00–17:00", "Bara en titel", "", "No location · Ångtorget"),
        ("16:00–17:00", "Bara en titel", "", "No location · Ångtorget"),
        ("16:00–17:00", "Utkast", "Draft", "No location · Ångtorget"),
        ("16:00–18:00", "Bara en titel", "", "No location · Ångtorget"),
        ("22:00–03:00", "🎷👩‍🎤 شعر Nattpoesi", "", f"{WAREHOUSE} · Ångtorget"),
    ]
    assert [words(each) for each in read.select(".with")] == [
        "Clashes with När klockan ställs om (16:00–17:00)",
        f"Clashes with {JAZZ_TITLE} (16:00–17:00)",
    ]
    assert words(read.select_one(".summary")).startswith(
        "10 occasions, 1 from an earlier day 1 clash 1 draft 1 cancelled"
    )
    # Past midnight.
    hours = [words(hour) for hour in read.select(".hour")]
    assert hours == [f"{hour % 24:02}:00" for hour in range(12, 28)]


def test_columns_stand_under_their_locations_and_only_those_that_are_taken(office, sample):
    read = page(office)
    assert heads(read, "rooms") == ["No location", "Sal 2", "Övre, golvet", "Nätet"]
    assert heads(read, "locations") == ["", "Biblioteket", "Magasinet; kaj 3, port B", ""]
    every = page(office, empty="on")
    assert heads(every, "areas") == ["", "Ångtorget", PARK]
    assert heads(every, "rooms") == [
        *("No location", "Källaren", "Sal 2", "Övre, golvet"),
        *("Biblioteket", "Magasinet; kaj 3, port B", "Nätet"),
    ]
    assert heads(page(office, empty="on", location=5001), "rooms") == ["Källaren", "Sal 2", "Biblioteket"]
    # Where everything is goes without saying.
    assert heads(page(office, location=5001), "locations") == [""]


def test_the_present_is_marked_on_today_alone(office, sample, at):
    # 14:00, two hours below 12:00.
    read = page(office)
    assert "--from:120" in declarations(read, read.select_one(".now"))
    assert page(office, "/admin/timetable/2026-07-30/").select_one(".now") is None
    at(utc(2026, 7, 29, 4))
    assert page(office).select_one(".now") is None


def test_what_still_goes_on_from_the_evening_before_stands_at_the_top_of_the_hours(office, sample, settings):
    settings.FESTIVAL_DAY_FIRST_HOUR = 4
    Occasion.objects.filter(pk=8004).update(start=utc(2026, 7, 28, 20), end=utc(2026, 7, 29, 4))
    read = page(office)
    assert occasions(read)[1][:2] == ("Tue 22:00–06:00", "🎷👩‍🎤 شعر Nattpoesi")
    assert "2 from earlier days" in words(read.select_one(".summary"))
    item = read.select_one('[data-occasion="8004"]')
    # It is drawn from four to six, and known to have begun two hours before midnight.
    assert "--from:0;--long:120" in declarations(read, item)
    assert (item["data-minute"], item["data-minutes"]) == ("-120", "480")
    # What begins past midnight belongs to the evening before.
    Occasion.objects.filter(pk=8004).update(start=utc(2026, 7, 29, 23), end=utc(2026, 7, 30, 1))
    assert occasions(page(office), ".body ol")[-1][:2] == ("01:00–03:00", "🎷👩‍🎤 شعر Nattpoesi")
    settings.FESTIVAL_DAY_FIRST_HOUR = 0
    assert "🎷👩‍🎤 شعر Nattpoesi" not in titles(page(office))


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (utc(2026, 8, 2, 2), "10:00–Sun 04:00"),
        (utc(2026, 8, 6, 2), "10:00–Thu 6 Aug 04:00"),
        (utc(2027, 7, 29, 8), "10:00–Thu 29 Jul 2027 10:00"),
    ],
)
def test_a_long_one_says_when_it_ends_in_another_week_or_year(office, sample, end, expected):
    Occasion.objects.filter(pk=8010).update(start=utc(2026, 7, 29, 8), end=end)
    assert occasions(page(office))[0][0] == expected


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"drafts": "only"}, ["Utkast"]),
        ({"area": PARKEN, "drafts": "without", "location": 5001}, ["När klockan ställs om"]),
        ({"location": "none", "drafts": "without"}, ["Bara en titel"] * 3),
        ({"location": 5003}, ["🎷👩‍🎤 شعر Nattpoesi"]),
    ],
)
def test_choices_narrow_what_is_shown_and_clashes_stay(office, sample, chosen, expected):
    read = page(office, **chosen)
    assert titles(read) == expected
    assert " of 10" in words(read.select_one(".summary"))
    clashing = [title for _time, title, marks, _where in occasions(read) if marks.startswith("Clash")]
    assert clashing == [title for title in expected if title == "När klockan ställs om"]


def test_nothing_that_takes_place_and_no_choice_are_said_in_words(office, sample):
    wrong = page(office, area="7")
    assert len(titles(wrong)) == 10
    assert "7 is not one of the available choices" in words(wrong.select_one(".choices .errorlist"))
    nothing = page(office, "/admin/timetable/2026-07-27/")
    assert words(nothing.select_one(".nothing")) == "Nothing takes place on this day. Add an event"
    assert words(page(office, location=5003, drafts="only").select_one(".nothing")) == (
        "Nothing of this day is among what you have chosen to see."
    )


def test_tabs_count_what_begins_on_each_day(office, sample):
    read = page(office)
    assert [words(tab) for tab in read.select(".days li")] == [
        *("Tue 29 Jul 2025 1", "Sun 29 Mar 1", "Yesterday 1", "Today 9", "Tomorrow 1"),
        *("Fri 31 Jul 1", "Sat 1 Aug 1", "Sun 25 Oct 1", "Fri 1 Jan 2027 1"),
    ]
    assert words(read.select_one('.days [aria-current="page"]')) == "Today 9"
    steps = {step["rel"][0]: step["href"] for step in read.select(".days a.step")}
    assert steps == {"prev": "/admin/timetable/2026-07-28/", "next": "/admin/timetable/2026-07-30/"}
    # Choices are taken along.
    following = page(office, area=PARKEN).select_one('.days [rel="next"]')["href"]
    assert following == f"/admin/timetable/2026-07-30/?area={PARKEN}"


def test_of_very_many_days_those_around_the_one_shown_have_tabs(office, sample):
    first = Occasion.objects.order_by("id")[0]
    for day in range(30):
        start = utc(2026, 10, 1, 10) + dt.timedelta(days=day)
        Occasion.objects.create(event=first.event, start=start, end=start + dt.timedelta(hours=1))
    shown = office.get("/admin/timetable/2026-10-15/").context["tabs"]
    assert [tab["date"] for tab in shown] == [
        dt.date(2026, 10, 8) + dt.timedelta(days=day) for day in range(15)
    ]
    assert [tab["date"].day for tab in shown if tab["current"]] == [15]
    last = office.get("/admin/timetable/2026-10-30/").context["tabs"]
    assert (len(last), [tab["date"] for tab in last if tab["current"]]) == (15, [dt.date(2026, 10, 30)])


@pytest.mark.parametrize(
    ("now", "day"),
    [
        (NOW, "2026-07-29"),
        (utc(2026, 8, 5), "2026-10-25"),
        (utc(2027, 5, 1), "2027-01-01"),
        (utc(2025, 1, 1), "2025-07-29"),
    ],
)
def test_it_opens_at_today_or_the_next_day_with_occasions_else_the_last(office, sample, at, now, day):
    at(now)
    assert office.get("/admin/timetable/?drafts=only").url == f"/admin/timetable/{day}/?drafts=only"
    Occasion.objects.all().delete()
    assert office.get("/admin/timetable/").url == f"/admin/timetable/{now:%Y-%m-%d}/"


@pytest.mark.parametrize("day", ["2026-02-30", "1899-12-31", "2200-01-01", "today", "20260729x"])
def test_a_day_that_is_none_is_not_found(office, day):
    assert office.get(f"/admin/timetable/{day}/").status_code == 404


def test_an_occasion_leads_to_its_form_and_saving_it_back(office, sample):
    link = page(office, drafts="only").select_one(".occasion a")["href"]
    assert link == f"/admin/programme/occasion/8017/change/?back={DAY}%3Fdrafts%3Donly"
    form = office.get(link).url
    assert office.post(form, submission(office.get(form))).url == f"{DAY}?drafts=only"


@pytest.mark.parametrize("path", ["event/", "occasion/"])
def test_lists_lead_to_the_timetable_of_their_day(office, sample, path):
    def link(query: str) -> str:
        tools = page(office, f"/admin/programme/{path}{query}").select(".object-tools a")
        return next(tool["href"] for tool in tools if words(tool) == "Timetable")

    assert link("?day=today") == "/admin/timetable/"
    assert link("?day=2026-07-30") == "/admin/timetable/2026-07-30/"


@pytest.mark.parametrize("count", [1, 100])
def test_a_day_takes_eighteen_queries_however_many_occasions(office, count, django_assert_num_queries):
    make_events(count)
    # Session, user, days, occasions, locations, rooms, areas, which are whose, bookings, accepted clashes, two for the shelf,
    # festival.
    with django_assert_num_queries(18):
        assert len(titles(page(office))) == count


def test_an_occasion_takes_few_bytes_of_the_page(office):
    make_events(100)
    items = page(office).select(".occasion")
    # Its title, place and area are short here: 3,000 occasions are a page of about two megabytes.
    assert max(len(str(item)) for item in items) < 700


def test_of_many_clashes_three_are_named(office, sample, django_assert_num_queries):
    for minute in range(0, 50, 10):
        start = utc(2026, 7, 29, 20, minute)
        end = start + dt.timedelta(minutes=10)
        Occasion.objects.create(event_id=BARE, start=start, end=end, location_id=5003, room_id=6003)
    with django_assert_num_queries(18):
        night = page(office).select_one('[data-occasion="8004"] .with')
    named = ", ".join(f"Bara en titel (22:{minute:02}–22:{minute + 10})" for minute in (0, 10, 20))
    assert words(night) == f"Clashes with {named}, 2 more"
    Occasion.objects.filter(event=BARE, location=5003).delete()
    # One of another day takes one more.
    start, end = utc(2026, 7, 29, 22, 30), utc(2026, 7, 29, 23)
    Occasion.objects.create(event_id=JAZZ, start=start, end=end, location_id=5003, room_id=6003)
    with django_assert_num_queries(18):
        assert occasions(page(office))[-1][2] == "Clash"


def test_columns_keep_the_order_of_their_areas_when_something_is_moved(office, sample):
    ordered = ["No location", "Sal 2", "Övre, golvet", "Nätet"]
    assert heads(page(office), "rooms") == ordered
    # Of what is held on this day alone, the hall would be the park's.
    Occasion.objects.filter(pk=8001).update(start=utc(2026, 7, 30, 14), end=utc(2026, 7, 30, 15))
    assert heads(page(office), "rooms") == ordered
    Area.objects.filter(pk=PARKEN).update(sort_order=-1)
    assert heads(page(office), "rooms") == ["No location", "Sal 2", "Nätet", "Övre, golvet"]


def test_a_place_is_not_named_again_below_an_area_of_its_name(office, sample):
    Location.objects.filter(pk=5002).update(name=PARK, name_key=fold(PARK))
    alone = page(office)
    assert (heads(alone, "areas")[-1], heads(alone, "rooms")[-1]) == ("", PARK)
    stage = Room.objects.create(location_id=5002, name="Scenen")
    start = utc(2026, 7, 29, 10)
    Occasion.objects.create(
        event_id=CLOCKS, start=start, end=start + dt.timedelta(hours=1), location_id=5002, room=stage
    )
    read = page(office)
    assert (heads(read, "areas")[-1], heads(read, "locations")[-1]) == (PARK, "")
    assert heads(read, "rooms")[-2:] == ["", "Scenen"]


def test_what_goes_on_all_day_stands_beside_the_rest_of_its_place(office, sample):
    start = utc(2026, 7, 29, 6)
    long = Occasion.objects.create(
        event_id=JAZZ, start=start, end=start + dt.timedelta(days=2), location_id=5003, room_id=6003
    )
    read = page(office)
    item, night = (read.select_one(f'[data-occasion="{key}"]') for key in (long.pk, 8004))
    # From the first hour to the last that is shown.
    assert "--from:0;--long:900" in declarations(read, item)
    assert item["data-minute"] == "480"
    (left, width), (other, _wide) = (
        [float(part) for part in re.findall(r"[\d.]+(?=%)", " ".join(declarations(read, each)))]
        for each in (item, night)
    )
    assert left + width == pytest.approx(other, abs=0.1)


def timed(*hours: tuple[float, float]) -> list[tuple[int, MinuteSpan]]:
    return [
        (number, MinuteSpan(int(begins * HOUR), int(ends * HOUR)))
        for number, (begins, ends) in enumerate(hours)
    ]


@pytest.mark.parametrize(
    ("hours", "expected"),
    [
        ([(10, 11), (12, 13)], 0),
        # A party goes on until one, and the day begins at ten.
        ([(0, 1), (10, 11), (12, 13)], 1),
        # The night ends at six.
        ([(0, 1), (6, 7)], 1),
        # A night alone.
        ([(0, 1), (5.5, 6)], 0),
        # What began the evening before is not of the day.
        ([(-2, 3), (10, 11)], 1),
        ([(-2, 3)], None),
        # In any order.
        ([(12, 13), (10, 11), (0, 1)], 1),
    ],
)
def test_a_day_opens_after_the_night(hours, expected):
    assert find_first_of_day(timed(*hours), 0) == expected


LONG = [(10, 11), (10, 21), (18, 20), (20, 22)]


@pytest.mark.parametrize(
    ("hours", "now", "expected"),
    [
        # The list begins with what comes next, or is on.
        (LONG, 9, None),
        (LONG, 10.5, None),
        # Ends are not included.
        (LONG, 11, 2),
        (LONG, 18, 2),
        (LONG, 20, 3),
        (LONG, 22, None),
        # What goes on for half a day is shown if nothing else is left.
        ([(10, 11), (11, 20)], 15, 1),
        ([], 15, None),
    ],
)
def test_a_list_opens_at_what_is_on_or_comes_next(hours, now, expected):
    assert find_current_or_next(timed(*hours), int(now * HOUR)) == expected
