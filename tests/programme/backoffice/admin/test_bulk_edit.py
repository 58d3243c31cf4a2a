"""Bulk edits: previewed first, then saved as a whole or not at all."""

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.contrib.admin.models import LogEntry
from django.test import Client

from programme.models import Event, Occasion
from tests import programmes
from tests.conftest import NOW
from tests.programme.backoffice.requests import list_messages
from tests.programmes import utc

EVENTS, OCCASIONS = "/admin/programme/event/", "/admin/programme/occasion/"
JAZZ, NIGHT = programmes.JAZZ, programmes.NIGHT

pytestmark = pytest.mark.usefixtures("sample")


def build_post(action: str, chosen: list[int], **fields: Any) -> dict[str, Any]:
    return {"action": action, "index": "0", "_selected_action": chosen, **fields}


def post_bulk_edit(office: Client, chosen: list[int], list_: str = EVENTS, **fields: Any) -> Any:
    action = "change_events" if list_ == EVENTS else "change_occasions"
    return office.post(list_, build_post(action, chosen, **fields), follow=True)


def parse_page(response: Any) -> BeautifulSoup:
    return BeautifulSoup(response.content.decode(), "html5lib")


def read_rows() -> list[Any]:
    return [*Event.objects.order_by("id").values(), *Occasion.objects.order_by("id").values()]


def test_the_list_leads_to_a_page_that_names_what_was_chosen(office: Client) -> None:
    response = post_bulk_edit(office, [JAZZ, NIGHT])
    named = [each.get_text() for each in parse_page(response).select(".chosen li")]
    assert sorted(named) == sorted(map(str, Event.objects.filter(pk__in=[JAZZ, NIGHT])))
    keys = [each["value"] for each in parse_page(response).select('[name="_selected_action"]')]
    assert sorted(map(int, keys)) == [JAZZ, NIGHT]


def test_what_happens_is_shown_before_it_does(office: Client) -> None:
    before = read_rows()
    response = post_bulk_edit(office, [JAZZ], show="1", move_days="1", move_minutes="-30", change_info="Regn")
    rows = [
        [cell.get_text() for cell in row.select("td")][1:]
        for row in parse_page(response).select("section tbody tr")
    ]
    assert rows[0] == ["Wed 2026-07-29 16:00", "Thu 2026-07-30 15:30"]
    assert len(rows) == Occasion.objects.filter(event=JAZZ).count()
    assert parse_page(response).select_one('[name="apply"]')
    assert read_rows() == before


def test_occasions_of_events_are_moved_and_the_events_marked(office: Client) -> None:
    Event.objects.update(changed_at=None)
    before = dict(Occasion.objects.filter(event=JAZZ).values_list("id", "start"))
    response = post_bulk_edit(office, [JAZZ], apply="1", move_minutes="90", change_info="Senare")
    assert list_messages(response) == ["1 event was changed."]
    after = dict(Occasion.objects.filter(event=JAZZ).values_list("id", "start"))
    assert after[8001] == utc(2026, 7, 29, 15, 30)
    assert after.keys() == before.keys()
    assert dict(Occasion.objects.filter(event=JAZZ).values_list("id", "previous_start")) == before
    event = Event.objects.get(pk=JAZZ)
    assert (event.change_info, event.changed_at) == ("Senare", NOW)
    logged = LogEntry.objects.values_list("content_type__model", flat=True)
    assert set(logged) == {"event", "occasion"}


def test_single_occasions_are_moved(office: Client) -> None:
    others = list(Occasion.objects.exclude(pk=8001).order_by("id").values("start", "end"))
    post_bulk_edit(office, [8001], OCCASIONS, apply="1", move_days="-1")
    assert Occasion.objects.get(pk=8001).start == utc(2026, 7, 28, 14)
    assert list(Occasion.objects.exclude(pk=8001).order_by("id").values("start", "end")) == others
    assert Event.objects.get(pk=JAZZ).changed_at != NOW


def test_an_area_is_set_and_sub_areas_of_others_are_left(office: Client) -> None:
    fields = {"area": programmes.PARKEN, "type": 4001}
    shown = parse_page(post_bulk_edit(office, [JAZZ, NIGHT], show="1", **fields)).select_one("section")
    assert shown
    assert "lose their sub area" in shown.get_text()
    post_bulk_edit(office, [JAZZ, NIGHT], apply="1", **fields)
    changed = Event.objects.filter(pk__in=[JAZZ, NIGHT]).values_list("area", "sub_area", "type")
    assert set(changed) == {(programmes.PARKEN, None, 4001)}


def test_a_sub_area_brings_its_area(office: Client) -> None:
    post_bulk_edit(office, [NIGHT], apply="1", sub_area=programmes.TORGET_SCENEN)
    event = Event.objects.get(pk=NIGHT)
    assert (event.area_id, event.sub_area_id) == (programmes.TORGET, programmes.TORGET_SCENEN)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({}, "Say what is to be changed."),
        ({"move_days": "x"}, "Enter a whole number."),
        ({"move_days": "367"}, "Ensure this value is less than or equal to 366."),
        (
            {"area": programmes.PARKEN, "sub_area": programmes.TORGET_SCENEN},
            "This sub area is not in the area",
        ),
        ({"change_info": "x" * 501}, "Ensure this value has at most 500 characters (it has 501)."),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_lost(
    office: Client, fields: dict[str, Any], error: str
) -> None:
    before = read_rows()
    response = post_bulk_edit(office, [JAZZ], apply="1", **fields)
    assert error in parse_page(response).get_text()
    for name, value in fields.items():
        field = parse_page(response).select_one(f'[name="{name}"]')
        assert field
        chosen = field.select_one("option[selected]")
        assert (chosen["value"] if chosen else field["value"]) == str(value)
    assert read_rows() == before


def test_an_hour_that_the_clock_jumps_over_is_refused(office: Client) -> None:
    Occasion.objects.filter(pk=8001).update(start=utc(2026, 3, 28, 1, 30), end=utc(2026, 3, 28, 4))
    response = post_bulk_edit(office, [8001], OCCASIONS, apply="1", move_days="1")
    assert "There is no 02:30 on" in parse_page(response).get_text()
    assert Occasion.objects.get(pk=8001).start == utc(2026, 3, 28, 1, 30)


@pytest.mark.parametrize(
    ("start", "days", "minutes"),
    [(utc(2199, 12, 31, 23), 0, 60), (utc(2199, 12, 31, 9), 1, 0), (utc(1900, 1, 1, 23), -2, 0)],
)
def test_what_would_be_out_of_our_time_is_refused(
    office: Client, start: Any, days: int, minutes: int
) -> None:
    Occasion.objects.filter(event=JAZZ).update(start=start, end=start.replace(minute=59))
    before = read_rows()
    response = post_bulk_edit(office, [JAZZ], apply="1", move_days=str(days), move_minutes=str(minutes))
    assert "Check the year: it must be from 1900 to 2199." in parse_page(response).get_text()
    assert read_rows() == before


def test_who_may_not_change_events_is_not_asked(office: Client, anna: Any) -> None:
    anna.is_superuser = False
    anna.is_staff = True
    anna.save()
    assert office.post(EVENTS, build_post("change_events", [JAZZ])).status_code == 403
