"""What a day's page shows is in its calendar, its feeds and what other websites show of it."""

import re
from html import unescape

import pytest

from programme import models
from tests.pages.reading import opened
from tests.programmes import utc

pytestmark = pytest.mark.usefixtures("sample", "at")
# It began yesterday at 17:00 and ends in two days; another began last night and ended in it.
EXHIBITION, PARTY = 8013, 8016


@pytest.fixture(autouse=True)
def exhibition(sample):
    models.Occasion.objects.filter(id=EXHIBITION).update(start=utc(2026, 7, 28, 15), end=utc(2026, 7, 31, 10))
    models.Occasion.objects.filter(id=PARTY).update(start=utc(2026, 7, 28, 20), end=utc(2026, 7, 29, 1))


def find(client, path):
    page = client.get(unescape(path))
    return {int(each) for each in re.findall(r"/tillfalle/(\d+)", page.content.decode().replace("\r\n ", ""))}


@pytest.mark.parametrize(
    "day", ["date=today", "during=today", "date=2026-07-29", "date=tomorrow", "date=2026-07-31"]
)
@pytest.mark.parametrize("more", ["", "&after=12"])
def test_every_link_of_the_page_leads_to_what_it_shows(client, day, more):
    page = opened(client, f"/?{day}{more}")
    shown = {int(each) for each in page.xpath("//section[@aria-labelledby='day']//@data-o")}
    assert (EXHIBITION in shown, PARTY in shown) == (not (more and "31" in day), False)
    feeds = page.xpath(
        "//link[@rel='alternate'][@type='application/atom+xml' or @type='text/calendar']/@href"
    )
    programmes = [each for each in feeds if each.startswith("/api/events")]
    assert len(programmes) == 2
    for path in programmes:
        # What began before today and is over is not shown any more.
        assert find(client, path) - {8010} == shown, path
    [subscribe] = {*page.xpath("//a[@class='act']/@href")}
    calendar = opened(client, subscribe).xpath("string(//input[@id='ics']/@value)")
    assert find(client, calendar.partition("example")[2]) - {8010} == shown


@pytest.mark.parametrize("path", ["/lista", "/lista.html"])
def test_a_frame_and_a_fragment_list_it_with_its_days_under_the_day_that_is_asked_for(client, path):
    html = client.get(f"{path}?date=2026-07-30").content.decode()
    # After what begins on the day.
    assert re.findall(r'class="heading">(?:<time[^>]*>)?([^<]*)<', html) == ["torsdag 30 juli", "Pågår länge"]
    shown = re.search(rf'<strong class="times">([^<]*)</strong>\s*<a [^>]*href="[^"]*/{EXHIBITION}"', html)
    assert shown[1] == "igår 17:00–fre 31 jul 12:00"


def test_the_interface_s_own_date_finds_by_the_day_of_the_occasion(client):
    found = {each["occation"]["id"] for each in client.get("/api/events.json?date=2026-07-29").json()}
    assert EXHIBITION not in found
    assert {each["occation"]["id"] for each in client.get("/api/events.json?during=2026-07-29").json()} == {
        *found,
        *(EXHIBITION, 8010),
    }
