"""Moving an occasion by the rules of its form, and undoing it: never over somebody's edit."""

import datetime as dt
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from feeds.marks import NO_MARK
from feeds.vocabulary import Text
from programme.backoffice.roles import Role
from programme.models import Edit, Event, Location, Occasion, Revision, Room
from tests.conftest import NOW
from tests.programme.backoffice.marks import list_told, read_mark
from tests.programme.backoffice.requests import words
from tests.programme.backoffice.rights.people import office_of, user_of
from tests.programme.backoffice.samples import make_events
from tests.programme.backoffice.timetable.reading import DAY, Response, add, drop, occasions, page, seen, undo
from tests.programmes import JAZZ, TORGET, utc

pytestmark = pytest.mark.usefixtures("at", "sample")

# Jazz at 16:00 in room 2 of the library.
JAZZ_AT_FOUR, DRAFT_AT_FOUR, CLOCKS_AT_FOUR, NIGHT_AT_TEN = 8001, 8017, 8014, 8004


def stated(occasion: int) -> tuple[Any, ...]:
    return Occasion.objects.values_list("start", "end", "location", "room").get(pk=occasion)


def revision() -> int:
    return Revision.objects.get().number


def read(response: Response) -> BeautifulSoup:
    return BeautifulSoup(response.json()["html"], "lxml")


def test_an_occasion_is_moved_in_time_and_keeps_its_length_and_place(office):
    response = drop(office, JAZZ_AT_FOUR, minute=19 * 60 + 35)
    assert response.status_code == 200
    assert response.json()["message"] == "Moved to 19:35–20:35, Biblioteket, Sal 2. Readers are told."
    assert stated(JAZZ_AT_FOUR) == (utc(2026, 7, 29, 17, 35), utc(2026, 7, 29, 18, 35), 5001, 6001)
    # The day comes with it, as it is now: nothing clashes any more.
    times = {title: (time, marks) for time, title, marks, _where in occasions(read(response))}
    assert times["När klockan ställs om"] == ("16:00–17:00", "")
    assert "1 draft 1 cancelled" in words(read(response).select_one(".summary"))


@pytest.mark.parametrize(
    ("key", "column", "location", "room"),
    [
        (JAZZ_AT_FOUR, "r6002", 5001, 6002),
        (JAZZ_AT_FOUR, "r6003", 5003, 6003),
        (JAZZ_AT_FOUR, "l5003", 5003, None),
        (JAZZ_AT_FOUR, "l5002", 5002, None),
        (JAZZ_AT_FOUR, "l5001", 5001, None),
        (JAZZ_AT_FOUR, "none", None, None),
        (DRAFT_AT_FOUR, "r6002", 5001, 6002),
        (DRAFT_AT_FOUR, "none", None, None),
    ],
)
def test_an_occasion_is_moved_to_another_place_and_keeps_its_time(
    office: Client, key: int, column: str, location: int | None, room: int | None
) -> None:
    Occasion.objects.filter(pk=key).update(location=5001, room=6001)
    assert drop(office, key, column=column).status_code == 200
    assert stated(key) == (utc(2026, 7, 29, 14), utc(2026, 7, 29, 15), location, room)


@pytest.mark.parametrize(
    ("key", "day", "fields", "times"),
    [
        (
            JAZZ_AT_FOUR,
            "2026-07-29",
            {"minute": 17 * 60},
            (utc(2026, 7, 29, 15), utc(2026, 7, 29, 15, 59, 59)),
        ),
        (
            JAZZ_AT_FOUR,
            "2026-07-29",
            {"minute": 19 * 60, "minutes": 30},
            (utc(2026, 7, 29, 17), utc(2026, 7, 29, 17, 30)),
        ),
        # From 01:30 to 03:30, three hours, in the night when the clock goes back: it stays as long.
        (8008, "2026-10-25", {"minute": 4 * 60}, (utc(2026, 10, 25, 2), utc(2026, 10, 25, 5))),
        (8008, "2026-10-25", {"minutes": 60}, (utc(2026, 10, 24, 23, 30), utc(2026, 10, 25, 0, 30))),
        # The second time that the clock shows 02:10.
        (8008, "2026-10-25", {"minute": 190}, (utc(2026, 10, 25, 1, 10), utc(2026, 10, 25, 4, 10))),
        # From 01:30 to 03:30 where an hour is skipped.
        (8007, "2026-03-29", {"minutes": 60}, (utc(2026, 3, 29, 0, 30), utc(2026, 3, 29, 1, 30))),
        # On another day it stays at its clock times.
        (
            8008,
            "2026-10-25",
            {"day": "2026-10-26", "minute": 90, "sure-2026-10-26": "1"},
            (utc(2026, 10, 26, 0, 30), utc(2026, 10, 26, 2, 30)),
        ),
    ],
)
def test_minutes_are_counted_from_the_beginning_of_the_day_and_seconds_are_kept(
    office, key, day, fields, times
):
    Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(end=utc(2026, 7, 29, 14, 59, 59))
    assert drop(office, key, f"/admin/timetable/{day}/", **fields).status_code == 200
    assert stated(key)[:2] == times


# --- Length and day -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "hours", "change"),
    [
        ("2026-03-29", ["00:00", "01:00", "03:00", "04:00"], ("120", "60")),
        ("2026-10-25", ["00:00", "01:00", "02:00", "02:00", "03:00", "04:00"], ("180", "-60")),
        ("2026-07-29", [], ("0", "0")),
    ],
)
def test_the_hours_of_a_day_are_those_that_its_clock_shows(office, day, hours, change):
    shown = page(office, f"/admin/timetable/{day}/?hours=on")
    root = shown.select_one("#timetable")
    assert [each.text for each in shown.select(".side .hour")][: len(hours)] == hours
    assert (root["data-changes"], root["data-change"]) == change
    assert int(root["data-day-ends"]) - int(root["data-day"]) == 24 * 60 - int(change[1])


def test_an_occasion_is_put_on_another_day_at_the_same_time(office):
    response = drop(office, JAZZ_AT_FOUR, day="2026-07-31", minute=16 * 60)
    said = response.json()
    assert said["message"] == "Moved to Fri 31 Jul 16:00–17:00, Biblioteket, Sal 2. Readers are told."
    assert said["link"] == {"text": "Show that day", "href": "/admin/timetable/2026-07-31/"}
    assert stated(JAZZ_AT_FOUR) == (utc(2026, 7, 31, 14), utc(2026, 7, 31, 15), 5001, 6001)
    # The page stays on its day, and its tabs count again.
    assert read(response).select(f'[data-occasion="{JAZZ_AT_FOUR}"]') == []
    tabs = BeautifulSoup(said["tabs"], "lxml")
    assert words(tabs.select_one('[data-day="2026-07-31"] .count')) == "2"


# --- What is refused ----------------------------------------------------------------------------


CHANGES: dict[str, Any] = {
    "time": lambda: Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(start=utc(2026, 7, 29, 13)),
    "location": lambda: Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(location=5003, room=None),
    "room": lambda: Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(room=6002),
    "cancelled": lambda: Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(cancelled=True),
    "title": lambda: Event.objects.filter(occasions=JAZZ_AT_FOUR).update(title="Blues"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_someone_else_has_changed_meanwhile_is_not_overwritten(office, what):
    as_seen = seen(office, JAZZ_AT_FOUR)
    CHANGES[what]()
    before = stated(JAZZ_AT_FOUR), revision()
    response = drop(office, JAZZ_AT_FOUR, seen=as_seen, minute=600)
    assert response.status_code == 409
    assert response.json()["message"] == (
        "Someone else has changed this occasion in the meantime. Here it is as it is now."
    )
    assert (stated(JAZZ_AT_FOUR), revision()) == before
    # The day that comes with it can be dragged in.
    now = read(response).select_one(f'[data-occasion="{JAZZ_AT_FOUR}"]')["data-seen"]
    assert drop(office, JAZZ_AT_FOUR, seen=now, minute=600).status_code == 200
    Occasion.objects.filter(pk=JAZZ_AT_FOUR).delete()
    gone = drop(office, JAZZ_AT_FOUR, seen=now, minute=700)
    assert gone.status_code == 409
    assert gone.json()["message"] == "This occasion has been deleted by someone else."


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"minute": -5}, "This is outside the day."),
        ({"minute": 24 * 60}, "This is outside the day."),
        ({"minute": "soon"}, "This was not understood."),
        ({"minutes": 0}, "This was not understood."),
        ({"minutes": 25 * 60 + 1}, "This was not understood."),
        ({"day": "soon", "minute": 600}, "This was not understood."),
        ({"day": "2300-01-01", "minute": 600}, "Check the year"),
        *(({"column": key}, "This place is no longer here.") for key in ("r99", "l99", "r" + "9" * 40)),
    ],
)
def test_what_cannot_be_is_refused_in_plain_words(office, fields, why):
    before = stated(JAZZ_AT_FOUR), revision()
    response = drop(office, JAZZ_AT_FOUR, **fields)
    assert response.status_code in {400, 409}
    assert response.json()["message"].startswith(why)
    assert (stated(JAZZ_AT_FOUR), revision()) == before


# --- Rights -------------------------------------------------------------------------------------

# On this day in Torget: jazz, what has but a title (three times), a draft, the night.
IN_TORGET = {8001, 8004, 8013, 8015, 8016, 8017}
# In the park, which has one occasion in the room of the jazz.
IN_PARKEN = {8005, 8006, 8010, 8014}


@pytest.mark.parametrize(
    ("role", "movable"), [(Role.EDITOR, IN_TORGET | IN_PARKEN), (Role.AREA_EDITOR, IN_TORGET), (None, set())]
)
def test_each_role_sees_the_whole_day_and_moves_and_tells_of_its_own(office, role, movable):
    user = user_of(role)
    if role is None:
        user.user_permissions.set(Permission.objects.filter(codename="view_occasion"))
    client = office_of(user)
    shown = page(client)
    assert {int(item["data-occasion"]) for item in shown.select(".occasion")} == IN_TORGET | IN_PARKEN
    assert {int(item["data-occasion"]) for item in shown.select(".movable[data-seen]")} == movable
    moved = drop(office, CLOCKS_AT_FOUR, minute=18 * 60)
    before = stated(CLOCKS_AT_FOUR)
    crafted = drop(client, CLOCKS_AT_FOUR, seen=moved.json()["seen"], minute=600)
    if CLOCKS_AT_FOUR in movable:
        assert crafted.status_code == 200
    else:
        assert (answer(client, moved, "no").status_code, crafted.status_code) == (403, 403)
        assert crafted.json()["message"].startswith("You may look at this event, but not change it")
        assert stated(CLOCKS_AT_FOUR) == before
        assert read_mark(CLOCKS_AT_FOUR) == (NOW, Text(), FOUR, "")


# --- Queries ------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 100])
def test_a_move_takes_as_many_queries_however_many_occasions(office, count, django_assert_num_queries):
    Event.objects.all().delete()
    event, *_others = make_events(count)
    occasion = event.occasions.get()
    room = Room.objects.create(location=Location.objects.create(name="Hallen"), name="Stora")
    as_seen = seen(office, occasion.pk)
    ContentType.objects.get_for_model(Occasion)
    # Who edits and why, the occasion before and after, its form, its log, the day and the tabs once more.
    with django_assert_num_queries(42):
        response = drop(office, occasion.pk, seen=as_seen, minute=600, column=f"r{room.pk}")
    assert response.status_code == 200
    assert Occasion.objects.get(pk=occasion.pk).start == NOW - dt.timedelta(hours=4)


# --- News for readers -----------------------------------------------------------------------------


FOUR = utc(2026, 7, 29, 14)


def answer(office: Client, moved: Response, tell: str, **fields: str) -> Response:
    """Press a button of the message about a move."""
    said = moved.json()
    sent = {"occasion": said["occasion"], "seen": said["seen"], "move": said["undo"], "tell": tell}
    return office.post(DAY, sent | {"note": ""} | fields)


def move_clocks(office: Client, hour: int, **fields: Any) -> Response:
    return drop(office, CLOCKS_AT_FOUR, minute=hour * 60, **fields)


def read_news(moved: Response) -> tuple[bool, bool]:
    """Return whether a move is news, and whether it was told."""
    return moved.json()["news"], moved.json()["told"]


@pytest.mark.parametrize(
    ("key", "fields", "follows"),
    [
        (CLOCKS_AT_FOUR, {"minute": 18 * 60}, True),
        (CLOCKS_AT_FOUR, {"column": "r6003"}, True),
        (NIGHT_AT_TEN, {"minutes": 400}, True),
        (DRAFT_AT_FOUR, {"minute": 18 * 60}, False),
    ],
)
def test_what_readers_know_is_told_at_once(office, key, fields, follows):
    moved = drop(office, key, **fields)
    assert moved.json()["message"].endswith(" Readers are told.") == follows
    assert read_news(moved) == (follows, follows)
    assert list_told(NOW) == ([("moved", key, "")] if follows else [])
    assert read_mark(key).previous_start == (FOUR if follows and "minute" in fields else None)


def test_what_is_told_is_taken_back_and_told_again_with_the_start_that_readers_know(office):
    moved = move_clocks(office, 18)
    assert answer(office, moved, "no").json() == {"message": "Readers are not told."}
    assert read_mark(CLOCKS_AT_FOUR) == NO_MARK
    quiet = move_clocks(office, 19, tell="no")
    assert read_news(quiet) == (True, False)
    assert "Readers" not in quiet.json()["message"]
    assert read_mark(CLOCKS_AT_FOUR) == NO_MARK
    # Of both moves.
    told = answer(office, quiet, "yes", move=moved.json()["undo"])
    assert told.json() == {"message": "Readers are told."}
    assert read_mark(CLOCKS_AT_FOUR) == (NOW, Text(), FOUR, "")
    assert stated(CLOCKS_AT_FOUR)[0] == utc(2026, 7, 29, 17)


@pytest.mark.parametrize(("role", "status"), [(Role.EDITOR, 400), (Role.CHIEF_EDITOR, 200)])
def test_what_readers_have_got_by_now_is_taken_back_by_who_may_publish(sample, at, role, status):
    office = office_of(user_of(role))
    moved = move_clocks(office, 18)
    at(NOW + dt.timedelta(minutes=5))
    assert answer(office, moved, "no").status_code == status
    assert (read_mark(CLOCKS_AT_FOUR) == NO_MARK) == (status == 200)


def test_a_note_says_why_and_goes_with_the_move_that_is_undone(office):
    moved = move_clocks(office, 18)
    answer(office, moved, "yes", note="Åska")
    assert read_mark(CLOCKS_AT_FOUR) == (NOW, Text("Åska"), FOUR, "")
    undo(office, moved)
    assert stated(CLOCKS_AT_FOUR)[0] == FOUR
    # The feed has had the move at once, and has that it is as before.
    assert list_told(NOW) == [("moved", CLOCKS_AT_FOUR, "Åska"), ("moved", CLOCKS_AT_FOUR, "")]
    assert read_mark(CLOCKS_AT_FOUR) == (NOW, Text(), None, "")


@pytest.mark.parametrize(
    ("fields", "status", "message"),
    [
        (
            {"seen": "0"},
            409,
            "Someone else has changed this occasion in the meantime. Here it is as it is now.",
        ),
        ({"move": "x"}, 400, "This was not understood. Open the page again."),
        ({"note": "Åska"}, 400, "A note is for readers: tell them, or leave it empty."),
    ],
)
def test_news_that_cannot_be_stored_is_refused(office, fields, status, message):
    refused = answer(office, move_clocks(office, 18), "no", **fields)
    assert (refused.status_code, refused.json()["message"]) == (status, message)
    assert read_mark(CLOCKS_AT_FOUR) == (NOW, Text(), FOUR, "")


# --- Undoing --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("occasion", "fields"),
    [
        (JAZZ_AT_FOUR, {"minute": 600, "column": "r6003"}),
        (JAZZ_AT_FOUR, {"day": "2026-07-31", "minute": 600}),
        (DRAFT_AT_FOUR, {"column": "l5002"}),
    ],
)
def test_a_move_is_undone_exactly(office: Client, occasion: int, fields: dict[str, Any]) -> None:
    # It has seconds.
    Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(end=utc(2026, 7, 29, 14, 59, 59))
    before = stated(occasion)
    moved = drop(office, occasion, **fields)
    assert stated(occasion) != before
    back = undo(office, moved)
    assert (back.status_code, back.json()["message"].partition(":")[0]) == (200, "Undone")
    assert stated(occasion) == before


def test_what_was_added_is_gone_again_with_the_draft_that_was_made_for_it(office):
    events, occasions = Event.objects.count(), Occasion.objects.count()
    of_jazz, of_draft = add(office, event=JAZZ), add(office, title="Yoga", area=TORGET)
    assert (Event.objects.count(), Occasion.objects.count()) == (events + 1, occasions + 2)
    said = undo(office, of_draft).json()
    assert said["message"] == "Undone: Yoga is not here any more."
    assert said["occasion"] is None
    assert said["link"] is None
    assert said["news"] is False
    undo(office, of_jazz)
    assert (Event.objects.count(), Occasion.objects.count()) == (events, occasions)


def test_nothing_is_undone_over_another_edit(office):
    moved, added = drop(office, JAZZ_AT_FOUR, minute=600), add(office, title="Yoga", area=TORGET)
    Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(start=utc(2026, 7, 29, 7))
    Event.objects.filter(title="Yoga").update(intro_sv="Kom.")
    number = Revision.objects.get().number
    for written in (moved, added):
        refused = undo(office, written)
        assert (refused.status_code, refused.json()["message"]) == (
            409,
            "Someone else has changed this occasion in the meantime. Here it is as it is now.",
        )
    assert Revision.objects.get().number == number


def test_only_ones_own_writes_on_the_timetable_are_undone_here(office, anna):
    moved = drop(office, JAZZ_AT_FOUR, minute=600).json()["undo"]
    form = Edit.objects.create(moment=NOW, user=anna, reason="")
    Edit.objects.filter(pk=moved).update(user=User.objects.create_user("bo"))
    for key in (moved, form.pk, "x", "9" * 40):
        refused = office.post(DAY, {"undo": key})
        assert refused.status_code == 400
        assert refused.json()["message"] == "This was not understood. Open the page again."


def test_who_may_not_change_it_any_more_undoes_nothing(office, anna):
    moved = drop(office, JAZZ_AT_FOUR, minute=600)
    after = stated(JAZZ_AT_FOUR)
    anna.is_superuser, anna.is_staff = False, True
    anna.save()
    anna.user_permissions.set(Permission.objects.filter(codename__in=["view_occasion", "view_event"]))
    refused = undo(office, moved)
    assert (refused.status_code, refused.json()["message"]) == (403, "You may not change this occasion.")
    assert stated(JAZZ_AT_FOUR) == after
