"""Merging in the back office: shown first, written as one edit of which readers hear nothing, and undone."""

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from feeds.vocabulary import Text
from programme.backoffice.problems.problem import build_merge_address
from programme.backoffice.roles import Role, assign_role
from programme.models import (
    Area,
    AreaEditor,
    Edit,
    Event,
    EventType,
    ImportedRow,
    Location,
    Occasion,
    Organizer,
    Room,
)
from programme.publishing.news_reader import read_marks
from tests.conftest import NOW
from tests.organizers import organizer_of, suggest
from tests.programme.backoffice.admin.searching import NEAR, ask_for_place
from tests.programme.backoffice.changes.pages import list_changes, list_rows, list_staying, undo
from tests.programme.backoffice.marks import list_told
from tests.programme.backoffice.merging.pages import merge, read_options, show
from tests.programme.backoffice.requests import list_messages, parse, submission, words
from tests.programme.changes.rows import read_rows
from tests.programmes import ASA, FORENINGEN, JAZZ, NIGHT, PARKEN, mark_changed

pytestmark = pytest.mark.usefixtures("at", "sample")

BIBLIOTEKET, NATET, MAGASINET = 5001, 5002, 5003
SAL_2, KALLAREN, OVRE = 6001, 6002, 6003
PAIRS = {
    "location": (BIBLIOTEKET, MAGASINET),
    "room": (SAL_2, KALLAREN),
    "organizer": (FORENINGEN, ASA),
    "eventtype": (4001, 4002),
}
MODELS = {"location": Location, "room": Room, "organizer": Organizer, "eventtype": EventType}


def compare(before: dict[Any, Any], after: dict[Any, Any]) -> dict[Any, Any]:
    """Return the rows that differ, by model and key: what they were and are."""
    keys = before.keys() | after.keys()
    return {key: (before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)}


def read_places() -> list[Any]:
    return list(Occasion.objects.order_by("pk").values_list("pk", "location", "room"))


def test_the_page_shows_what_happens_and_writes_nothing(office):
    Location.objects.filter(pk=MAGASINET).update(accessibility_sv="Trappor", public_transport_station="")
    before = read_rows()
    page = show(office, "location", [BIBLIOTEKET, MAGASINET])
    library, store = "Biblioteket, Storgatan 1, Åsunda", "Magasinet; kaj 3, port B, Kajen 3"
    assert read_options(page) == {
        "Which one stays?": [f"*{library} (3 events)", f"{store} (3 events)"],
        "Address": [f"*Storgatan 1, Åsunda ({library})", f"Kajen 3 ({store})"],
        "Accessibility in Swedish": [f"*Ramp till vänster ({library})", f"Trappor ({store})"],
    }
    said = words(parse(page).select_one("form > p"))
    assert said == "Magasinet; kaj 3, port B → Biblioteket. Readers are not told."
    rows = list_rows(parse(page))
    assert len(rows) == 7
    names = "Magasinet; kaj 3, port B Magasinet; kaj 3, port B, Kajen 3"
    assert f"Location Biblioteket Also called (empty) → becomes {names}" in rows
    assert "Location Magasinet; kaj 3, port B will be deleted" in rows
    assert read_rows() == before


@pytest.mark.parametrize("kind", PAIRS)
def test_each_kind_is_merged_and_undone_and_done_again(office, kind):
    # What is marked as changed was not moved by this, and says nothing of it.
    mark_changed(Occasion.objects.all(), Text(), NOW - dt.timedelta(hours=1))
    kept, other = PAIRS[kind]
    before, places, said = read_rows(), read_places(), str(MODELS[kind].objects.get(pk=other))
    page = merge(office, kind, [kept, other], kept=kept)
    assert page.redirect_chain[0][0] == f"/admin/programme/{kind}/"
    [message] = list_messages(page)
    assert message.startswith("Merged into ")
    edit = Edit.objects.latest("pk")
    assert (edit.reason, edit.detail.split(" → ")[0] in said) == ("merged:", True)
    assert list_changes(office)[0].startswith("Merged: ")
    assert not MODELS[kind].objects.filter(pk=other).exists()
    assert {row.values["into"] for row in ImportedRow.objects.filter(row_id=other)} == {kept}
    merged = read_rows()
    assert {
        mark.previous_place
        for mark in read_marks(Occasion.objects.select_related("location", "room")).values()
    } == {""}
    stale = [
        (key, row)
        for key, row in merged.items()
        for name in (f"{kind}_id", f"{kind[5:]}_id")
        if row.get(name) == other
    ]
    assert stale == []
    assert list_told(NOW) == []
    undo(office, edit)
    assert (compare(before, read_rows()), read_places()) == ({}, places)
    undo(office, Edit.objects.latest("pk"))
    assert compare(merged, read_rows()) == {}
    assert list_told(NOW) == []


def test_coordinates_are_one_value_and_what_is_empty_may_stay_so(office):
    Location.objects.filter(pk=MAGASINET).update(latitude="59.3", longitude="18.1")
    options = read_options(show(office, "location", [BIBLIOTEKET, MAGASINET]))
    assert options["Latitude, longitude"] == [
        "*59.300000, 18.100000 (Magasinet; kaj 3, port B, Kajen 3)",
        "empty (Biblioteket, Storgatan 1, Åsunda)",
    ]
    Location.objects.filter(pk=BIBLIOTEKET).update(latitude="59.3", longitude="11.9")
    other = Location.objects.create(name="Boden", address="Storgatan", accessibility_sv="Trappor")
    chosen = {f"location-{BIBLIOTEKET}-latitude": MAGASINET}
    merge(office, "location", [BIBLIOTEKET, MAGASINET, other.pk], kept=BIBLIOTEKET, **chosen)
    row = Location.objects.get(pk=BIBLIOTEKET)
    assert (str(row.latitude), str(row.longitude)) == ("59.300000", "18.100000")
    Organizer.objects.filter(pk=FORENINGEN).update(info_en="")
    Organizer.objects.filter(pk=ASA).update(info_en="Ror sedan 1894")
    keys = [FORENINGEN, ASA]
    merge(office, "organizer", keys, kept=FORENINGEN, **{f"organizer-{min(keys)}-info_en": FORENINGEN})
    assert Organizer.objects.get(pk=FORENINGEN).info_en == ""


def test_what_is_empty_is_filled_and_of_what_differs_one_is_chosen(office):
    page = merge(
        office, "location", [BIBLIOTEKET, MAGASINET], kept=MAGASINET, **{"location-5001-address": BIBLIOTEKET}
    )
    assert list_messages(page)[0].startswith(
        "Merged into Magasinet; kaj 3, port B: Biblioteket. 3 events follow."
    )
    kept = Location.objects.get(pk=MAGASINET)
    assert (kept.name, kept.address) == ("Magasinet; kaj 3, port B", "Storgatan 1, Åsunda")
    assert (kept.accessibility_sv, kept.public_transport_station) == ("Ramp till vänster", "Stortorget")
    # The rooms come along, as they are.
    assert set(Room.objects.values_list("pk", "location")) == {
        (key, MAGASINET) for key in (SAL_2, KALLAREN, OVRE)
    }


def test_rooms_of_one_name_become_one_with_their_locations(office):
    twin = Room.objects.create(location_id=MAGASINET, name="SAL 2", floor="3 tr")
    Occasion.objects.filter(pk=8004).update(location=MAGASINET, room=twin)
    before = read_rows()
    options = read_options(show(office, "location", [BIBLIOTEKET, MAGASINET]))
    assert options["Biblioteket, Sal 2: Floor"] == [
        "*2 tr (Biblioteket, Sal 2)",
        "3 tr (Magasinet; kaj 3, port B, SAL 2)",
    ]
    merge(office, "location", [BIBLIOTEKET, MAGASINET], **{f"room-{SAL_2}-floor": twin.pk})
    occasion = Occasion.objects.get(pk=8004)
    assert (occasion.location_id, occasion.room_id) == (BIBLIOTEKET, SAL_2)
    assert set(Room.objects.values_list("pk", "floor")) == {(SAL_2, "3 tr"), (KALLAREN, ""), (OVRE, "")}
    # An event that is edited afterwards keeps that, and its occasion gets its place back.
    Event.objects.filter(pk=NIGHT).update(title="Natt")
    undo(office, Edit.objects.filter(reason="merged:").latest("pk"))
    changed = set(compare(before, read_rows()))
    assert changed == {(Event, NIGHT)}
    assert Event.objects.get(pk=NIGHT).title == "Natt"


def test_nothing_is_merged_that_is_not_as_it_was_shown(office):
    address = build_merge_address("organizer", [FORENINGEN, ASA])
    sent = submission(office.get(address))
    Organizer.objects.filter(pk=ASA).update(info_sv="Nytt")
    page = office.post(address, sent)
    assert list_messages(page) == ["This is not what was shown. Nothing is written yet: look again."]
    assert "Nytt" in words(parse(page).select_one("#content-main"))
    sent = submission(page)
    # Another one is to stay: that is shown first.
    assert list_messages(office.post(address, sent | {"kept": ASA})) == list_messages(page)
    Event.objects.filter(organizer=ASA).update(organizer=None)
    Organizer.objects.get(pk=ASA).delete()
    page = office.post(address, sent, follow=True)
    assert list_messages(page) == ["There is nothing left to merge: it is merged or deleted."]
    assert page.redirect_chain == [("/admin/programme/organizer/", 302)]


def test_a_name_and_address_that_another_location_has_is_refused(office):
    Location.objects.create(name="Magasinet; kaj 3, port B", address="Storgatan 1, Åsunda")
    before = read_rows()
    chosen = {"kept": MAGASINET, "location-5001-address": BIBLIOTEKET}
    page = merge(office, "location", [BIBLIOTEKET, MAGASINET], **chosen)
    assert list_staying(parse(page))[0].startswith(
        "Location Magasinet; kaj 3, port B : something else has its name or identifier by now"
    )
    # Rooms of several locations lead to these.
    link = parse(merge(office, "room", [SAL_2, OVRE])).select_one(".staying li a[href*=merge]")
    assert link["href"] == "/admin/merge/location/?row=5001&row=5003"
    assert read_rows() == before


def test_the_action_leads_to_the_page_and_the_page_back(office):
    places = "/admin/programme/location/"
    ticked = {"action": "merge_rows", "_selected_action": [BIBLIOTEKET, NATET]}
    page = office.post(f"{places}?q=e", ticked, follow=True)
    assert page.redirect_chain[0][0] == (
        "/admin/merge/location/?row=5001&row=5002&back=%2Fadmin%2Fprogramme%2Flocation%2F%3Fq%3De"
    )
    assert parse(page).select_one("a.closelink")["href"] == f"{places}?q=e"
    assert office.get("/admin/merge/area/?row=1&row=2").status_code == 404
    Location.objects.bulk_create(Location(name=f"Plats {number}") for number in range(30))
    every = list(Location.objects.values_list("pk", flat=True))
    page = office.post(places, ticked | {"_selected_action": every}, follow=True)
    assert list_messages(page) == ["At most 20 at a time."]
    page = office.post(places, ticked | {"_selected_action": [NATET]}, follow=True)
    assert list_messages(page) == ["Tick at least two."]
    rooms = parse(office.get(f"{places}?q=biblioteket")).select_one(".field-room_count a")
    assert words(rooms) == "2"
    listed = parse(office.get(rooms["href"])).select(".action-select")
    assert {int(each["value"]) for each in listed} == {SAL_2, KALLAREN}


def test_who_may_not_change_an_event_that_names_them_may_not_merge(office, anna):
    anna.is_superuser = False
    anna.save()
    assign_role(anna, Role.CHIEF_EDITOR)
    anna.groups.get().permissions.remove(Permission.objects.get(codename="edit_every_area"))
    AreaEditor.objects.create(user=anna, area=Area.objects.get(pk=PARKEN))
    before = read_rows()
    page = merge(office, "location", [BIBLIOTEKET, MAGASINET])
    assert "of its rows are not yours to change" in words(parse(page).select_one(".notice"))
    assert parse(page).select_one("[name=seen]") is None
    assert read_rows() == before


def test_forms_that_were_open_show_a_merge(office):
    form, place = f"/admin/programme/event/{NIGHT}/change/", f"/admin/programme/location/{MAGASINET}/change/"
    typed = submission(office.get(form)) | {"title": "Natt"}
    renamed = submission(office.get(place)) | {"name": "Magasin 3"}
    merge(office, "location", [BIBLIOTEKET, MAGASINET])
    # What nobody has typed is as it is now.
    assert office.post(form, typed).status_code == 302
    night = Occasion.objects.values_list("event__title", "location").get(event=NIGHT)
    assert night == ("Natt", BIBLIOTEKET)
    gone = words(parse(office.post(place, renamed)).select_one(".notice"))
    assert "(merged: Magasinet; kaj 3, port B → Biblioteket)" in gone
    page = office.get(place, follow=True)
    assert page.redirect_chain[0][0] == f"/admin/programme/location/{BIBLIOTEKET}/change/"
    [text] = list_messages(page)
    assert text == "What you asked for was merged into this: Biblioteket, Storgatan 1, Åsunda."
    # A new occasion finds it by the name that is gone, also by a misspelt one.
    kept = "Biblioteket, Storgatan 1, Åsunda"
    assert ("l5001", kept) in ask_for_place(office, "magasinet; kaj 3, port b")
    assert ask_for_place(office, "magazinet; kaj 3, port b")[0] == [NEAR, kept]
    undo(office, Edit.objects.filter(reason="merged:").get())
    assert ("l5001", kept) not in ask_for_place(office, "magasinet")


def test_the_link_of_a_merged_organizer_works_on_and_returns(office):
    suggestion = suggest(NIGHT, ASA, title="Ny titel")
    browser = organizer_of(ASA)
    merge(office, "organizer", [FORENINGEN, ASA], kept=FORENINGEN)
    suggestion.refresh_from_db()
    assert suggestion.link.organizer_id == FORENINGEN
    assert "Jazz, blues" in browser.get("/admin/organizer/", follow=True).content.decode()
    edit = Edit.objects.latest("pk")
    undo(office, edit)
    suggestion.refresh_from_db()
    assert suggestion.link.organizer_id == ASA
    undo(office, Edit.objects.latest("pk"))
    suggestion.refresh_from_db()
    assert suggestion.link.organizer_id == FORENINGEN


def test_of_two_links_that_of_the_one_that_stays_works_on_and_has_what_waits(office):
    suggestion, own = suggest(NIGHT, ASA, title="Ny titel"), suggest(JAZZ, FORENINGEN, title="Jazz")
    former = suggestion.link
    page = show(office, "organizer", [FORENINGEN, ASA])
    said = words(parse(page).select_one(".notice"))
    assert said == "Their links for corrections will not work any more; send a new one: <Åsa> & co; ek., för."
    merge(office, "organizer", [FORENINGEN, ASA])
    suggestion.refresh_from_db()
    assert suggestion.link == own.link
    undo(office, Edit.objects.latest("pk"))
    suggestion.refresh_from_db()
    assert (suggestion.link, suggestion.link.organizer_id) == (former, ASA)


@pytest.mark.parametrize("number", [1, 30])
def test_it_takes_the_same_queries_for_any_number(
    office: Client, number: int, django_assert_num_queries: Any
) -> None:
    events = [Event(title="Mer", area_id=PARKEN, type_id=4001) for _each in range(number)]
    times = {"start": NOW, "end": NOW + dt.timedelta(hours=1)}
    Occasion.objects.bulk_create(
        Occasion(event=each, location_id=MAGASINET, **times) for each in Event.objects.bulk_create(events)
    )
    address = build_merge_address("location", [BIBLIOTEKET, MAGASINET])
    with django_assert_num_queries(17):
        shown = office.get(address)
    with django_assert_num_queries(40):
        office.post(address, submission(shown))
    assert Location.objects.count() == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("kind", "word"),
    [("location", "magasinet"), ("room", "källaren"), ("organizer", "åsa"), ("eventtype", "blandat")],
)
def test_addresses_and_former_names_lead_to_what_it_is_part_of(office, kind, word):
    def read(key: object, parameter: str = kind.removeprefix("event")) -> list[int]:
        found = Client().get("/api/events.json", {parameter: key}).json()
        return [each["occation"]["id"] for each in found]

    kept, other = PAIRS[kind]
    every, searched = sorted([*read(kept), *read(other)]), read(word, "q")
    # Rooms are asked for by their names.
    every = every or sorted({*searched, *read("Sal 2")})
    merge(office, kind, [kept, other], kept=kept)
    assert kind == "room" or sorted(read(other)) == sorted(read(kept)) == every
    assert searched != every == sorted(read(word, "q"))
    if kind == "location":
        assert Client().get(f"/plats/{other}").content == Client().get(f"/plats/{kept}").content
    undo(office, Edit.objects.latest("pk"))
    assert kind == "room" or sorted([*read(kept), *read(other)]) == every
    assert read(other) != every
    assert read(word, "q") == searched
