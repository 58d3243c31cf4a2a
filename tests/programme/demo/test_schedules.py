"""The demo's conference schedules are valid by the schemas of the C3VOC."""

import pytest
from django.test import Client

from tests.conftest import SetClock
from tests.programme import schedule_selections
from tests.programme.demo.created import NOON


@pytest.mark.usefixtures("stored_demo")
def test_schedules_of_the_demo_are_valid_with_ten_filters(client: Client, at: SetClock) -> None:
    at(NOON)
    filters = schedule_selections.find_filters(client.get("/api/events.json").json())
    counts = schedule_selections.validate_public(client, filters)
    # Every filter but the last finds something, and all but the first leave something out.
    xml, json = counts.values()
    assert xml == json
    assert (len(xml), xml.count(0), xml.count(max(xml))) == (10, 1, 1)
