"""The bulk edit of occasions: previewed, then written as a whole, and never over what was not shown."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from feeds.vocabulary import Text
from feeds.wording import format_change
from programme.backoffice.roles import Role
from programme.history import edits
from programme.models import AreaDay, Day, Edit, Event, Occasion
from programme.models.festival_time import festival_time
from programme.models.telling import Telling
from programme.publishing import loading
from tests import programmes
from tests.conftest import NOW
from tests.programme.backoffice.bulk.pages import ADDRESS, apply, change, read_errors, read_rows, show
from tests.programme.backoffice.changes.pages import list_rows
from tests.programme.backoffice.marks import list_told
from tests.programme.backoffice.requests import list_messages, parse
from tests.programme.backoffice.rights.people import ROLES, office_of, user_of
from tests.programmes import CLOCKS, JAZZ, NIGHT, PARKEN, TORGET, mark_changed, utc

pytestmark = pytest.mark.usefixtures("at", "sample")

JAZZ_TODAY, JAZZ_TOMORROW, JAZZ_AWAY, NIGHT_TODAY, CLOCKS_TODAY = 8001, 8002, 8003, 8004, 8014
BIBLIOTEKET, SAL_2, KALLAREN, NATET = "l5001", "r6001", "r6002", "l5002"
HOUR = dt.timedelta(hours=1)


def read_tables() -> list[Any]:
    return [*Event.objects.order_by("id").values(), *Occasion.objects.order_by("id").values()]


def times(key: int) -> tuple[Any, Any]:
    return Occasion.objects.values_list("start", "end").get(pk=key)


# --- The preview ----------------------------------------------------------------------------------


def test_the_preview_shows_every_occasion_now_and_after_and_writes_nothing(office):
    before = read_tables()
    shown = show(office, [JAZZ_TODAY, NIGHT_TODAY], shift="+2 h", note="Åska")
    assert read_rows(shown) == {
        JAZZ_TODAY: [
            rf"{Event.objects.get(pk=JAZZ).title} Ångtorget",
            "Wed 2026-07-29 16:00–17:00 Biblioteket, Sal 2",
            "Time 2026-07-29 16:00–17:00 → becomes 2026-07-29 18:00–19:00",
            "CHANGED. Moved from 16:00. Åska",
        ],
        NIGHT_TODAY: [
            f"{Event.objects.get(pk=NIGHT).title} Ångtorget",
            "Wed 2026-07-29 22:00–03:00 Magasinet; kaj 3, port B, Övre, golvet",
            "Time 2026-07-29 22:00–03:00 → becomes 2026-07-30 00:00–05:00 Another festival day: Thu 2026-07-30",
            "CHANGED. Moved from Wed 29 Jul 22:00. Åska",
        ],
    }
    assert read_tables() == before


def test_the_preview_names_clashes_closed_areas_and_drafts(office):
    day = Day.on(dt.date(2026, 7, 29))
    AreaDay.objects.update_or_create(
        area_id=programmes.TORGET, day=day, defaults={"opens": dt.time(10), "closes": dt.time(19)}
    )
    Occasion.objects.filter(pk=CLOCKS_TODAY).update(start=utc(2026, 7, 29, 16, 30), end=utc(2026, 7, 29, 18))
    rows = read_rows(show(office, [JAZZ_TODAY, 8017], shift="2 h 30 min"))
    assert rows[JAZZ_TODAY][2] == (
        "Time 2026-07-29 16:00–17:00 → becomes 2026-07-29 18:30–19:30"
        " Clashes with När klockan ställs om, 18:30–20:00"
        " The area is open 10:00–19:00"
    )
    assert "draft" in rows[8017][0]
    assert rows[8017][3] == "nothing: it is a draft"


def test_occasions_that_move_together_clash_with_each_other_only_where_they_are_then(office):
    rows = read_rows(show(office, [JAZZ_TODAY, CLOCKS_TODAY], shift="30"))
    assert "Clashes with När klockan ställs om, 16:30–17:30" in rows[JAZZ_TODAY][2]
    rows = read_rows(show(office, [JAZZ_TODAY], shift="60"))
    assert "Clashes" not in rows[JAZZ_TODAY][2]


@pytest.mark.parametrize(
    ("shift", "tell", "cancelled", "note"),
    [
        ("+2 h", "yes", "", ""),
        ("+2 h", "no", "", ""),
        ("-1 d", "yes", "", "Regn"),
        ("", "yes", "", "Regn"),
        # As one was before.
        ("-1 h", "yes", "", ""),
        ("", "no", "cancel", ""),
        ("-1 d", "yes", "cancel", "Regn"),
    ],
)
def test_readers_see_what_the_preview_has_shown(office, shift, tell, cancelled, note):
    keys = [JAZZ_TODAY, NIGHT_TODAY, 8005]
    # One was told long ago, one just now, which the feed does not have yet.
    mark_changed(Occasion.objects.filter(pk=8005), Text("Egen"), NOW - HOUR)
    with edits.record(moment=NOW, telling=Telling(note=Text("Nyss"))):
        Occasion.objects.filter(pk=NIGHT_TODAY).update(start=utc(2026, 7, 29, 21), end=utc(2026, 7, 30, 2))
    shown = show(office, keys, shift=shift, tell=tell, cancelled=cancelled, note=note)
    promised = {key: cells[3] if len(cells) > 3 else None for key, cells in read_rows(shown).items()}
    apply(office, shown)
    loaded = {each.id: each for each in loading.load().occasions}
    for key, words in promised.items():
        if words is not None:
            assert words == (format_change(loaded[key], festival_time(), "en") or "nothing about it")


# --- Moving ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "starts"),
    [
        # The earliest starts then, and the others keep their distance; 01:00 is in the night after.
        ({"shift": "18:30"}, [utc(2026, 7, 29, 16, 30), utc(2026, 7, 30, 16, 30), utc(2026, 7, 29, 22, 30)]),
        ({"shift": "01:00"}, [utc(2026, 7, 29, 23), utc(2026, 7, 30, 23), utc(2026, 7, 30, 5)]),
        ({"day": "2026-08-03"}, [utc(2026, 8, 3, 14), utc(2026, 8, 4, 14), utc(2026, 8, 3, 20)]),
        (
            {"day": "2026-08-01", "shift": "10:00"},
            [utc(2026, 8, 1, 8), utc(2026, 8, 2, 8), utc(2026, 8, 1, 14)],
        ),
    ],
)
def test_occasions_are_moved_to_a_clock_time_and_another_day(office, settings, sent, starts):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    keys = [JAZZ_TODAY, JAZZ_TOMORROW, NIGHT_TODAY]
    change(office, keys, **sent)
    assert [times(key)[0] for key in keys] == starts


@pytest.mark.parametrize(
    ("start", "sent", "moved"),
    [
        # Two hours are two over the hour that comes twice.
        (utc(2026, 10, 24, 23, 30), {"shift": "+2 h"}, utc(2026, 10, 25, 1, 30)),
        (utc(2026, 10, 24, 18), {"shift": "1 d"}, utc(2026, 10, 25, 19)),
        (utc(2026, 10, 24, 18), {"day": "2026-10-25"}, utc(2026, 10, 25, 19)),
        (utc(2026, 10, 24, 22, 30), {"shift": "04:00", "day": "2026-10-25"}, utc(2026, 10, 25, 3)),
        # A day later there is no 02:30; the time that was typed is what counts.
        (utc(2026, 3, 28, 1, 30), {"shift": "04:00", "day": "2026-03-29"}, utc(2026, 3, 29, 2)),
    ],
)
def test_hours_are_of_instants_and_days_of_the_calendar(office, start, sent, moved):
    Occasion.objects.filter(pk=JAZZ_TODAY).update(start=start, end=start + dt.timedelta(minutes=20))
    change(office, [JAZZ_TODAY], **sent)
    assert times(JAZZ_TODAY) == (moved, moved + dt.timedelta(minutes=20))


@pytest.mark.parametrize(
    ("shift", "said"), [("1 d", "1 d later"), ("24 h", "1 d later"), ("5 h", "5 h later")]
)
def test_the_list_of_changes_says_how_far_they_were_moved(office, shift, said):
    Occasion.objects.filter(pk=JAZZ_TODAY).update(start=utc(2026, 10, 24, 18), end=utc(2026, 10, 24, 20))
    change(office, [JAZZ_TODAY], shift=shift)
    assert f" {said}" in office.get("/admin/changes/").text


def test_what_would_start_in_the_missing_hour_stays_and_says_why(office):
    Occasion.objects.filter(pk=JAZZ_TODAY).update(start=utc(2026, 3, 28, 1, 30), end=utc(2026, 3, 28, 4))
    Occasion.objects.filter(pk=JAZZ_TOMORROW).update(start=utc(2026, 3, 28, 3), end=utc(2026, 3, 28, 4))
    shown = show(office, [JAZZ_TODAY, JAZZ_TOMORROW], shift="1 d")
    assert (
        read_rows(shown)[JAZZ_TODAY][2]
        == "Stays as it is. There is no 02:30 on 29 March: the clock goes forward."
    )
    done = apply(office, shown)
    assert list_messages(done) == ["1 occasion was changed. 1 stayed as it was."]
    assert times(JAZZ_TODAY)[0] == utc(2026, 3, 28, 1, 30)
    assert times(JAZZ_TOMORROW)[0] == utc(2026, 3, 29, 2)


@pytest.mark.parametrize(
    ("start", "shift"),
    [(utc(2199, 12, 31, 23), "60"), (utc(2199, 12, 31, 9), "1 d"), (utc(1900, 1, 1, 23), "-2 d")],
)
def test_what_would_be_out_of_our_time_stays(office, start, shift):
    Occasion.objects.filter(pk=JAZZ_TODAY).update(start=start, end=start.replace(minute=59))
    shown = show(office, [JAZZ_TODAY], shift=shift)
    assert read_rows(shown)[JAZZ_TODAY][2] == "Stays as it is. Check the year: it must be from 1900 to 2199."
    assert parse(shown).select("[name=apply]") == []


def test_occasions_are_moved_to_a_room_a_location_and_to_no_place(office):
    keys = [JAZZ_TODAY, JAZZ_TOMORROW, NIGHT_TODAY]
    for place, stored in ((SAL_2, (5001, 6001)), (NATET, (5002, None)), ("none", (None, None))):
        change(office, keys, place=place)
        assert read_places(keys) == [stored] * 3


def read_places(keys: list[int]) -> list[Any]:
    found = {row[0]: row[1:] for row in Occasion.objects.values_list("pk", "location", "room")}
    return [found[key] for key in keys]


def test_booking_is_stated_of_occasions_with_its_link_and_when_it_opens(office):
    Occasion.objects.update(booking="", booking_url="", booking_from=None)
    keys = [JAZZ_TODAY, NIGHT_TODAY]
    typed = {"booking": "needed", "booking_url": "boka.example.org", "booking_from": "2026-07-29T12:00"}
    shown = show(office, keys, **typed)
    words = (
        "Booking link (empty) → becomes https://boka.example.org"
        " Booking opens (empty) → becomes 2026-07-29 12:00 Booking (empty) → becomes needed"
    )
    assert [cells[2] for cells in read_rows(shown).values()] == [words] * 2
    apply(office, shown)
    names = ("booking", "booking_url", "booking_from")
    stated = {
        "booking": "needed",
        "booking_url": "https://boka.example.org",
        "booking_from": utc(2026, 7, 29, 10),
    }
    assert list(Occasion.objects.filter(pk__in=keys).values(*names)) == [stated] * 2
    # What is left empty stays.
    change(office, [JAZZ_TODAY], booking="full")
    assert Occasion.objects.values(*names).get(pk=JAZZ_TODAY) == stated | {"booking": "full"}
    assert read_errors(show(office, keys, booking_url="x")) == [
        "Write the whole address, beginning with https://."
    ]
    long = show(office, keys, booking_url=f"https://boka.example/{'x' * 1000}")
    assert "at most 1000 characters" in read_errors(long)[0]


def test_the_booking_link_is_removed(office):
    Occasion.objects.filter(pk=JAZZ_TODAY).update(booking="needed", booking_url="https://boka.example")
    shown = show(office, [JAZZ_TODAY, NIGHT_TODAY], removes_link="on")
    assert read_rows(shown)[JAZZ_TODAY][2] == "Booking link https://boka.example → becomes (empty)"
    apply(office, shown)
    assert Occasion.objects.values_list("booking", "booking_url").get(pk=JAZZ_TODAY) == ("needed", "")


# --- Cancelling and telling -----------------------------------------------------------------------


def test_occasions_are_cancelled_and_reinstated(office):
    rows = read_rows(show(office, [JAZZ_TODAY, JAZZ_AWAY], cancelled="cancel", note=""))
    assert rows[JAZZ_TODAY][2] == "Cancelled No → becomes Yes"
    assert rows[JAZZ_AWAY][2] == "Stays as it is. It is so already."
    change(office, [JAZZ_TODAY, JAZZ_AWAY], cancelled="cancel", note="Åska")
    cancelled = Occasion.objects.filter(event=JAZZ, cancelled=True)
    assert {*cancelled.values_list("pk", flat=True)} == {JAZZ_TODAY, JAZZ_AWAY}
    # What is so already is no news.
    assert list_told(NOW) == [("cancelled", JAZZ_TODAY, "Åska")]
    change(office, [JAZZ_TODAY, JAZZ_AWAY], cancelled="reinstate", note="Sol")
    assert not cancelled.exists()
    assert ("reinstated", JAZZ_TODAY, "Sol") in list_told(NOW)


def test_a_note_alone_is_about_what_is_ticked_and_a_draft_is_moved_without_news(office):
    change(office, [8017, JAZZ_TODAY], shift="+2 h", note="Åska")
    assert list_told(NOW) == [("moved", JAZZ_TODAY, "Åska")]
    shown = show(office, [8017, JAZZ_TOMORROW], note="Regn")
    assert read_rows(shown)[8017][2] == "Stays as it is. Readers do not know it, or it is over."
    apply(office, shown)
    assert ("changed", JAZZ_TOMORROW, "Regn") in list_told(NOW)
    assert 8017 not in {key for _kind, key, _note in list_told(NOW)}


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"shift": "1 h"}, "Move 2 occasions"),
        ({"place": KALLAREN}, "Move 2 occasions"),
        ({"cancelled": "cancel"}, "Cancel 2 occasions"),
        ({"cancelled": "reinstate"}, None),
        ({"note": "Åska"}, "Tell readers of 2 occasions"),
        ({"booking": "full"}, "Change 2 occasions"),
    ],
)
def test_the_button_says_what_is_done(office, typed, words):
    button = parse(show(office, [JAZZ_TODAY, NIGHT_TODAY], **typed)).select_one("[name=apply]")
    assert (button and button["value"]) == words


# --- What is in the way ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ({}, "Say what is to be changed."),
        (
            {"shift": "x"},
            "Write how far, such as +2 h, 90, -15 min or 1 day, or when to start, such as 18:00.",
        ),
        ({"place": "r1"}, "Select a valid choice. r1 is not one of the available choices."),
        ({"note": "Regn", "tell": "no"}, "A note is for readers: tell them, or leave it empty."),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_lost(office, typed, error):
    before = read_tables()
    response = office.post(ADDRESS, {"occasion": [JAZZ_TODAY, NIGHT_TODAY], "apply": "1"} | typed)
    assert error in read_errors(response)
    page = parse(response)
    for name in typed.keys() & {"shift", "note"}:
        assert page.select_one(f"#content-main form[method=post] [name={name}]")["value"] == typed[name]
    assert len(page.select("input[name=occasion][checked]")) == 2
    assert read_tables() == before


def test_nothing_is_written_that_was_not_shown(office):
    before = read_tables()
    office.post(ADDRESS, {"occasion": [JAZZ_TODAY], "shift": "1 h", "apply": "1"})
    assert read_tables() == before
    shown = show(office, [JAZZ_TODAY, NIGHT_TODAY], shift="1 h")
    assert read_errors(apply(office, shown, occasion=[])) == ["Tick at least one occasion."]
    for typed in (
        {"shift": "2 h"},
        {"occasion": [NIGHT_TODAY]},
        {"occasion": [JAZZ_TODAY, NIGHT_TODAY, 8002]},
    ):
        again = apply(office, shown, **typed)
        assert list_messages(again) == ["This is not what was shown. Nothing is written yet: look again."]
        assert read_tables() == before
    # What was shown last is done.
    apply(office, again)
    assert times(8002)[0] == utc(2026, 7, 30, 15)


def test_a_note_is_typed_after_looking_unless_it_is_about_more_than_was_shown(office):
    shown = show(office, [JAZZ_TODAY, JAZZ_AWAY], cancelled="cancel")
    apply(office, shown, note="Åska")
    assert list_told(NOW) == [("cancelled", JAZZ_TODAY, "Åska")]
    shown = show(office, [JAZZ_TODAY, JAZZ_TOMORROW], booking="full")
    again = apply(office, shown, booking="", note="Åska")
    assert list_messages(again) == ["This is not what was shown. Nothing is written yet: look again."]


@pytest.mark.parametrize(
    "edit",
    [
        lambda: Occasion.objects.filter(pk=NIGHT_TODAY).update(end=utc(2026, 7, 30, 2)),
        lambda: Event.objects.filter(pk=NIGHT).update(area=programmes.PARKEN),
        lambda: Occasion.objects.get(pk=NIGHT_TODAY).delete(),
    ],
)
def test_what_somebody_saves_meanwhile_is_shown_first(office, edit):
    shown = show(office, [JAZZ_TODAY, NIGHT_TODAY], shift="1 h")
    edit()
    before = read_tables()
    again = apply(office, shown)
    assert list_messages(again) == ["This is not what was shown. Nothing is written yet: look again."]
    assert read_tables() == before
    apply(office, again)
    assert times(JAZZ_TODAY)[0] == utc(2026, 7, 29, 15)


# --- The history ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ({"shift": "18"}, "moved occasions"),
        ({"place": KALLAREN}, "moved occasions"),
        ({"cancelled": "cancel"}, "cancelled occasions"),
        ({"note": "Åska"}, "notified readers of occasions"),
    ],
)
def test_it_is_one_edit_with_a_name(office, typed, reason):
    count = Edit.objects.count()
    change(office, [JAZZ_TODAY, NIGHT_TODAY], **typed)
    assert Edit.objects.count() == count + 1
    edit = Edit.objects.first()
    assert (edit.name, edit.reason, edit.detail) == ("anna", reason, "(2)")


def test_the_page_keeps_what_was_chosen_once_it_is_done(office):
    chosen = f"{ADDRESS}?day=2026-07-29&area={programmes.TORGET}&starts_from=16"
    shown = office.post(chosen, {"occasion": [JAZZ_TODAY], "show": "1", "shift": "90"})
    done = apply(office, shown)
    assert done.redirect_chain == [(chosen, 302)]
    assert JAZZ_TODAY in read_rows(done)
    # It leads back to no other site.
    sent = {"occasion": [8017], "shift": "1", "show": "1"}
    shown = office.post(f"{ADDRESS}?back=https://evil.example/", sent)
    assert apply(office, shown).redirect_chain == [(ADDRESS, 302)]


@pytest.mark.parametrize(("day", "query"), [("2026-07-29", "?day=2026-07-29"), ("today", ""), ("", "")])
def test_the_list_of_occasions_leads_here_with_its_day(office, day, query):
    page = parse(office.get("/admin/programme/occasion/", {"day": day} if day else {}))
    [link] = page.select(".object-tools a[href^='/admin/change-many/']")
    assert (link["href"], link.get_text(strip=True)) == (f"{ADDRESS}{query}", "Change many")


# --- The form of an event ------------------------------------------------------------------------

FORM = f"/admin/programme/event/{JAZZ}/change/"


def press(office: Client, button: str, occasions: list[int] | None = None) -> Any:
    """Press a button above the occasions of an event, which are ticked as they are shown unless some are named."""
    page = parse(office.get(FORM))
    [found] = [each for each in page.select(".ticked button") if each.get_text() == button]
    ticked = [tick["value"] for tick in page.select("[name=occasion][checked]")]
    chosen = {"occasion": ticked if occasions is None else occasions, str(found["name"]): found["value"]}
    return office.post(str(page.select_one(f"form#{found['form']}")["action"]), chosen, follow=True)


def test_what_is_not_over_is_ticked_and_cancelled_after_one_look(office):
    Occasion.objects.filter(event=JAZZ).update(cancelled=False)
    Occasion.objects.filter(pk=JAZZ_TODAY).update(start=NOW - 2 * HOUR, end=NOW - HOUR)
    shown = press(office, "Cancel them")
    assert {key: cells[2] for key, cells in read_rows(shown).items()} == {
        JAZZ_TOMORROW: "Cancelled No → becomes Yes",
        JAZZ_AWAY: "Cancelled No → becomes Yes",
    }
    # Why is typed there, and needs no second look.
    done = apply(office, shown, note="Åska")
    assert done.redirect_chain == [(FORM, 302)]
    told = [("cancelled", JAZZ_TOMORROW, "Åska"), ("cancelled", JAZZ_AWAY, "Åska")]
    assert list_told(NOW) == told


@pytest.mark.parametrize(
    ("button", "field"), [("Change place", "place"), ("Move", "shift"), ("Booking", "booking")]
)
def test_the_cursor_is_in_the_field_that_the_button_names(office, button, field):
    opened = press(office, button, [JAZZ_TOMORROW])
    assert list(read_rows(opened)) == [JAZZ_TOMORROW]
    assert [each["name"] for each in parse(opened).select("[autofocus]")] == [field]
    assert read_errors(opened) == []


@pytest.mark.parametrize("button", ["Cancel them", "Move"])
def test_nothing_ticked_leads_back_and_says_so(office, button):
    back = press(office, button, [])
    assert back.redirect_chain == [(FORM, 302)]
    assert list_messages(back) == ["Tick at least one occasion."]


def test_a_new_event_and_who_may_only_read_are_offered_no_changes(office):
    assert parse(office.get("/admin/programme/event/add/")).select(".ticked, [name=occasion]") == []
    reader = office_of(user_of(Role.AREA_EDITOR))
    Event.objects.filter(pk=JAZZ).update(area=programmes.PARKEN)
    assert parse(reader.get(FORM)).select(".ticked, [name=occasion]") == []


# --- Events ---------------------------------------------------------------------------------------


def open_from_events(office: Client, *keys: int) -> Any:
    return office.post("/admin/programme/event/", {"action": "change_events", "_selected_action": keys})


def test_the_list_of_events_leads_to_all_their_occasions_and_back(office):
    opened = open_from_events(office, JAZZ, programmes.NEVER)
    assert list(read_rows(opened)) == [JAZZ_TODAY, JAZZ_TOMORROW, JAZZ_AWAY]
    form = parse(opened).select_one("form[action^='/admin/change-many/']")
    assert "back=%2Fadmin%2Fprogramme%2Fevent%2F" in form["action"]
    shown = apply(office, opened, apply="", show="1", area=programmes.PARKEN, type=4002, shift="1 h")
    [jazz, _never, *_occasions] = list_rows(parse(shown))
    assert "Area Ångtorget → becomes Parken; norr, söder & \\mitt" in jazz
    assert "→ becomes (empty) Type Konsert" in jazz
    done = apply(office, shown)
    assert done.redirect_chain == [("/admin/programme/event/", 302)]
    assert list_messages(done) == ["3 occasions were changed. 2 events were changed."]
    changed = Event.objects.filter(pk__in=[JAZZ, programmes.NEVER]).values_list("area", "sub_area", "type")
    assert set(changed) == {(programmes.PARKEN, None, 4002)}
    assert times(JAZZ_TODAY)[0] == utc(2026, 7, 29, 15)
    assert (Edit.objects.first().reason, Edit.objects.first().detail) == ("moved occasions", "(3)")


def test_a_sub_area_brings_its_area_and_one_of_another_area_is_refused(office):
    opened = open_from_events(office, NIGHT)
    show_again = {"apply": "", "show": "1"}
    refused = apply(office, opened, **show_again, area=programmes.PARKEN, sub_area=programmes.TORGET_SCENEN)
    assert read_errors(refused) == ["This sub area is not in the area chosen."]
    shown = apply(office, refused, **show_again, area="", sub_area=programmes.TORGET_SCENEN)
    apply(office, shown)
    event = Event.objects.get(pk=NIGHT)
    assert (event.area_id, event.sub_area_id) == (programmes.TORGET, programmes.TORGET_SCENEN)


@pytest.mark.parametrize("field", ["place", "shift", "booking"])
def test_the_lists_lead_to_the_page_with_the_cursor_in_a_field(office, field):
    sent = {"action": f"change_{field}", "_selected_action": [NIGHT_TODAY, 8017]}
    opened = office.post("/admin/programme/occasion/?q=t", sent)
    assert list(read_rows(opened)) == [8017, NIGHT_TODAY]
    assert [each["name"] for each in parse(opened).select("[autofocus]")] == [field]
    shown = apply(office, opened, apply="", show="1", shift="-15 min")
    done = apply(office, shown)
    assert done.redirect_chain == [("/admin/programme/occasion/?q=t", 302)]


def test_of_events_those_occasions_are_chosen_that_are_not_over(office):
    sent = {"action": "change_shift", "_selected_action": [JAZZ]}
    Occasion.objects.filter(pk=JAZZ_TODAY).update(start=NOW - HOUR, end=NOW)
    opened = office.post("/admin/programme/event/", sent)
    assert list(read_rows(opened)) == [JAZZ_TOMORROW, JAZZ_AWAY]
    assert parse(opened).select("[type=hidden][name=event]") == []
    Occasion.objects.filter(event=JAZZ).update(start=NOW - HOUR, end=NOW)
    back = office.post("/admin/programme/event/", sent, follow=True)
    assert list_messages(back) == ["None of these events has an occasion that is not over."]


# --- Which occasions are chosen: by area, place, type, festival day and hours


TODAY = "2026-07-29"


def find(office: Client, **chosen: Any) -> list[int]:
    return list(read_rows(office.get(ADDRESS, chosen)))


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        ({"day": TODAY}, [8006, 8005, 8001, 8014, 8015, 8016, 8017, 8013, 8004]),
        ({"day": TODAY, "area": programmes.PARKEN}, [8006, 8005, 8014]),
        ({"sub_area": programmes.TORGET_SCENEN}, [8001, 8002, 8003]),
        ({"area": programmes.PARKEN, "sub_area": programmes.TORGET_SCENEN}, []),
        ({"day": TODAY, "type": 4002}, [8006, 8005, 8015, 8016, 8013, 8004]),
        ({"day": TODAY, "starts_from": "16"}, [8001, 8014, 8015, 8016, 8017, 8013, 8004]),
        ({"day": TODAY, "starts_before": "16:00"}, [8006, 8005]),
        (
            {"day": TODAY, "starts_from": "13:30", "starts_before": "16.01"},
            [8005, 8001, 8014, 8015, 8016, 8017, 8013],
        ),
        # Into the night after, and until midnight.
        ({"day": TODAY, "starts_from": "22", "starts_before": "02:00"}, [8004]),
        ({"day": TODAY, "starts_from": "22", "starts_before": "24:00"}, [8004]),
        # Hours of every day; an occasion of the event is at the same time on the next one.
        ({"starts_from": "16", "starts_before": "17", "place": "r6002"}, [8002]),
        ({"starts_from": "00:30", "starts_before": "02:00", "area": programmes.PARKEN}, [8007, 8008]),
        # A location with its rooms, a room, and none.
        ({"day": TODAY, "place": "l5001"}, [8001, 8014]),
        ({"day": TODAY, "place": "r6003"}, [8004]),
        ({"day": TODAY, "place": "none"}, [8015, 8016, 8017, 8013]),
    ],
)
def test_occasions_are_found(office, chosen, found):
    assert find(office, **chosen) == found


def test_the_night_belongs_to_the_festival_day_before(office, settings):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    assert find(office, day="2025-07-28") == [8011]
    assert find(office, day="2025-07-28", starts_from="00:00") == [8011]
    assert find(office, day="2025-07-28", starts_before="00:30") == []
    assert find(office, starts_from="23", starts_before="01", area=programmes.TORGET) == [8011, 8012]


def test_today_is_proposed_and_nothing_is_chosen_yet(office):
    page = parse(office.get(ADDRESS))
    assert page.select_one("select[name=day] option[selected]")["value"] == TODAY
    assert page.select("#content-main form[method=post]") == []


@pytest.mark.parametrize(
    ("chosen", "error"),
    [
        ({"day": ""}, "Choose at least a day, hours, an area, a place or a type."),
        ({"day": "2031-01-01"}, "Select a valid choice. 2031-01-01 is not one of the available choices."),
        ({"starts_from": "25"}, "Write it as 19:00. Midnight is 00:00."),
    ],
)
def test_what_is_not_understood_chooses_nothing_and_is_said(office, chosen, error):
    page = office.get(ADDRESS, chosen)
    assert read_errors(page) == [error]
    assert read_rows(page) == {}
    page = parse(office.get(ADDRESS, {"day": TODAY, "place": "r6002"}))
    assert page.select_one("[role=status]").get_text() == "No occasion is like that."


# --- Who may change what: the rights of editing each occasion by hand, and what is refused is shown


# Published, in the area editor's area and in another one.
MINE, THEIRS = 8001, 8014


def starts() -> dict[int, object]:
    return dict(Occasion.objects.filter(pk__in=[MINE, THEIRS]).values_list("pk", "start"))


@pytest.mark.parametrize("role", ROLES)
def test_what_somebody_may_not_change_is_shown_as_such_and_stays(role):
    office, before = office_of(user_of(role)), starts()
    shown = show(office, [MINE, THEIRS], shift="1 h", note="Åska")
    done = apply(office, shown)
    is_limited = role is Role.AREA_EDITOR
    refused = r"Stays as it is. You may not change it: it belongs to Parken; norr, söder & \mitt."
    assert (read_rows(shown)[THEIRS][2] == refused) == is_limited
    changed = {key for key, start in starts().items() if start != before[key]}
    assert changed == ({MINE} if is_limited else {MINE, THEIRS})
    assert {key for _kind, key, _note in list_told(NOW)} == changed
    message = "1 occasion was changed. 1 stayed as it was." if is_limited else "2 occasions were changed."
    assert [str(each) for each in done.context["messages"]] == [message]


def test_events_go_to_no_area_of_others_and_none_is_taken_from_there():
    office = office_of(user_of(Role.AREA_EDITOR))
    sent = {"action": "change_events", "_selected_action": [JAZZ, CLOCKS]}
    opened = office.post("/admin/programme/event/", sent)
    offered = [each["value"] for each in parse(opened).select(".doing select[name=area] option")]
    assert offered == ["", str(TORGET)]
    again = {"apply": "", "show": "1"}
    refused = apply(office, opened, **again, area=PARKEN)
    assert "What was chosen here is no longer there." in parse(refused).get_text()
    shown = apply(office, opened, **again, area=TORGET, type=4002)
    assert [row for row in list_rows(parse(shown)) if "klockan" in row] == [
        r"Event När klockan ställs om Stays as it is. You may not change it: it belongs to Parken; norr, söder & \mitt."
    ]
    apply(office, shown)
    assert set(Event.objects.filter(pk__in=[JAZZ, CLOCKS]).values_list("pk", "area", "type")) == {
        (JAZZ, TORGET, 4002),
        (CLOCKS, PARKEN, 4001),
    }
