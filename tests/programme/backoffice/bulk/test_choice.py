"""Which occasions are chosen: by area, place, type, festival day and hours."""

from typing import Any

import pytest
from django.test import Client

from tests import programmes
from tests.programme.backoffice.bulk.pages import ADDRESS, read_errors, read_rows
from tests.programme.backoffice.requests import parse

pytestmark = pytest.mark.usefixtures("at", "sample")

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
def test_occasions_are_found(office: Client, chosen: dict[str, Any], found: list[int]) -> None:
    assert find(office, **chosen) == found


def test_the_night_belongs_to_the_festival_day_before(office: Client, settings: Any) -> None:
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    assert find(office, day="2025-07-28") == [8011]
    assert find(office, day="2025-07-28", starts_from="00:00") == [8011]
    assert find(office, day="2025-07-28", starts_before="00:30") == []
    assert find(office, starts_from="23", starts_before="01", area=programmes.TORGET) == [8011, 8012]


def test_today_is_proposed_and_nothing_is_chosen_yet(office: Client) -> None:
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
def test_what_is_not_understood_chooses_nothing_and_is_said(
    office: Client, chosen: dict[str, Any], error: str
) -> None:
    page = office.get(ADDRESS, chosen)
    assert read_errors(page) == [error]
    assert read_rows(page) == {}


def test_nothing_found_is_said(office: Client) -> None:
    page = parse(office.get(ADDRESS, {"day": TODAY, "place": "r6002"}))
    assert page.select_one("[role=status]").get_text() == "No occasion is like that."
