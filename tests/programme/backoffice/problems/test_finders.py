"""Each kind of problem: what it finds, what it leaves alone, and where it is fixed."""

import datetime as dt
from collections.abc import Callable

import pytest
from django.apps import apps

from programme.backoffice.problems.finders import KINDS, list_texts
from programme.backoffice.problems.problem import ProblemLink, ProgrammeProblem, TimeRange
from programme.backoffice.problems.survey import build_survey
from programme.backoffice.programme import load_programme
from programme.models import AreaDay, Day, Edition, Event, Location, News, Occasion, OccasionList
from programme.models.history import Version
from tests.programmes import (
    ABROAD,
    BARE,
    DRAFT,
    JAZZ,
    MARATHON,
    NEVER,
    NIGHT,
    PARKEN,
    PARKEN_SCENEN,
    TOMTEN,
    TORGET,
    TORGET_SCENEN,
    utc,
)

pytestmark = pytest.mark.usefixtures("sample")


def list_problems(kind: str) -> list[tuple[str, str]]:
    """Return what is found of a kind: the details, and the address of the first field to fix."""
    return [(str(one.detail), address(one.links[0])) for one in of_kind(kind)]


def of_kind(kind: str) -> list[ProgrammeProblem]:
    return [one for one in build_survey().problems if one.kind.key == kind]


def address(link: ProblemLink) -> str:
    return f"{link.form}#id_{link.field}"


def event(pk: int, field: str) -> str:
    return f"/admin/programme/event/{pk}/change/#id_{field}"


def occasion(pk: int, field: str) -> str:
    return f"/admin/programme/occasion/{pk}/change/#id_{field}"


@pytest.fixture(autouse=True)
def _english(settings) -> None:
    settings.LANGUAGE_CODE = "en"


def test_kinds_stand_worst_first_and_have_names_of_their_own() -> None:
    severities = [kind.severity for kind in KINDS.values()]
    assert severities == sorted(severities)
    assert len({str(kind.label) for kind in KINDS.values()}) == len(KINDS) == 14


def test_a_double_booked_room_names_each_occasion_and_where_it_is_moved() -> None:
    [clash] = of_kind("double-booked")
    assert (clash.title, str(clash.detail)) == ("Biblioteket, Sal 2", "2 occasions at the same time")
    assert [(link.label, address(link)) for link in clash.links] == [
        (Event.objects.get(id=JAZZ).title, occasion(8001, "start_time")),
        ("När klockan ställs om", occasion(8014, "start_time")),
    ]
    assert clash.areas == {TORGET, PARKEN}
    assert (clash.days, clash.until) == ((dt.date(2026, 7, 29),), utc(2026, 7, 29, 15))


def test_a_sub_area_of_another_area() -> None:
    assert list_problems("sub-area") == []
    Event.objects.filter(id=JAZZ).update(sub_area_id=PARKEN_SCENEN)
    assert list_problems("sub-area") == [
        (r"Scenen is in Parken; norr, söder & \mitt", event(JAZZ, "sub_area"))
    ]


# The Torget opens at 10 on 29 July and closes at 3 in the night; on 31 July it opens at 12.
@pytest.mark.parametrize(
    ("start", "end", "outside"),
    [
        (utc(2026, 7, 29, 8), utc(2026, 7, 30, 1), False),
        (utc(2026, 7, 29, 7, 59), utc(2026, 7, 29, 9), True),
        (utc(2026, 7, 29, 20), utc(2026, 7, 30, 1, 1), True),
        (utc(2026, 7, 31, 10), utc(2026, 7, 31, 23), False),
        (utc(2026, 7, 31, 9, 59), utc(2026, 7, 31, 23), True),
        # No hours are known of that day; what goes on for days has none.
        (utc(2026, 7, 30, 1), utc(2026, 7, 30, 2), False),
        (utc(2026, 7, 29, 7), utc(2026, 7, 31, 7), False),
    ],
)
def test_outside_the_hours_of_the_area(start: dt.datetime, end: dt.datetime, outside: bool) -> None:
    Occasion.objects.exclude(id=8004).delete()
    Occasion.objects.filter(id=8004).update(start=start, end=end)
    hours = "12:00–?" if start.day == 31 else "10:00–03:00"
    expected = [(f"The area is open {hours}", occasion(8004, "start_time"))]
    assert list_problems("outside-hours") == expected * outside


def test_hours_of_a_festival_day_that_begins_in_the_morning(settings) -> None:
    """One that closes at 3 without saying when it opens closes in the night, as the festival's day goes on."""
    Occasion.objects.exclude(id=8004).delete()
    AreaDay.objects.create(area_id=TORGET, day=Day.on(dt.date(2026, 8, 1)), closes=dt.time(3))
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    for end, outside in ((utc(2026, 8, 2, 1), False), (utc(2026, 8, 2, 1, 1), True)):
        Occasion.objects.filter(id=8004).update(start=utc(2026, 8, 1, 20), end=end)
        assert bool(list_problems("outside-hours")) == outside


@pytest.mark.parametrize(
    "innocent",
    [
        lambda: Occasion.objects.filter(id=8004).update(cancelled=True),
        # What is online keeps no hours.
        lambda: Occasion.objects.filter(id=8004).update(location=5002),
    ],
)
def test_what_is_cancelled_or_online_may_be_at_any_time(innocent: Callable[[], object]) -> None:
    Occasion.objects.exclude(id=8004).delete()
    Occasion.objects.filter(id=8004).update(start=utc(2026, 7, 29, 4))
    assert len(list_problems("outside-hours")) == 1
    innocent()
    assert list_problems("outside-hours") == []


@pytest.mark.parametrize(
    ("start", "end", "hours"),
    [
        (utc(2026, 7, 29, 12), utc(2026, 7, 30, 11), 23),  # 14:00-13:00
        (utc(2026, 7, 29, 12), utc(2026, 7, 30, 12), 24),  # 14:00-14:00
        (utc(2026, 7, 29, 18), utc(2026, 7, 30, 6), None),  # 20:00-08:00: half a day is a night
        (utc(2026, 7, 29, 18), utc(2026, 7, 30, 6, 1), 12),
        (utc(2026, 7, 29, 6), utc(2026, 7, 29, 20), None),  # 08:00-22:00 of one day
        (utc(2026, 7, 29, 12), utc(2026, 7, 30, 13), None),  # with an end date, so meant
        (utc(2026, 7, 29, 12), utc(2026, 7, 31, 11), None),
    ],
)
def test_an_end_that_may_have_been_typed_before_the_start(start, end, hours) -> None:
    Occasion.objects.exclude(id=8004).delete()
    Occasion.objects.filter(id=8004).update(start=start, end=end)
    expected = [(f"{hours} hours, into the next day. Is the end right?", occasion(8004, "end_time"))]
    assert list_problems("end-before-start") == expected * (hours is not None)
    Occasion.objects.update(cancelled=True)
    assert list_problems("end-before-start") == []


def test_events_without_an_occasion() -> None:
    [never] = of_kind("no-occasion")
    assert never.title == "Utan tillfälle"
    assert address(never.links[0]) == event(NEVER, "occasions-0-day")
    assert never.until is None


def test_occasions_without_a_location_are_one_problem_of_their_event() -> None:
    bare, draft = of_kind("no-location")
    assert str(bare.detail) == "5 of 5 occasions"
    assert address(bare.links[0]) == event(BARE, "occasions-0-place")
    assert (str(draft.detail), address(draft.links[0])) == ("", event(DRAFT, "occasions-0-place"))
    # It is over with the last of them, and links to the first.
    assert (bare.span, bare.until) == (TimeRange(utc(2025, 7, 28, 22, 30), utc(2025, 7, 29)), utc(2027, 1, 1))
    Occasion.objects.filter(event=BARE).exclude(id__in=[8013, 8016]).update(location=5001)
    bare, _draft = of_kind("no-location")
    assert (str(bare.detail), bare.until) == ("2 of 5 occasions", utc(2026, 7, 29, 16))
    assert bare.days == (dt.date(2026, 7, 29),)
    [first] = bare.links
    # As they stand in the form: by start, end, and ID.
    assert address(first) == event(BARE, "occasions-2-place")
    # What is cancelled needs none.
    Occasion.objects.filter(location=None).update(cancelled=True)
    assert list_problems("no-location") == []


def test_places_of_which_nothing_is_known_are_one_problem() -> None:
    Location.objects.filter(pk=5001).update(access="no-step-free")
    [found] = of_kind("no-access")
    held = {*Occasion.objects.filter(cancelled=False).values_list("location", flat=True)}
    used = held & {*Location.objects.filter(online=False).values_list("pk", flat=True)}
    assert str(found.title) == f"{len(used) - 1} of {len(used)} places without: Accessibility in brief"
    assert found.links[0].form == "/admin/programme/location/?access=-"
    Location.objects.update(access="seats")
    assert of_kind("no-access") == []


def test_what_is_to_be_booked_without_a_link() -> None:
    Event.objects.filter(id=JAZZ).update(ticket_url="")
    assert list_problems("no-booking-link") == []
    rows = Occasion.objects.filter(event=JAZZ)
    rows.update(booking="needed")
    assert list_problems("no-booking-link") == [("Booking: needed", event(JAZZ, "occasions-0-booking_url"))]
    rows.filter(id=8001).update(booking_url="https://boka.example/")
    # The third one is cancelled.
    assert list_problems("no-booking-link") == [("Booking: needed", event(JAZZ, "occasions-1-booking_url"))]
    Event.objects.filter(id=JAZZ).update(ticket_url="https://biljetter.example/")
    assert list_problems("no-booking-link") == []


@pytest.mark.parametrize(
    ("price", "free", "found"),
    [
        ("Gratis", "false", "The price is “Gratis”, but: costs something"),
        ("80 kr", "true", "The price is “80 kr”, but: free"),
        ("80 kr", "false", None),
        ("Se webben", "true", None),
    ],
)
def test_prices_that_contradict_what_is_stated(price: str, free: str, found: str | None) -> None:
    Event.objects.filter(id=JAZZ).update(price=price, free=free)
    assert list_problems("price-contradicts") == ([(found, event(JAZZ, "free"))] if found else [])


def test_texts_in_one_language_only_are_told_by_field() -> None:
    assert list_problems("no-swedish") == [
        ("intro in Swedish, description in Swedish", event(ABROAD, "intro_sv")),
        ("area · information in Swedish", f"/admin/programme/area/{TOMTEN}/change/#id_info_sv"),
    ]
    scene = f"/admin/programme/subarea/{TORGET_SCENEN}/change/#id_info_en"
    assert list_problems("no-english") == [
        ("sub area · information in English", scene),
        ("intro in English", event(MARATHON, "intro_en")),
        ("event type · name in English", "/admin/programme/eventtype/4002/change/#id_name_en"),
        ("intro in English, description in English", event(NIGHT, "intro_en")),
    ]


def test_every_model_with_texts_in_two_languages_is_looked_at() -> None:
    every = apps.get_app_config("programme").get_models()
    # What readers were told is not edited any more; a list may be for readers of one language;
    # an edition is often called by its year.
    others = (Version, News, OccasionList, Edition)
    columns = {
        model: {field.name.removesuffix("_sv") for field in model._meta.fields if field.name.endswith("_sv")}
        for model in every
        if not issubclass(model, others)
    }
    rows = load_programme().rows.items()
    looked_at = {model: {*list_texts(type(row))} for model, found in rows for row in found.values()}
    assert looked_at == {model: names for model, names in columns.items() if names}


def test_places_without_coordinates_are_one_problem_with_their_list(office) -> None:
    [found] = of_kind("no-coordinates")
    used = {
        each.place.location.id
        for each in load_programme().occasions.values()
        if each.place and not each.cancelled and not each.place.location.online
    }
    count = len(used)
    assert str(found.title) == f"{count} of {count} places without coordinates"
    [link] = found.links
    assert link.form == "/admin/programme/location/?coordinates=lacking"
    assert {row.pk for row in office.get(link.form).context["cl"].result_list} == used
    some, *others = sorted(used)
    Location.objects.filter(pk=some).update(latitude="57.7", longitude="11.9")
    [found] = of_kind("no-coordinates")
    assert str(found.title) == f"{count - 1} of {count} places without coordinates"
    assert {row.pk for row in office.get(link.form).context["cl"].result_list} == {*others}
    Location.objects.exclude(pk=some).update(online=True)
    assert of_kind("no-coordinates") == []
