"""What a page weighs on a phone's network: all of it, compressed, and from nobody else."""

import brotli
import pytest
from django.contrib.staticfiles import finders

from programme import models
from programme.publishing.current import current
from tests.pages.reading import parse
from tests.programmes import JAZZ, utc

MOST = 60_000
DAY = "2026-08-15"


@pytest.fixture
def full_day(sample, at):
    """A day of 120 occasions, each an event of its own with a title and a place of its own."""
    jazz = models.Event.objects.get(id=JAZZ)
    location = models.Location.objects.get(id=5001)
    for number in range(120):
        event = models.Event.objects.create(
            title=f"Konsert {number}: {hash_words(number)}",
            area=jazz.area,
            type=jazz.type,
            organizer=jazz.organizer,
            status=models.Status.PUBLISHED,
        )
        start = utc(2026, 8, 15, 6 + number % 14, number % 60)
        models.Occasion.objects.create(
            event=event, start=start, end=start.replace(hour=21), location=location
        )
    current.clear()


def hash_words(number):
    """Words that repeat as little as titles do, so that they compress no better."""
    return " ".join(f"{number * factor % 99991:x}" for factor in (7919, 104729, 1299709))


def parts(page):
    """Return the addresses of what a browser fetches to show a page."""
    fetched = page.xpath("//link[@rel='stylesheet' or @rel='icon' or @rel='preload']/@href")
    return [*fetched, *page.xpath("//script/@src"), *page.xpath("//img/@src"), *page.xpath("//iframe/@src")]


def compressed(path):
    """Return the bytes of a static file as the production server has them ready (brotli, like whitenoise)."""
    with open(finders.find(path.removeprefix("/static/")), "rb") as file:  # noqa: PTH123
        return len(brotli.compress(file.read()))


@pytest.mark.parametrize("path", [f"/?date={DAY}", f"/en/?date={DAY}", f"/?date={DAY}&view=grid"])
def test_a_day_of_120_occasions_is_light_and_from_one_server(full_day, client, path):
    plain = client.get(path)
    page = parse(plain)
    assert len(page.xpath("//main//*[@data-o]")) >= 120
    fetched = parts(page)
    assert len(fetched) >= 3
    assert [each for each in fetched if not each.startswith("/static/")] == []
    sent = client.get(path, headers={"Accept-Encoding": "br"})
    assert sent["Content-Encoding"] == "br"
    weight = len(sent.content) + sum(map(compressed, fetched))
    assert weight <= MOST, weight


def test_the_script_is_small():
    assert compressed("/static/pages/pages.js") < 3 * 1024
