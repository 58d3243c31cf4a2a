"""Each kind of problem: what it finds, what it leaves alone, and where it is fixed."""

import datetime as dt
from collections.abc import Callable

import pytest

from feeds.festival_time import FestivalTime
from programme.backoffice.problems import texts
from programme.backoffice.problems.problem import ProgrammeProblem
from programme.backoffice.problems.registry import KINDS, build_survey
from programme.models import Area, AreaDay, Day, Event, Festival, Location, Occasion, Room
from programme.models.festival_time import festival_time
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


def list_problems(kind: str, festival: FestivalTime | None = None) -> list[tuple[str, str]]:
    """Return what is found of a kind: the details, and the address of the first field to fix."""
    return [(str(one.detail), one.url) for one in of_kind(kind, festival)]


def of_kind(kind: str, festival: FestivalTime | None = None) -> list[ProgrammeProblem]:
    [found] = [each for each in build_survey(festival or festival_time()).found if each.kind.key == kind]
    return found.problems


def event(pk: int, field: str) -> str:
    return f"/admin/programme/event/{pk}/change/#id_{field}"


def occasion(pk: int, field: str) -> str:
    return f"/admin/programme/occasion/{pk}/change/#id_{field}"


@pytest.fixture(autouse=True)
def _english(settings) -> None:
    settings.LANGUAGE_CODE = "en"


def test_kinds_stand_worst_first_and_have_names_of_their_own() -> None:
    assert [kind.severity for kind in KINDS] == sorted(kind.severity for kind in KINDS)
    assert len({kind.key for kind in KINDS}) == len({str(kind.label) for kind in KINDS}) == len(KINDS) == 12


def test_a_double_booked_room_names_each_occasion_and_where_it_is_moved() -> None:
    [clash] = of_kind("double-booked")
    assert (clash.title, str(clash.detail)) == ("Biblioteket, Sal 2", "2 occasions at the same time")
    assert [(link.label, link.url) for link in clash.links] == [
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


def test_hours_of_a_festival_day_that_begins_in_the_morning() -> None:
    """One that closes at 3 without saying when it opens closes in the night, as the festival's day goes on."""
    Occasion.objects.exclude(id=8004).delete()
    AreaDay.objects.create(area_id=TORGET, day=Day.on(dt.date(2026, 8, 1)), closes=dt.time(3))
    festival = FestivalTime("Europe/Stockholm", 5)
    for end, outside in ((utc(2026, 8, 2, 1), False), (utc(2026, 8, 2, 1, 1), True)):
        Occasion.objects.filter(id=8004).update(start=utc(2026, 8, 1, 20), end=end)
        assert bool(list_problems("outside-hours", festival)) == outside


@pytest.mark.parametrize(
    "innocent",
    [
        lambda: Occasion.objects.filter(id=8004).update(cancelled=True),
        lambda: Event.objects.filter(id=NIGHT).update(cancelled=True),
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


def test_events_without_an_occasion() -> None:
    [never] = of_kind("no-occasion")
    assert (never.title, never.url, never.until) == ("Utan tillfälle", event(NEVER, "occasions-0-day"), None)
    Event.objects.filter(id=NEVER).update(cancelled=True)
    assert list_problems("no-occasion") == []


def test_events_without_a_location() -> None:
    lacking = [event(pk, "location") for pk in (BARE, NEVER, DRAFT)]
    assert [one.url for one in of_kind("no-location")] == lacking
    # A room says where as well; each occasion that is to be held needs a place, but not one that is not.
    Event.objects.filter(id=DRAFT).update(room_id=6001)
    Occasion.objects.filter(event=BARE).exclude(id=8016).update(location_id=5001)
    Event.objects.filter(id=NEVER).update(location_id=5001)
    assert [one.url for one in of_kind("no-location")] == [event(BARE, "location")]
    Occasion.objects.filter(id=8016).update(cancelled=True)
    assert list_problems("no-location") == []


def test_images_without_a_caption() -> None:
    assert list_problems("no-caption") == []
    Event.objects.filter(id=JAZZ).update(image_caption="")
    Event.objects.filter(id=DRAFT).update(image="events/a.jpg")
    assert [(one.url, one.draft) for one in of_kind("no-caption")] == [
        (event(JAZZ, "image_caption"), False),
        (event(DRAFT, "image_caption"), True),
    ]


def test_a_festival_without_town_or_country() -> None:
    form, detail = "/admin/programme/festival/1/change/", "Say in which town and country it is."
    assert list_problems("no-town") == [(detail, f"{form}#id_town")]
    Festival.objects.update(town="Åsunda")
    assert list_problems("no-town") == [(detail, f"{form}#id_country")]
    Festival.objects.update(country="SE")
    assert list_problems("no-town") == []


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


def test_what_is_translated_is_complete() -> None:
    Event.objects.filter(id=ABROAD).update(intro_sv="Inget.", description_sv="Verkligen.")
    Area.objects.filter(name="Tomten").update(info_sv="Inget än.")
    assert list_problems("no-swedish") == []


def test_every_model_with_texts_in_two_languages_is_looked_at() -> None:
    assert set(texts.TITLES) == texts.list_translated_models()
    assert texts.list_texts(Event) == ["intro", "description"]
    names = {text for model in texts.TITLES for text in texts.list_texts(model)}
    assert names == set(texts._LABELS)


def test_completeness_is_told_of_texts_that_are_there_at_all() -> None:
    Event.objects.exclude(id__in=(JAZZ, NIGHT, BARE)).update(
        intro_sv="", intro_en="", description_sv="", description_en=""
    )
    Festival.objects.all().delete()
    Location.objects.update(accessibility_sv="", accessibility_en="")
    Room.objects.update(accessibility_sv="", accessibility_en="")
    rows = list(texts.load_rows(Event))
    figures = [tuple(texts.measure_completeness(rows, language))[1:] for language in ("sv", "en")]
    assert figures == [(4, 4), (2, 4)]
    assert [texts.measure_completeness(rows, language).percent for language in ("sv", "en")] == [100, 50]
    assert [(str(model), str(text)) for model, text, _figures in texts.measure_by_field(rows)] == [
        ("event", "intro"),
        ("event", "description"),
    ]
    assert texts.measure_completeness([], "sv").percent == 100


def test_nothing_but_the_last_missing_text_makes_it_a_hundred_percent() -> None:
    rows = [texts.TranslatableRow(Event, pk, "", None, {"intro": {"sv", "en"}}) for pk in range(999)]
    assert texts.measure_completeness([*rows, rows[0]._replace(texts={"intro": {"sv"}})], "en").percent == 99
