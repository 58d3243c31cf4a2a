"""What SimplePie, and so WordPress, makes of our RSS: the short form of `make consumers`."""

from typing import Any

import html5lib
import pytest
from django.test import Client

from programme import models
from tests.consumers.feed_readers import read_with_simplepie
from tests.programmes import JAZZ

pytestmark = pytest.mark.usefixtures("sample", "at")

AWKWARD = 'a<b und <b>tags</b> &amp; mehr, 1 < 2 & 3 ]]> "c\'t"'


def test_what_comes_next_stands_first(client: Client) -> None:
    items = read_with_simplepie(client.get("/api/events.rss-wp?date=upcoming").content)
    upcoming: list[dict[str, Any]] = client.get("/api/events?date=upcoming").json()
    starts = {
        each["occation"]["url"]["sv"]: (each["occation"]["date"], each["occation"]["startTime"])
        for each in upcoming
    }
    # What starts at the same minute has the same date, and stands in any order.
    assert [starts[each["id"]] for each in items] == list(starts.values())


@pytest.mark.parametrize("extension", ["rss", "rss-wp", "atom"])
def test_texts_arrive_whole(client: Client, extension: str) -> None:
    models.Event.objects.filter(id=JAZZ).update(title=AWKWARD, intro_sv=AWKWARD, description_sv=AWKWARD)
    (item,) = read_with_simplepie(client.get(f"/api/occations/8001.{extension}").content)
    shown = {name: "".join(html5lib.parseFragment(item[name]).itertext()) for name in item if name != "date"}
    assert shown["title"].endswith(AWKWARD)
    assert shown["description"] == AWKWARD
    # Title apart: introduction and description.
    assert shown["content"].count(AWKWARD) == 2
