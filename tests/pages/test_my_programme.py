"""My programme: the occasions that an address names, with what clashes and what is gone."""

import pytest

from programme import models
from programme.publishing.current import current
from tests import news
from tests.conftest import NOW
from tests.pages.reading import opened, text, texts
from tests.programmes import utc

pytestmark = pytest.mark.usefixtures("sample", "at")

SHOWN = "//main//ol[@class='cards']/li/@data-o"


def notices(page):
    return texts(
        page, "//main/*[starts-with(@class, 'notice')][not(@hidden)]/descendant-or-self::*[self::p][1]"
    )


def test_its_canonical_address_does_not_depend_on_the_query(client):
    page = opened(client, "/mitt-program?occation=8002,8001&occation=8001&area=nowhere")
    assert page.xpath("string(//input[@id='address']/@value)") == (
        "https://program.example/mitt-program?occation=8001.8002"
    )
    assert page.xpath("string(//a[@class='twin']/@href)") == "/en/my-programme?occation=8001.8002"


def test_an_address_that_cannot_be_understood_is_not_the_whole_programme(client):
    page = opened(client, "/mitt-program?occation=all")
    assert page.xpath(SHOWN) == []
    assert page.xpath("//p[@role='alert']")


@pytest.mark.parametrize(
    "broken", ["8001,8002,", "8001.8002.abc", "8001%208002", "8001.8002%0A", "8001.x.8002"]
)
def test_of_a_broken_address_what_can_be_understood_is_shown(client, broken):
    page = opened(client, f"/mitt-program?occation={broken}")
    assert page.xpath(SHOWN) == ["8001", "8002"]
    assert bool(page.xpath("//p[@role='alert']")) == ("abc" in broken or "x" in broken)


@pytest.mark.parametrize("change", [{"end": "2026-07-29T20:00:01Z"}, {"cancelled": True}])
def test_long_and_cancelled_occasions_clash_with_nothing(client, change):
    models.Occasion.objects.filter(id=8013).update(**change)
    page = opened(client, "/mitt-program?occation=8001.8013")
    assert (notices(page), page.xpath("//p[@class='clash']")) == ([], [])


def test_what_follows_at_once_does_not_clash(client):
    ends = models.Occasion.objects.get(id=8001).end
    models.Occasion.objects.filter(id=8013).update(start=ends, end="2026-07-29T18:00:00Z")
    assert notices(opened(client, "/mitt-program?occation=8001.8013")) == []


def test_missing_occasions_are_counted_and_alternatives_shown(client):
    title = models.Occasion.objects.get(id=8002).event.title
    models.Occasion.objects.get(id=8002).delete()
    # One that is cancelled replaces nothing.
    page = opened(client, "/en/my-programme?occation=8001.8002.99")
    assert page.xpath("//div[@class='notice changed']//li/@data-o") == []
    models.Occasion.objects.filter(id=8003).update(cancelled=False)
    page = opened(client, "/en/my-programme?occation=8001.8002.99")
    assert text(page.xpath("//div[@class='notice changed']/p/strong")[0]) == (
        "2 events are no longer in the programme."
    )
    assert texts(page, "//div[@class='notice changed']/p/bdi") == [title]
    assert texts(page, "//div[@class='notice changed']/h3") == ["Saturday 1 August"]
    assert page.xpath("//div[@class='notice changed']//li/@data-o") == ["8003"]
    assert page.xpath("//h2[@class='day']/following-sibling::ol/li/@data-o") == ["8001"]


def test_of_what_is_over_nothing_clashes_and_no_other_time_is_offered(client, at):
    models.Occasion.objects.get(id=8002).delete()
    models.Occasion.objects.filter(id=8003).update(cancelled=False)
    page = opened(client, "/en/my-programme?occation=8001.8013.8002")
    assert page.xpath("//p[@class='clash']") != []
    at(models.Occasion.objects.get(id=8003).end)
    page = opened(client, "/en/my-programme?occation=8001.8013.8002")
    assert page.xpath("//p[@class='clash']") == []
    assert page.xpath("//div[@class='notice changed']//li/@data-o") == []


def test_what_was_told_is_there_by_name_and_from_what_to_what(client):
    held = news.build_state(NOW + 2 * news.HOUR)
    moved = news.build_state(NOW + 4 * news.HOUR) | news.LAWN
    news.write(1, "moved", held, moved, note_sv="Det väntas <regn>.")
    news.write(2, "withdrawn", held, {}, news.GONE)
    news.write(3, "cancelled", held, held | {"cancelled": True}, 8002)
    news.write(4, "new", {}, held)
    page = opened(client, f"/en/my-programme?occation=8001.{news.GONE}")
    title = models.Event.objects.get(id=7001).title
    assert texts(page, "//section[@id='told'][@hidden]//li[@hidden]") == [
        f"{title} Moved from Wed 29 Jul 16:00, Stora scenen to 18:00, Gräset Det väntas <regn>.",
        "Borttagen konsert Removed from the programme Wed 29 Jul 16:00, Stora scenen",
    ]
    # What is gone is named, and when and where it was.
    [text] = texts(page, "//div[@class='notice changed']/p/bdi")
    assert text == "Borttagen konsert, Wed 29 Jul 16:00, Stora scenen"


def test_only_the_empty_page_is_cached(client):
    client.get("/mitt-program")
    kept = current.at(NOW).responses.size
    for chosen in ("8001", "8001.8002", "1", "all"):
        client.get(f"/mitt-program?occation={chosen}")
    assert current.at(NOW).responses.size == kept


@pytest.mark.parametrize("path", ["/mitt-program?occation=8001.8002", "/?days=all", "/?date=2026-07-29", "/"])
def test_what_is_after_midnight_says_its_date(client, settings, path):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    models.Occasion.objects.filter(id=8002).update(start=utc(2026, 7, 29, 22, 15), end=utc(2026, 7, 29, 23))
    page = opened(client, path)
    # Below the heading of the day before.
    times = {each.get("data-o"): text(each.xpath(".//time")[0]) for each in page.xpath("//ol//li[@data-o]")}
    assert (times["8001"], times["8002"]) == ("16:00–17:00", "imorgon 00:15–01:00")
