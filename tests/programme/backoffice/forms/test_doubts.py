"""Days that look wrong are asked about, wherever readers would see them, and stay in the list of problems."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.editions import find_usual_days
from programme.models import Edition, Event, Missed, Occasion, ScheduledPublication, Status
from tests.programme.backoffice.bulk.pages import apply, show
from tests.programme.backoffice.requests import (
    list_errors,
    list_messages,
    parse,
    row_fields,
    send,
    submission,
    submit_new,
    words,
)
from tests.programme.backoffice.samples import make_events
from tests.programmes import JAZZ, utc

pytestmark = pytest.mark.usefixtures("at")

EVENTS, DAY = "/admin/programme/event/", "occasions-0-day"
FAR = "2062-01-30"
DUE = {"due_day": "2026-07-30", "due_time": "9"}
SURE = f"sure-{FAR}"
FESTIVAL = "outside the festival’s days (15 July 2026 – 12 August 2026)"
QUESTION = f"Is Mon 30 Jan 2062 right, a date {FESTIVAL}, in 2062, another year than the rest?"
ASKED = f'{QUESTION} <label><input name="{SURE}" type="checkbox"> Yes, save it</label>'


@pytest.fixture
def film(db: None) -> Event:
    """A published event on 29 July at 14:00, as five others are."""
    *_others, film = make_events(6)
    Event.objects.update(status=Status.PUBLISHED)
    return film


def read_days() -> list[str]:
    return [f"{start:%Y-%m-%d}" for start in Occasion.objects.order_by("pk").values_list("start", flat=True)]


def test_a_form_asks_before_it_publishes_and_loses_nothing(office, film):
    Event.objects.filter(pk=film.pk).update(status=Status.DRAFT)
    form, typed = f"{EVENTS}{film.pk}/change/", {"occasions-0-day": FAR, "price": "10 kr"}
    asked = send(office, form, status="published", **typed)
    assert list_errors(asked) == {"occasions-0-day": [ASKED]}
    shown = submission(asked)
    assert {name: shown[name] for name in typed} == typed
    film.refresh_from_db()
    assert (film.status, film.price) == ("draft", "")
    # Another day is another question.
    assert office.post(form, shown | {"status": "published", "sure-2062-01-31": "on"}).status_code == 200
    assert office.post(form, shown | {"status": "published", SURE: "on"}).status_code == 302
    film.refresh_from_db()
    assert (film.status, film.price, read_days()[-1]) == ("published", "10 kr", FAR)
    # It is not asked again for something else; a draft is not asked about.
    assert send(office, form, price="20 kr").status_code == 302
    assert send(office, form, status="draft").status_code == 302
    assert send(office, form, **{"occasions-0-day": "2063-01-30"}).status_code == 302


def test_one_tick_answers_for_all_rows_with_one_doubt(office, film):
    first = film.occasions.get()
    for number in range(3):
        start = utc(2062, 1, 30 - number, 14)
        Occasion.objects.create(event=film, start=start, end=start + dt.timedelta(hours=1))
    first.delete()
    Event.objects.filter(pk=film.pk).update(status=Status.DRAFT)
    form = f"{EVENTS}{film.pk}/change/"
    asked = send(office, form, status="published")
    assert len(list_errors(asked)) == 3
    [box] = parse(asked).select("[name^=sure-]")
    assert words(box.parent) == "Yes, save all of them"
    sent = submission(asked) | {"status": "published"}
    assert office.post(form, sent | {box["name"]: "on"}).status_code == 200
    assert office.post(form, sent | {box["name"]: box["value"]}).status_code == 302


def test_the_title_of_a_copy_is_asked_about_before_readers_see_it(office, film):
    Event.objects.filter(pk=film.pk).update(status=Status.DRAFT, title="Film (kopia)")
    form = f"{EVENTS}{film.pk}/change/"
    question = "“Film (kopia)” is the title of a copy. Is it to be called so?"
    asked = send(office, form, status="published")
    assert [each.startswith(question) for each in list_errors(asked)["title"]] == [True]
    assert question in words(parse(show(office, "publish", [film.pk], EVENTS)).select_one("#content-main"))
    assert send(office, form, price="20 kr").status_code == 302
    assert send(office, form, status="published", title="Film").status_code == 302
    Event.objects.filter(pk=film.pk).update(status=Status.DRAFT, title="Film (kopia)")
    assert send(office, form, status="published", **{"sure-copy": "on"}).status_code == 302


@pytest.mark.parametrize("when", [{}, {"day": "2026-07-30", "start_time": "19", "end_time": "20"}])
def test_a_form_that_is_sent_twice_asks_before_it_makes_a_second_event(office, film, when):
    typed = {"title": "Ny", "area": film.area_id, "occasions-TOTAL_FORMS": "1", "status": "draft"}
    typed |= row_fields("occasions", 0, **when)
    assert submit_new(office, "event", **typed).status_code == 302
    new = Event.objects.get(title="Ny")
    [asked] = list_errors(submit_new(office, "event", **typed))["title"]
    assert f'<a href="{EVENTS}{new.pk}/change/">Ny</a> is saved already.' in asked
    assert submit_new(office, "event", **typed | {"sure-twin": "on"}).status_code == 302
    assert submit_new(office, "event", **typed | {"title": "Nyare"}).status_code == 302
    assert Event.objects.filter(title="Ny").count() == 2


def test_what_is_planned_is_asked_about_too(office, film):
    Event.objects.filter(pk=film.pk).update(status=Status.DRAFT)
    sent = send(office, f"{EVENTS}{film.pk}/change/", status="planned", **DUE, **{DAY: FAR})
    assert list_errors(sent) == {"occasions-0-day": [ASKED]}


def test_an_occasion_of_a_published_event_is_asked_about_where_it_is_moved(office, film):
    form = f"{EVENTS}{film.pk}/change/"
    assert list_errors(send(office, form, **{DAY: FAR})) == {DAY: [ASKED]}
    [asked] = list_errors(send(office, form, **{DAY: "2026-07-01"}))[DAY]
    assert asked.startswith(f"Is Wed 1 Jul right, a date {FESTIVAL}, in the past?")
    assert send(office, form, **{DAY: "2026-08-02"}).status_code == 302
    assert send(office, form, **{DAY: FAR, SURE: "on"}).status_code == 302
    assert read_days()[-1] == FAR
    # The times of what is there are nobody's question.
    assert send(office, form, **{"occasions-0-start_time": "15"}).status_code == 302


def test_the_timetable_asks(office, film):
    day = f"/admin/timetable/{FAR}/"
    sent = {"event": str(film.pk), "minute": "840", "minutes": "60"}
    column = parse(office.get("/admin/timetable/2026-07-29/")).select_one("[data-column]")["data-column"]
    asked = office.post(day, sent | {"column": column})
    assert (asked.status_code, asked.json()["sure"]) == (400, SURE)
    assert asked.json()["message"] == QUESTION
    assert office.post(day, sent | {"column": column, SURE: "1"}).status_code == 200
    assert read_days()[-1] == FAR


@pytest.mark.parametrize(
    ("action", "moment", "done"),
    [("publish", {}, "Published events: 1."), ("publish_at", DUE, "1 event: is published Thu 30 Jul 09:00.")],
)
def test_the_list_asks_before_it_publishes(office, film, action, moment, done):
    Event.objects.filter(pk=film.pk).update(status=Status.DRAFT)
    film.occasions.update(start=utc(2062, 1, 30, 14), end=utc(2062, 1, 30, 15))
    asked = show(office, action, [film.pk], EVENTS, **moment)
    assert f"{film}: Is Mon 30 Jan 2062 right, a date {FESTIVAL}?" in words(
        parse(asked).select_one("#content-main")
    )
    film.refresh_from_db()
    assert film.status == "draft"
    assert list_messages(apply(office, asked))[0].startswith(done)


def test_the_list_asks_before_it_publishes_what_is_to_wait(office, film):
    Event.objects.filter(pk=film.pk).update(status=Status.DRAFT)
    ScheduledPublication.objects.create(event=film, status=Status.PUBLISHED, due=utc(2026, 7, 30))
    chosen = {"action": "publish", "_selected_action": str(film.pk)}
    asked = words(parse(office.post(EVENTS, chosen)).select_one("#content-main"))
    assert "1 event is planned for later, and would be published now." in asked
    film.refresh_from_db()
    assert film.status == "draft"
    # What was missed waits for nothing.
    ScheduledPublication.objects.update(missed=Missed.OCCASIONS)
    shown = office.post(EVENTS, chosen)
    assert "planned" not in words(parse(shown).select_one("#content-main"))
    assert list_messages(apply(office, shown))[0].startswith("Published events: 1.")


def test_the_preview_of_many_says_it(office, film):
    shown = show(office, "move", [film.occasions.get().pk], day=FAR)
    assert QUESTION in words(parse(shown).select_one("#content-main"))


def test_editions_say_which_days_are_right(office, film):
    for year in (2026, 2062):
        days = {"first_day": dt.date(year, 1, 1), "last_day": dt.date(year, 12, 31)}
        Edition.objects.create(slug=str(year), name_sv=str(year), **days)
    form = f"{EVENTS}{film.pk}/change/"
    [asked] = list_errors(send(office, form, **{DAY: "2063-01-30"}))[DAY]
    assert asked.startswith("Is Tue 30 Jan 2063 right, a date outside the festival’s days (")
    assert send(office, form, **{DAY: FAR}).status_code == 302


def test_without_editions_the_days_of_areas_say_which_are_right(office, sample):
    [asked] = list_errors(send(office, f"{EVENTS}{JAZZ}/change/", **{DAY: "2026-08-02"}))[DAY]
    assert asked.startswith("Is Sun 2 Aug right, a date outside the festival’s days (29 July 2026 – 31 July")
    page = parse(office.get("/admin/problems/?kind=no-festival&when=all"))
    assert "Bibblan" not in words(page.select_one(".subject"))


def test_the_problem_stays_in_the_list(office, film):
    def list_problems() -> list[str]:
        page = parse(office.get("/admin/problems/?kind=no-festival&when=all"))
        return [words(each) for each in page.select(".subject")]

    assert list_problems() == []
    film.occasions.update(start=utc(2062, 1, 30, 14), end=utc(2062, 1, 30, 15))
    assert list_problems() == [film.title]
    # What only begins long before is on.
    film.occasions.update(start=utc(2026, 3, 1, 14), end=utc(2026, 7, 30, 15))
    assert list_problems() == []


@given(
    festival=st.lists(st.dates(dt.date(2026, 7, 1), dt.date(2026, 7, 14)), min_size=3),
    stray=st.dates(dt.date(2027, 1, 1)) | st.dates(max_value=dt.date(2026, 1, 1)),
)
def test_one_stray_date_does_not_stretch_the_festival(festival, stray):
    found = find_usual_days([*festival, stray])
    assert {*festival} <= found
    assert stray not in found
    assert max(found) - min(found) <= dt.timedelta(days=54)


def test_no_occasions_are_no_festival():
    assert find_usual_days([]) == frozenset()
