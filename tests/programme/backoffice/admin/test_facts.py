"""Facts in the back office: in forms, their history and conflicts, lists, filters, and many at once."""

from typing import Any

import pytest
from django.test import Client

from programme.backoffice.roles import Role
from programme.models import Edit, Event, Location, Occasion
from tests.programme.backoffice.requests import parse, row_fields, send, submission, submit_new, words
from tests.programme.backoffice.rights.people import office_of, user_of
from tests.programmes import JAZZ, PARKEN, utc

pytestmark = pytest.mark.usefixtures("at", "sample")

EVENT = f"/admin/programme/event/{JAZZ}/change/"
LOCATION = "/admin/programme/location/5001/change/"
OF_EVENT = {
    "audience-children": "children", "audience-adults": "adults", "age-first": "6", "age-last": "12", "free": "false",
}  # fmt: skip
STATED = {"audience": "children adults", "age": "6-12", "free": "false"}
OF_ROW = row_fields(
    "occasions",
    0,
    **{
        "booking": "needed",
        "booking_url": "boka.example.org",
        "booking_from": "2026-07-01T10:00",
        "access-sign-language": "sign-language",
        "access-loud": "no-loud",
    },
)
STATED_OF_ROW = {
    "booking": "needed",
    "booking_url": "https://boka.example.org",
    "booking_from": utc(2026, 7, 1, 8),
    "access": "sign-language no-loud",
}


def read_group(office: Client, address: str) -> tuple[bool, list[str]]:
    """Return whether the group of facts is folded, and the names of its fields."""
    found = parse(office.get(address)).select("fieldset:has(h2)")
    [group] = [each for each in found if words(each.h2).startswith("Facts that readers choose by")]
    return group.details is not None, [each["name"] for each in group.select("[name]:not([type=hidden])")]


def test_an_event_states_all_of_its_facts(office: Client) -> None:
    send(office, EVENT, **OF_EVENT)
    assert Event.objects.filter(pk=JAZZ).values(*STATED).get() == STATED
    assert read_group(office, EVENT)[0]
    headings = [words(each) for each in parse(office.get(EVENT)).select("summary h2")]
    # What is folded and stated is named.
    assert "Facts that readers choose by Age, Free admission" in headings
    history = words(parse(office.get(f"/admin/programme/event/{JAZZ}/history/")).select_one(".timeline"))
    assert "children, adults" in history
    assert "ages 6–12" in history


def test_a_row_states_all_of_an_occasion_also_of_a_new_event(office: Client) -> None:
    send(office, EVENT, **OF_ROW)
    assert Occasion.objects.filter(pk=8001).values(*STATED_OF_ROW).get() == STATED_OF_ROW
    when = row_fields("occasions", 0, day="2026-07-30", start_time="19", end_time="20")
    assert submit_new(office, "event", title="Kör", area=PARKEN, **when, **OF_ROW).status_code == 302
    assert Occasion.objects.filter(event__title="Kör").values(*STATED_OF_ROW).get() == STATED_OF_ROW


def test_what_is_used_rarely_is_open_in_a_row_that_has_it_or_has_it_wrong(office: Client) -> None:
    def find_open(page: Any) -> list[bool]:
        return [row.has_attr("open") for row in parse(page).select("#occasions-group .more details")]

    Occasion.objects.filter(event=JAZZ).update(stream=None, access="", booking_url="", booking_from=None)
    # Those of three occasions, and of the one that may be added.
    assert find_open(office.get(EVENT)) == [False] * 4
    refused = send(office, EVENT, **{"occasions-0-booking_url": "x", "occasions-1-price": ""})
    assert find_open(refused) == [True, False, False, False]
    Occasion.objects.filter(pk=8002).update(access="captions")
    assert find_open(office.get(EVENT)) == [False, True, False, False]


def test_a_form_that_is_sent_untouched_changes_nothing(office: Client) -> None:
    rows = [Event.objects.get(pk=JAZZ), *Occasion.objects.filter(event=JAZZ), Location.objects.get(pk=5001)]
    before = [row.history.count() for row in rows]
    for address in (EVENT, LOCATION):
        send(office, address)
    assert [row.history.count() for row in rows] == before


def test_qualities_of_a_performance_are_not_asked_of_a_place(office: Client) -> None:
    asked = ["step-free", "accessible-toilet", "hearing-loop", "companion-free", "seats", "quiet-place"]
    assert read_group(office, LOCATION) == (True, [f"access-{code}" for code in asked])
    send(office, LOCATION, **{"access-step-free": "no-step-free"})
    assert Location.objects.get(pk=5001).access == "no-step-free"


def test_facts_of_several_places_are_filled_in_in_one_table_and_saved_as_one_edit(office: Client) -> None:
    places = list(Location.objects.order_by("name__in_order").values_list("pk", flat=True)[:2])
    chosen = {"action": "fill_in", "_selected_action": places, "index": "0"}
    table = office.post("/admin/programme/location/", chosen)["Location"]
    page = office.get(table)
    assert len(parse(page).select("#result_list tbody tr")) == 2
    before = Edit.objects.count()
    values = {f"form-{row}-access-step-free": f"{sign}step-free" for row, sign in enumerate(("", "no-"))}
    assert office.post(table, submission(page) | values | {"_save": "1"})["Location"] == table
    assert [Location.objects.get(pk=key).access for key in places] == ["step-free", "no-step-free"]
    assert Edit.objects.count() == before + 1
    Location.objects.filter(pk=places[0]).update(access="seats")
    refused = office.post(table, submission(page) | values | {"_save": "1"})
    assert "Somebody has saved this meanwhile: seats. Open it again." in words(parse(refused))
    assert Location.objects.get(pk=places[0]).access == "seats"
    # Elsewhere nothing can be typed.
    assert not parse(office.get("/admin/programme/location/")).select("#result_list select")
    assert not parse(office_of(user_of(Role.AREA_EDITOR)).get(table)).select("#result_list select")


def test_who_may_not_change_it_reads_words(office: Client) -> None:
    send(office, EVENT, **OF_EVENT, **OF_ROW)
    Event.objects.filter(pk=JAZZ).update(area=PARKEN)
    page = office_of(user_of(Role.AREA_EDITOR)).get(EVENT)
    shown = words(parse(page))
    for text in (
        "children, adults",
        "needed",
        "https://boka.example.org",
        "sign language, without loud sound",
    ):
        assert text in shown
    assert "no-loud" not in shown


def test_both_editors_of_a_fact_see_it_in_words(office: Client) -> None:
    Occasion.objects.filter(pk=8001).update(access="")
    loud = "occasions-0-access-loud"
    sent = submission(office.get(EVENT)) | {"audience-children": "children", loud: "loud"}
    send(office, EVENT, **{"audience-seniors": "seniors", loud: "no-loud"})
    met = office.post(EVENT, sent)
    page = parse(met)
    shown = [words(each) for each in page.select("fieldset.difference .value")]
    assert shown == ["(empty)", "seniors", "children", "(empty)", "without loud sound", "loud sound"]
    mine = {"_choice-audience": "mine", "_choice-occasions-0-access": "theirs"}
    office.post(EVENT, submission(met) | mine)
    assert Event.objects.get(pk=JAZZ).audience == "children"
    assert Occasion.objects.get(pk=8001).access == "no-loud"


def list_keys(office: Client, address: str) -> set[int]:
    rows = office.get(f"/admin/programme/{address}").context["cl"].result_list
    return {row.pk for row in rows}


def test_lists_are_filtered_by_what_is_stated_and_what_is_not_known(office: Client) -> None:
    Event.objects.filter(pk=JAZZ).update(audience="children adults")
    Occasion.objects.filter(pk=8001).update(booking="full")
    Occasion.objects.filter(pk=8002).update(booking="needed")
    assert list_keys(office, "occasion/?booking=full") == {8001}
    assert {8001, 8002}.isdisjoint(list_keys(office, "occasion/?booking=-"))
    assert list_keys(office, "event/?audience=adults") == {JAZZ}
    assert JAZZ not in list_keys(office, "event/?audience=-")
    Location.objects.filter(pk=5001).update(access="step-free no-hearing-loop")
    everywhere = {*Location.objects.values_list("pk", flat=True)}
    assert list_keys(office, "location/?access=hearing-loop") == everywhere - {5001}
    assert list_keys(office, "location/?access=seats") == everywhere
    assert list_keys(office, "location/?access=-") == everywhere - {5001}
