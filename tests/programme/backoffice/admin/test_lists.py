"""Lists of the back office: columns, filters, search, and the number of queries."""

import datetime as dt
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from feeds.vocabulary import Text
from programme.models import Area, Event, EventType, Location, Occasion, Organizer, Room, Status
from tests.conftest import NOW
from tests.programme.backoffice.requests import parse
from tests.programme.backoffice.samples import make_events
from tests.programmes import mark_changed

EVENTS, OCCASIONS = "/admin/programme/event/", "/admin/programme/occasion/"


def read_list(office: Client, address: str) -> list[list[str]]:
    """Return the cells of each row of a list, without its tick box and the button that opens the row."""
    page = parse(office.get(address))
    rows = page.select("#result_list tbody tr")
    return [
        [cell.get_text(" ", strip=True) for cell in row.select("th, td:not(.action-checkbox)")]
        for row in rows
    ]


def read_first_cells(office: Client, address: str) -> list[str]:
    return [row[0] for row in read_list(office, address)]


@pytest.mark.parametrize("count", [1, 100])
@pytest.mark.parametrize(("address", "queries"), [(EVENTS, 14), (OCCASIONS, 12)])
def test_a_list_takes_as_many_queries_however_many_rows_and_places(
    office, count, address, queries, django_assert_num_queries
):
    make_events(count)
    # Session, user, editions, days, locations, rooms, areas, sub areas or languages, types, two counts, the rows, and whether
    # the sidebar offers to add the festival.
    with django_assert_num_queries(queries):
        assert len(read_list(office, address)) == min(count, 100)
    room = Room.objects.last()
    with django_assert_num_queries(queries):
        office.get(address, {"place": f"r{room.pk}"})


@pytest.mark.parametrize("count", [1, 30])
def test_event_form_takes_as_many_queries_however_many_occasions(office, count, django_assert_num_queries):
    [event] = make_events(1, occasions=count)
    office.get(f"{EVENTS}{event.pk}/change/")
    # Session, user, the state that the form shows, event, occasions, festival, types, areas, sub areas,
    # languages; the festival's last day, the days of areas; and for warnings the event and its occasions as stored, the other occasions in the rooms, these rooms,
    # opening hours and clashes that were accepted, and editions; lists; news of a draft. Django remembers the content type from the request above.
    with django_assert_num_queries(20):
        page = office.get(f"{EVENTS}{event.pk}/change/").content.decode()
    assert page.count("Plats ") == count


# Of lists and of empty forms.
QUERIES = {
    "area/": 7,
    "subarea/": 8,
    "location/": 7,
    "room/": 7,
    "stream/": 8,
    "organizer/": 7,
    "eventtype/": 7,
    "language/": 7,
    "event/add/": 9,
    "area/add/": 4,
    "subarea/add/": 5,
    "location/add/": 4,
    "stream/add/": 6,
}


@pytest.mark.parametrize("count", [1, 30])
def test_every_other_list_and_form_takes_as_many_queries_however_much_there_is(
    office, count, django_assert_num_queries
):
    make_events(count)
    for path, queries in QUERIES.items():
        office.get(f"/admin/programme/{path}")
        with django_assert_num_queries(queries):
            assert office.get(f"/admin/programme/{path}").status_code == 200, path


def test_event_list_shows_place_state_and_first_occasion(office):
    [event] = make_events(1, occasions=3)
    mark_changed(event.occasions.all(), Text(), NOW)
    Event.objects.create(title="Utan <script>allt</script>", area=event.area, type=event.type)
    assert read_list(office, EVENTS) == [
        ["Evenemang 000", "Område 0 – Scenen", "Typ 0", "draft", "Wed 29 Jul 14:00", "3", "today 14:00"],
        ["Utan <script>allt</script>", "Område 0", "Typ 0", "draft", "", "0", ""],
    ]
    for cancelled, state in ((1, "draft"), (3, "draft, cancelled")):
        keys = event.occasions.values_list("pk", flat=True)[:cancelled]
        Occasion.objects.filter(pk__in=list(keys)).update(cancelled=True)
        assert read_list(office, EVENTS)[0][3] == state


def test_occasion_list_shows_its_festival_day_and_its_own_place(office, settings):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    [event] = make_events(1)
    Event.objects.update(title="<script>Kör</script>")
    night = dt.datetime(2026, 7, 30, 1, tzinfo=dt.UTC)
    Occasion.objects.create(
        event=event, start=night, end=night + dt.timedelta(days=2, minutes=30), cancelled=True
    )
    assert read_list(office, OCCASIONS) == [
        [
            "<script>Kör</script>",
            "Wed 29 Jul",
            "14:00–14:30",
            "Område 0",
            f"Plats {event.pk}.0 – Foajén",
            "draft",
            "Full",
        ],
        [
            "<script>Kör</script>",
            "Wed 29 Jul",
            "03:00–Sat 1 Aug 03:30",
            "Område 0",
            "",
            "draft, cancelled",
            "",
        ],
    ]


def test_lists_of_places_and_people_count_their_events(office):
    first, second = make_events(2)
    Event.objects.filter(pk=second.pk).update(organizer=first.organizer, area=first.area)
    place = first.occasions.get().location
    Occasion.objects.update(location=place, room=None)
    # An event with two occasions here is one.
    Occasion.objects.create(event=first, start=NOW, end=NOW + dt.timedelta(hours=1), location=place)
    assert [row[:2] for row in read_list(office, "/admin/programme/organizer/")] == [
        ["Arrangör 0", "2"],
        ["Arrangör 1", "0"],
    ]
    assert [row[2] for row in read_list(office, "/admin/programme/area/")] == ["2", "0"]
    assert [row[2:4] for row in read_list(office, f"/admin/programme/location/?q=%22{place.name}%22")] == [
        ["1", "2"]
    ]


@pytest.fixture
def angtorget(db: None) -> Event:
    """An event whose names need all of Unicode's cases, beside one that must not be found."""
    make_events(1)
    event = Event.objects.create(
        title="Åsa (live) 87654%",
        area=Area.objects.create(name="Ångtorget"),
        type=EventType.other(),
        organizer=Organizer.objects.create(name="Föreningen ÄRLIG"),
    )
    church = Location.objects.create(name="Östra kyrkan")
    for hours in (1, 2):
        end = NOW + dt.timedelta(hours=hours)
        Occasion.objects.create(event=event, start=NOW, end=end, location=church)
    return event


@pytest.mark.parametrize(
    "typed", ["åsa", "ÅSA", "A\u030asa", "(live)", "87654%", "ärlig", "östra", "ÖSTRA åsa", '"åsa (live)"']
)
def test_search_finds_title_organizer_and_location_in_any_case(office, angtorget, typed):
    page = office.get(EVENTS, {"q": typed})
    assert list(page.context["cl"].result_list) == [angtorget]


def test_search_finds_words_of_texts_also_of_drafts_and_of_what_has_no_occasion(office, angtorget):
    Event.objects.update(status=Status.DRAFT)
    Event.objects.filter(pk=angtorget.pk).update(description_sv="Ta med lödkolven.")
    values = {"area": angtorget.area, "type": angtorget.type}
    bare = Event.objects.create(title="Utan tid", intro_en="Soldering", **values)
    for typed, found in {"lödkolv": [angtorget], "solder": [bare], "östra lödkolven": [angtorget]}.items():
        assert list(office.get(EVENTS, {"q": typed}).context["cl"].result_list) == found
    held = office.get(OCCASIONS, {"q": "lödkolv"}).context["cl"].result_list
    assert [row.event for row in held] == [angtorget] * 2
    assert not office.get(OCCASIONS, {"q": "solder"}).context["cl"].result_list


def test_the_other_kind_of_rows_keeps_what_is_searched_and_filtered(office, angtorget):
    query = {"q": "åsa", "area__id__exact": str(angtorget.area_id), "day": "today", "highlighted__exact": "1"}
    [other] = [
        each["href"] for each in parse(office.get(EVENTS, query)).select(".kinds a:not([aria-current])")
    ]
    assert len(read_list(office, other)) == 2
    [back] = [each["href"] for each in parse(office.get(other)).select(".kinds a:not([aria-current])")]
    assert QueryDict(back.partition("?")[2]).dict() == {name: query[name] for name in (*query,)[:3]}


def test_search_finds_an_id(office, angtorget):
    page = office.get(EVENTS, {"q": str(angtorget.pk)})
    assert angtorget in page.context["cl"].result_list


@pytest.mark.parametrize("typed", ["(", "[", "\\", "*", "a{9", "%", "\x00", "9" * 30])
def test_search_for_signs_finds_no_more_than_they_stand_for(office, angtorget, typed):
    found = {event.title for event in office.get(EVENTS, {"q": typed}).context["cl"].result_list}
    everything = {"Evenemang 000", angtorget.title}
    holding = {title for title in everything if typed in title}
    assert found == (everything if typed == "\x00" else holding)


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        ("today", ["I dag"]),
        ("tomorrow", ["I morgon", "Natten"]),
        ("2026-08-02", ["På söndag"]),
        ("2026-07-28", []),
        ("2026-07-29", ["I dag"]),
        ("soon", []),
        ("9999-99-99", []),
        ("9999-12-31", []),
    ],
)
def test_events_are_filtered_by_festival_day(office, settings, chosen, found):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    [event] = make_events(1)
    for title, start in {
        "I dag": NOW,
        "I morgon": NOW + dt.timedelta(days=1),
        # Half past four on Friday, which still belongs to Thursday.
        "Natten": dt.datetime(2026, 7, 31, 2, 30, tzinfo=dt.UTC),
        "På söndag": NOW + dt.timedelta(days=4),
    }.items():
        other = Event.objects.create(title=title, area=event.area, type=event.type)
        for minutes in (0, 10):
            begins = start + dt.timedelta(minutes=minutes)
            Occasion.objects.create(event=other, start=begins, end=begins + dt.timedelta(hours=1))
    event.delete()
    page = parse(office.get(EVENTS, {"day": chosen}))
    assert [cell.text for cell in page.select("#result_list tbody th")] == found
    # The day is marked, or refused.
    marked = page.select("[data-filter-title='festival day'] li.selected")
    is_refused = chosen in {"soon", "9999-99-99", "9999-12-31"}
    assert (len(marked), "is none of the choices" in page.text) == (0 if is_refused else 1, is_refused)


def test_day_filter_offers_today_tomorrow_and_the_days_with_occasions(office):
    [event] = make_events(1)
    for days in (-3, -1, 0, 1, 4, 400):
        start = NOW + dt.timedelta(days=days)
        Occasion.objects.create(event=event, start=start, end=start + dt.timedelta(hours=1))
    page = parse(office.get(EVENTS))
    offered = [link.text.strip() for link in page.select("[data-filter-title='festival day'] li")]
    earlier = [link.text.strip() for link in page.select("[data-filter-title='Earlier days'] li")]
    assert offered == ["All", "Today", "Tomorrow", "Sun 2 Aug", "Thu 2 Sep 2027", *earlier]
    assert earlier == ["Sun 26 Jul", "Yesterday"]
    assert not page.select_one("[data-filter-title='Earlier days']").has_attr("open")


def test_events_are_filtered_by_what_they_are(office):
    _plain, event = make_events(2)
    keys: dict[str, Any] = {
        f"{name}_id": getattr(event, f"{name}_id") for name in ("area", "type", "language")
    }
    facts = {"status": "published", "highlighted": True}
    Event.objects.filter(pk=event.pk).update(**facts)
    specs = office.get(EVENTS).context["cl"].filter_specs
    offered = {name for each in specs for name in each.expected_parameters()}
    for name, value in (keys | facts).items():
        parameter = f"{name.replace('_id', '__id')}__exact"
        assert parameter in offered
        query = f"{EVENTS}?{parameter}={1 if value is True else value}"
        assert read_first_cells(office, query) == ["Evenemang 001"], query
