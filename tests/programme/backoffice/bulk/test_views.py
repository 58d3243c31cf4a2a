"""What is done with many rows: previewed, then written as a whole, and never over what was not shown."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from feeds.vocabulary import Text
from feeds.wording import format_change
from programme.backoffice.roles import Role
from programme.history import edits
from programme.models import AreaDay, Day, Edit, Event, News, Occasion, Room
from programme.models.festival_time import festival_time
from programme.models.telling import Telling
from programme.publishing import loading
from tests import programmes
from tests.conftest import NOW
from tests.programme.backoffice.bulk.pages import (
    EVENTS,
    OCCASIONS,
    apply,
    ask,
    change,
    read_errors,
    read_rows,
    show,
)
from tests.programme.backoffice.changes.pages import list_staying
from tests.programme.backoffice.marks import list_told
from tests.programme.backoffice.requests import list_messages, parse, words
from tests.programme.backoffice.rights.people import office_of, user_of
from tests.programmes import CLOCKS, DRAFT, JAZZ, NIGHT, PARKEN, TORGET, mark_changed, utc

pytestmark = pytest.mark.usefixtures("at", "sample")

JAZZ_TODAY, JAZZ_TOMORROW, JAZZ_AWAY, NIGHT_TODAY = range(8001, 8005)
CLOCKS_TODAY, DRAFT_TODAY = 8014, 8017
KALLAREN, SAL_2, NATET = "r6002", "r6001", "l5002"
HOUR = dt.timedelta(hours=1)
LOOK_AGAIN = "This is not what was shown. Nothing is written yet: look again."


def read_tables() -> list[Any]:
    return [*Event.objects.order_by("id").values(), *Occasion.objects.order_by("id").values()]


def times(key: int) -> tuple[Any, Any]:
    return Occasion.objects.values_list("start", "end").get(pk=key)


def title(key: int) -> str:
    """Return what a plan calls an occasion."""
    return f"Occasion {Occasion.objects.select_related('event').get(pk=key)}"


# --- The preview ----------------------------------------------------------------------------------


def test_the_preview_shows_every_occasion_now_and_after_and_writes_nothing(office):
    before = read_tables()
    shown = show(office, "move", [JAZZ_TODAY, NIGHT_TODAY], shift="+2 h", note="Åska")
    assert read_rows(shown) == {
        title(JAZZ_TODAY): (
            "Time Wed 29 Jul 16:00–17:00 → becomes Wed 29 Jul 18:00–19:00"
            " Readers see: CHANGED. Moved from 16:00. Åska"
        ),
        title(NIGHT_TODAY): (
            "Time Wed 29 Jul 22:00–03:00 → becomes Thu 30 Jul 00:00–05:00"
            " Another festival day: Thu 30 Jul Readers see: CHANGED. Moved from Wed 29 Jul 22:00. Åska"
        ),
    }
    assert read_tables() == before


def test_the_preview_names_clashes_and_closed_areas(office):
    day = Day.on(dt.date(2026, 7, 29))
    AreaDay.objects.update_or_create(
        area_id=programmes.TORGET, day=day, defaults={"opens": dt.time(10), "closes": dt.time(19)}
    )
    Occasion.objects.filter(pk=CLOCKS_TODAY).update(start=utc(2026, 7, 29, 16, 30), end=utc(2026, 7, 29, 18))
    shown = show(office, "move", [JAZZ_TODAY, DRAFT_TODAY], shift="2 h 30 min")
    assert words(parse(shown).select_one(".notice")) == "1 clash"
    assert read_rows(shown)[title(JAZZ_TODAY)].startswith(
        "Time Wed 29 Jul 16:00–17:00 → becomes Wed 29 Jul 18:30–19:30"
        " Clashes with När klockan ställs om, 18:30–20:00"
        " The area is open 10:00–19:00"
    )
    # Of a draft they see nothing.
    assert "Readers see" not in read_rows(shown)[title(DRAFT_TODAY)]


def test_publishing_names_clashes_of_what_is_published(office):
    Occasion.objects.filter(pk=DRAFT_TODAY).update(location=5001, room=6001)
    shown = show(office, "publish", [DRAFT, NIGHT], EVENTS)
    assert "1 clash" in [words(each) for each in parse(shown).select(".notice")]
    [(_title, row)] = read_rows(shown).items()
    assert "Wed 29 Jul 16:00: Clashes with" in row


def test_occasions_that_move_together_clash_with_each_other_only_where_they_are_then(office):
    rows = read_rows(show(office, "move", [JAZZ_TODAY, CLOCKS_TODAY], shift="30"))
    assert "Clashes with När klockan ställs om, 16:30–17:30" in rows[title(JAZZ_TODAY)]
    rows = read_rows(show(office, "move", [JAZZ_TODAY], shift="60"))
    assert "Clashes" not in rows[title(JAZZ_TODAY)]


@pytest.mark.parametrize(
    ("action", "typed"),
    [
        ("move", {"shift": "+2 h"}),
        ("move", {"shift": "+2 h", "tell": "no"}),
        ("move", {"shift": "-1 d", "note": "Regn"}),
        # As one was before.
        ("move", {"shift": "-1 h"}),
        ("cancel", {"tell": "no"}),
        ("cancel", {"note": "Regn"}),
        ("booking", {"booking": "full", "note": "Kom till kassan"}),
        ("inform", {"note": "Regn"}),
    ],
)
def test_readers_see_what_the_preview_has_shown(office, action, typed):
    keys = [JAZZ_TODAY, NIGHT_TODAY, 8005]
    # One was told long ago, one just now, which the feed does not have yet.
    mark_changed(Occasion.objects.filter(pk=8005), Text("Egen"), NOW - HOUR)
    with edits.record(moment=NOW, telling=Telling(note=Text("Nyss"))):
        Occasion.objects.filter(pk=NIGHT_TODAY).update(start=utc(2026, 7, 29, 21), end=utc(2026, 7, 30, 2))
    shown = show(office, action, keys, **typed)
    titles = {title(key): key for key in keys}
    promised = {titles[name]: row.partition("Readers see: ")[2] for name, row in read_rows(shown).items()}
    assert len(promised) == 3
    apply(office, shown)
    loaded = {each.id: each for each in loading.load().occasions}
    for key, said in promised.items():
        assert said == format_change(loaded[key], festival_time(), "en")


@pytest.mark.parametrize("wanted", [1, 2])
def test_many_are_shown_in_pages(office, wanted):
    rows = [Occasion(event_id=JAZZ, start=NOW + HOUR, end=NOW + 2 * HOUR) for _ in range(51)]
    keys = [each.pk for each in Occasion.objects.bulk_create(rows)]
    shown = show(office, "cancel", keys)
    [button] = parse(shown).select(".paginator button")
    assert (button["name"], button["value"]) == ("show", "2")
    again = apply(office, shown, show=str(wanted))
    assert len(parse(again).select(".rows > li")) == (50 if wanted == 1 else 1)
    assert not Occasion.objects.filter(pk__in=keys, cancelled=True).exists()
    assert list_messages(again) == []


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
    change(office, "move", keys, **sent)
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
    change(office, "move", [JAZZ_TODAY], **sent)
    assert times(JAZZ_TODAY) == (moved, moved + dt.timedelta(minutes=20))


@pytest.mark.parametrize(
    ("shift", "said"), [("1 d", "1 d later"), ("24 h", "1 d later"), ("5 h", "5 h later")]
)
def test_the_list_of_changes_says_how_far_they_were_moved(office, shift, said):
    both = [JAZZ_TODAY, JAZZ_TOMORROW]
    Occasion.objects.filter(pk__in=both).update(start=utc(2026, 10, 24, 18), end=utc(2026, 10, 24, 20))
    change(office, "move", both, shift=shift)
    assert f" {said}" in office.get("/admin/changes/").text


def test_what_would_start_in_the_missing_hour_stays_and_says_why(office):
    Occasion.objects.filter(pk=JAZZ_TODAY).update(start=utc(2026, 3, 28, 1, 30), end=utc(2026, 3, 28, 4))
    Occasion.objects.filter(pk=JAZZ_TOMORROW).update(start=utc(2026, 3, 28, 3), end=utc(2026, 3, 28, 4))
    shown = show(office, "move", [JAZZ_TODAY, JAZZ_TOMORROW], shift="1 d")
    [staying] = list_staying(parse(shown))
    assert staying.startswith(f"{title(JAZZ_TODAY)} : There is no 02:30 on 29 March: the clock goes forward.")
    done = apply(office, shown)
    assert list_messages(done) == ["Moved occasions: 1.", "1 row stays as it is."]
    assert times(JAZZ_TODAY)[0] == utc(2026, 3, 28, 1, 30)
    assert times(JAZZ_TOMORROW)[0] == utc(2026, 3, 29, 2)


@pytest.mark.parametrize(
    ("start", "shift"),
    [
        *((utc(2199, 12, 31, 23), "60"), (utc(2199, 12, 31, 22), "61")),
        *((utc(2199, 12, 31, 9), "1 d"), (utc(1900, 1, 1, 23), "-2 d")),
    ],
)
def test_what_would_be_out_of_our_time_stays(office, start, shift):
    Occasion.objects.filter(pk=JAZZ_TODAY).update(start=start, end=start.replace(minute=59))
    page = parse(show(office, "move", [JAZZ_TODAY], shift=shift))
    assert "Check the year: it must be from 1900 to 2199." in list_staying(page)[0]
    assert page.select("[type=submit].default") == []


def test_occasions_are_moved_to_a_room_a_location_and_to_no_place(office):
    keys = [JAZZ_TODAY, JAZZ_TOMORROW, NIGHT_TODAY]
    for place, stored in ((SAL_2, (5001, 6001)), (NATET, (5002, None)), ("none", (None, None))):
        change(office, "place", keys, place=place)
        assert [*Occasion.objects.filter(pk__in=keys).values_list("location", "room")] == [stored] * 3
    # One that somebody deletes meanwhile is named.
    room = Room.objects.create(location_id=5001, name="Tornet")
    shown = show(office, "place", keys, place=f"r{room.pk}")
    room.delete()
    assert "Biblioteket – Tornet is no longer here." in read_errors(apply(office, shown))[0]


# --- Booking --------------------------------------------------------------------------------------


def test_booking_is_stated_of_occasions_with_its_link_and_when_it_opens(office):
    Occasion.objects.update(booking="", booking_url="", booking_from=None)
    keys = [JAZZ_TODAY, NIGHT_TODAY]
    typed = {"booking": "needed", "booking_url": "boka.example.org", "booking_from": "2026-07-29T12:00"}
    shown = show(office, "booking", keys, **typed)
    said = (
        "Booking link (empty) → becomes https://boka.example.org"
        " Booking opens (empty) → becomes Wed 29 Jul 12:00 Booking (empty) → becomes needed"
    )
    assert [row.partition(" Readers see")[0] for row in read_rows(shown).values()] == [said] * 2
    apply(office, shown)
    names = ("booking", "booking_url", "booking_from")
    stated = {
        "booking": "needed",
        "booking_url": "https://boka.example.org",
        "booking_from": utc(2026, 7, 29, 10),
    }
    assert list(Occasion.objects.filter(pk__in=keys).values(*names)) == [stated] * 2
    # What is left empty stays, and a note alone tells of it.
    change(office, "booking", [JAZZ_TODAY], booking="full")
    assert Occasion.objects.values(*names).get(pk=JAZZ_TODAY) == stated | {"booking": "full"}
    assert list_told(NOW) == []
    change(office, "booking", [JAZZ_TODAY], booking="waiting-list", note="Kö")
    assert list_told(NOW) == [("changed", JAZZ_TODAY, "Kö")]


def test_the_booking_link_is_removed(office):
    Occasion.objects.filter(pk=JAZZ_TODAY).update(booking="needed", booking_url="https://boka.example")
    shown = show(office, "booking", [JAZZ_TODAY, NIGHT_TODAY], removes_link="on")
    [row] = read_rows(shown).values()
    assert row.startswith("Booking link https://boka.example → becomes (empty)")
    assert words(parse(shown).select_one(".notice")) == "1 is so already."
    apply(office, shown)
    assert Occasion.objects.values_list("booking", "booking_url").get(pk=JAZZ_TODAY) == ("needed", "")


# --- Cancelling and telling -----------------------------------------------------------------------


@pytest.mark.parametrize("tell", ["yes", "no"])
def test_readers_get_to_know_of_what_is_published_and_withdrawn_unless_the_editor_says_no(office, tell):
    Occasion.objects.filter(event=DRAFT).exclude(pk=DRAFT_TODAY).delete()
    Event.objects.create(title="Utan tid", area_id=PARKEN, type_id=4001)
    drafts = [DRAFT, Event.objects.latest("pk").pk]
    shown = ask(office, "publish", drafts, EVENTS)
    assert words(parse(shown).select(".notice")[-1]) == "Readers see 1 event at once, its title too: Utkast."
    apply(office, shown, tell=tell)
    apply(office, ask(office, "withdraw", [JAZZ], EVENTS), tell=tell)
    kinds = News.objects.filter(kind__in=["new", "withdrawn"], told_at__gte=NOW)
    told = [*kinds.order_by("kind").values_list("kind", "event_id").distinct()]
    assert told == ([("new", DRAFT), ("withdrawn", JAZZ)] if tell == "yes" else [])


def test_what_lasts_for_days_is_cancelled_whole_and_the_preview_says_so(office):
    Occasion.objects.filter(pk=JAZZ_TODAY).update(end=utc(2026, 8, 2, 16))
    row = str(read_rows(ask(office, "cancel", [JAZZ_TODAY])))
    assert "It lasts until Sun 2 Aug 18:00: all of it is cancelled." in row


def test_occasions_are_cancelled_and_reinstated_after_one_look(office):
    keys = [JAZZ_TODAY, JAZZ_AWAY]
    shown = ask(office, "cancel", keys)
    assert read_rows(shown) == {title(JAZZ_TODAY): "Cancelled No → becomes Yes Readers see: CANCELLED."}
    # Why is typed there, and needs no second look. What is so already is no news.
    apply(office, shown, note="Åska")
    cancelled = Occasion.objects.filter(event=JAZZ, cancelled=True)
    assert {*cancelled.values_list("pk", flat=True)} == {*keys}
    assert list_told(NOW) == [("cancelled", JAZZ_TODAY, "Åska")]
    edit = Edit.objects.first()
    assert (edit.name, edit.reason, edit.detail) == ("anna", "cancelled occasions:", "1")
    change(office, "reinstate", keys, note="Sol")
    assert not cancelled.exists()
    assert ("reinstated", JAZZ_TODAY, "Sol") in list_told(NOW)


def test_a_note_is_about_what_readers_know_and_a_draft_is_moved_without_news(office):
    change(office, "move", [DRAFT_TODAY, JAZZ_TODAY], shift="+2 h", note="Åska")
    assert list_told(NOW) == [("moved", JAZZ_TODAY, "Åska")]
    shown = show(office, "inform", [DRAFT_TODAY, JAZZ_TOMORROW], note="Regn")
    [staying] = list_staying(parse(shown))
    assert f"{title(DRAFT_TODAY)} : Readers do not know it, or it is over." in staying
    before = read_tables()
    apply(office, shown, note="Snö")
    assert ("changed", JAZZ_TOMORROW, "Snö") in list_told(NOW)
    assert DRAFT_TODAY not in {key for _kind, key, _note in list_told(NOW)}
    assert [row for row in read_tables() if row not in before] == [Event.objects.values().get(pk=JAZZ)]


# --- What is in the way ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "typed", "error"),
    [
        ("move", {}, "Say what is to be changed."),
        ("booking", {}, "Say what is to be changed."),
        ("inform", {}, "Say what is to be changed."),
        (
            "move",
            {"shift": "x"},
            "Write how far, such as +2 h, 90, -15 min or 1 day, or when to start, such as 18:00.",
        ),
        ("place", {"place": "r1"}, "This place is no longer here. Choose another one."),
        ("booking", {"booking_url": "x"}, "Write the whole address, beginning with https://."),
        ("cancel", {"note": "Regn", "tell": "no"}, "A note is for readers: tell them, or leave it empty."),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_lost(office, action, typed, error):
    before = read_tables()
    shown = show(office, action, [JAZZ_TODAY, NIGHT_TODAY], **typed)
    response = apply(office, shown) if action == "cancel" else shown
    assert error in read_errors(response)
    for name in typed.keys() & {"shift", "note", "booking_url"}:
        assert parse(response).select_one(f"#content-main [name={name}]")["value"] == typed[name]
    assert read_tables() == before


def test_nothing_is_written_that_was_not_shown(office):
    before = read_tables()
    ask(office, "move", [JAZZ_TODAY], shift="1 h", seen="")
    assert read_tables() == before
    shown = show(office, "move", [JAZZ_TODAY, NIGHT_TODAY], shift="1 h")
    for typed in (
        {"shift": "2 h"},
        {"_selected_action": [NIGHT_TODAY]},
        {"_selected_action": [JAZZ_TODAY, NIGHT_TODAY, JAZZ_TOMORROW]},
    ):
        again = apply(office, shown, **typed)
        assert list_messages(again) == [LOOK_AGAIN]
        assert read_tables() == before
    # What was shown last is done.
    apply(office, again)
    assert times(JAZZ_TOMORROW)[0] == utc(2026, 7, 30, 15)


@pytest.mark.parametrize(
    "edit",
    [
        lambda: Occasion.objects.filter(pk=NIGHT_TODAY).update(end=utc(2026, 7, 30, 2)),
        lambda: Occasion.objects.get(pk=NIGHT_TODAY).delete(),
    ],
)
def test_what_somebody_saves_meanwhile_is_shown_first(office, edit):
    shown = show(office, "move", [JAZZ_TODAY, NIGHT_TODAY], shift="1 h")
    edit()
    before = read_tables()
    again = apply(office, shown)
    assert list_messages(again) == [LOOK_AGAIN]
    assert read_tables() == before
    # Something else is of no concern.
    Event.objects.filter(pk=CLOCKS).update(price="3 kr")
    apply(office, again)
    assert times(JAZZ_TODAY)[0] == utc(2026, 7, 29, 15)


def test_what_somebody_may_not_change_is_shown_as_such_and_stays():
    office, keys = office_of(user_of(Role.AREA_EDITOR)), [JAZZ_TODAY, CLOCKS_TODAY]
    before = {key: times(key) for key in keys}
    shown = show(office, "move", keys, shift="1 h", note="Åska")
    done = apply(office, shown)
    assert list_staying(parse(shown)) == [
        rf"{title(CLOCKS_TODAY)} : You may not change it: it belongs to Parken; norr, söder & \mitt. History"
    ]
    assert {key for key in keys if times(key) != before[key]} == {JAZZ_TODAY}
    assert {key for _kind, key, _note in list_told(NOW)} == {JAZZ_TODAY}
    said = ["Moved occasions: 1.", "1 row stays as it is."]
    assert [str(each) for each in done.context["messages"]] == said


# --- The list and the form of an event ------------------------------------------------------------

FORM = f"/admin/programme/event/{JAZZ}/change/"


def test_it_leads_back_to_the_list_with_its_filters_and_to_no_other_site(office):
    address = f"{OCCASIONS}?day=2026-07-29&on_from=16"
    done = change(office, "move", [JAZZ_TODAY], address, shift="90")
    assert done.redirect_chain == [(address, 302)]
    done = apply(office, show(office, "move", [JAZZ_TODAY], shift="1", back="https://evil.example/"))
    assert done.redirect_chain == [(OCCASIONS, 302)]


def press(office: Client, button: str, occasions: list[int]) -> Any:
    """Press a button above the occasions of an event, of which some are ticked."""
    page = parse(office.get(FORM))
    [found] = [each for each in page.select(".ticked button") if each.get_text() == button]
    form = page.select_one(f"form#{found['form']}")
    chosen = {"_selected_action": occasions, "action": found["value"]}
    back = form.select_one("[name=back]")["value"]
    return office.post(form["action"], chosen | {"back": back}, follow=True)


def test_what_is_ticked_in_the_form_of_its_event_is_cancelled_and_nothing_is_ticked_before(office):
    Occasion.objects.filter(event=JAZZ).update(cancelled=False)
    assert parse(office.get(FORM)).select("[name=_selected_action][checked]") == []
    shown = press(office, "Cancel them", [JAZZ_TOMORROW, JAZZ_AWAY])
    assert [*read_rows(shown)] == [title(JAZZ_TOMORROW), title(JAZZ_AWAY)]
    done = apply(office, shown, note="Åska")
    assert done.redirect_chain == [(FORM, 302)]
    told = [("cancelled", JAZZ_TOMORROW, "Åska"), ("cancelled", JAZZ_AWAY, "Åska")]
    assert list_told(NOW) == told


@pytest.mark.parametrize(
    ("button", "field"),
    [("Change place", "place"), ("Move", "shift"), ("Booking", "booking"), ("Tell readers", "note")],
)
def test_the_cursor_is_in_the_first_field(office, button, field):
    opened = press(office, button, [JAZZ_TOMORROW])
    assert [each["name"] for each in parse(opened).select("[autofocus]")] == [field]
    assert read_errors(opened) == []


def test_nothing_ticked_leads_back_and_says_so(office):
    back = press(office, "Move", [])
    assert back.redirect_chain == [(FORM, 302)]
    assert list_messages(back) == ["Tick at least one occasion."]


def test_a_new_event_and_who_may_only_read_are_offered_no_changes(office):
    assert parse(office.get("/admin/programme/event/add/")).select(".ticked, [name=_selected_action]") == []
    reader = office_of(user_of(Role.AREA_EDITOR))
    Event.objects.filter(pk=JAZZ).update(area=programmes.PARKEN)
    assert parse(reader.get(FORM)).select(".ticked, [name=_selected_action]") == []


# --- Events ---------------------------------------------------------------------------------------


def test_events_are_put_into_an_area_and_get_types_and_a_language(office):
    keys = [JAZZ, programmes.NEVER]
    shown = show(office, "change_events", keys, EVENTS, area=programmes.PARKEN, type=4002)
    rows = read_rows(shown)
    assert len(rows) == 2
    [jazz] = [row for name, row in rows.items() if name == f"Event {Event.objects.get(pk=JAZZ).title}"]
    assert r"Area Ångtorget → becomes Parken; norr, söder & \mitt" in jazz
    assert "→ becomes (empty) Type Concert" in jazz
    done = apply(office, shown)
    assert done.redirect_chain == [(EVENTS, 302)]
    assert list_messages(done) == ["Changed events: 2."]
    changed = Event.objects.filter(pk__in=keys).values_list("area", "sub_area", "type")
    assert set(changed) == {(programmes.PARKEN, None, 4002)}


def test_a_sub_area_brings_its_area_and_one_of_another_area_is_refused(office):
    typed = {"area": programmes.PARKEN, "sub_area": programmes.TORGET_SCENEN}
    refused = show(office, "change_events", [NIGHT], EVENTS, **typed)
    assert read_errors(refused) == ["This sub area is not in the area chosen."]
    change(office, "change_events", [NIGHT], EVENTS, sub_area=programmes.TORGET_SCENEN)
    event = Event.objects.get(pk=NIGHT)
    assert (event.area_id, event.sub_area_id) == (programmes.TORGET, programmes.TORGET_SCENEN)


def test_of_events_those_occasions_are_changed_that_are_not_over(office):
    Occasion.objects.filter(pk=JAZZ_TODAY).update(start=NOW - HOUR, end=NOW)
    shown = show(office, "move", [JAZZ], EVENTS, shift="1 h")
    assert [*read_rows(shown)] == [title(JAZZ_TOMORROW), title(JAZZ_AWAY)]
    Occasion.objects.filter(event=JAZZ).update(start=NOW - HOUR, end=NOW)
    back = office.post(EVENTS, {"action": "move", "_selected_action": [JAZZ]}, follow=True)
    assert list_messages(back) == ["None of these events has an occasion that is not over."]


def test_events_go_to_no_area_of_others_and_none_is_taken_from_there():
    office, keys = office_of(user_of(Role.AREA_EDITOR)), [JAZZ, CLOCKS]
    opened = ask(office, "change_events", keys, EVENTS)
    offered = [each["value"] for each in parse(opened).select("select[name=area] option")]
    assert offered == ["", str(TORGET)]
    refused = show(office, "change_events", keys, EVENTS, area=PARKEN)
    assert "What was chosen here is no longer there." in parse(refused).get_text()
    shown = show(office, "change_events", keys, EVENTS, area=TORGET, type=4002)
    [staying] = list_staying(parse(shown))
    assert staying.startswith("Event När klockan ställs om : You may not change it: it belongs to Parken;")
    apply(office, shown)
    assert set(Event.objects.filter(pk__in=keys).values_list("pk", "area", "type")) == {
        (JAZZ, TORGET, 4002),
        (CLOCKS, PARKEN, 4001),
    }
