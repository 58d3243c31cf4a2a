"""What an occasion's page says of its time, of changes, languages and places, and of what is around it."""

import re
from datetime import datetime, timedelta

import pytest

from feeds.vocabulary import Text
from programme import models
from programme.publishing.current import current
from tests.pages.reading import Element, facts, links, notices, opened, text, texts
from tests.programmes import CLOCKS, JAZZ, mark_changed, utc

pytestmark = pytest.mark.usefixtures("sample", "at")


def test_the_date_is_the_calendar_s_where_days_begin_later(client, settings):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    page = opened(client, "/tillfalle/8007")
    assert text(page.xpath("//p[@class='when']")[0]) == "sön 29 mar 01:30–03:30, Magasinet; kaj 3, port B"
    assert "Tid" not in facts(page)


@pytest.mark.parametrize(
    ("hours", "said_of_it"),
    [
        ({"opens": "10:00", "closes": "23:30"}, ["10:00–23:30", "Premiär"]),
        ({"opens": "10:00", "closes": None}, ["från 10:00", "Premiär"]),
        ({"opens": None, "closes": "23:30"}, ["till 23:30", "Premiär"]),
        ({"opens": None, "closes": None}, None),
    ],
)
def test_the_areas_opening_hours_are_shown_as_far_as_they_are_known(client, hours, said_of_it):
    models.AreaDay.objects.update(**hours)
    assert facts(opened(client, "/tillfalle/8001")).get("Området öppet den dagen") == said_of_it


def test_an_only_occasion_cancelled_alone_does_not_speak_of_others(client):
    models.Occasion.objects.filter(id=8004).update(cancelled=True)
    page = opened(client, "/tillfalle/8004")
    assert notices(page) == ["Inställt. Det blir inte av."]


THIS_MORNING, NO_NOTE = utc(2026, 7, 29, 6), Text()


def tell(key: int, note: Text = NO_NOTE, instant: datetime = THIS_MORNING, **former: object) -> None:
    models.News.objects.filter(occasion_id=key).delete()
    mark_changed(models.Occasion.objects.filter(id=key), note, instant, former)


def at(instant: datetime) -> dict[str, str]:
    return {"start": instant.isoformat()}


ELSEWHERE = {"location": 5001, "place": "Stora scenen"}


def test_a_change_without_a_note_says_that_there_is_one(client):
    tell(8009)
    page = opened(client, "/en/occasion/8009")
    changed = "Changed Wednesday 29 July 2026, 08:00: The details have changed."
    assert notices(page)[1] == (changed, {"datetime": ["2026-07-29T08:00:00+02:00"]})


def test_an_occasion_that_changed_alone_says_so_and_the_others_do_not(client):
    tell(8015, Text("Ny sal"))
    changed = ("Ändrat onsdag 29 juli 2026 kl. 08:00: Ny sal", {"datetime": ["2026-07-29T08:00:00+02:00"]})
    assert notices(opened(client, "/tillfalle/8015")) == [changed]
    assert notices(opened(client, "/tillfalle/8016")) == []


def test_what_was_moved_says_from_when_before_the_note(client):
    tell(8015, Text("Åska"), **at(utc(2026, 7, 29, 13)))
    page, mark = opened(client, "/tillfalle/8015"), "Flyttad från 15:00"
    assert [words for words, _moment in notices(page)] == [
        "Ändrat onsdag 29 juli 2026 kl. 08:00: Flyttad från 15:00. Åska"
    ]
    assert page.xpath("string(//meta[@property='og:description']/@content)").startswith(f"{mark}. ")
    assert texts(opened(client, "/?during=2026-07-29"), "//li[@data-o='8015']/strong") == [mark]
    embedded = texts(opened(client, "/lista?during=2026-07-29"), "//p[a[contains(@href, '8015')]]/em")
    assert embedded == ["Ändrat: Flyttad från 15:00. Åska"]


def list_news(page):
    return [(each.text, each.get("lang")) for each in page.xpath("//p[contains(@class,'changed')]/bdi")]


def test_a_note_has_the_language_of_the_page_or_says_which_one_it_has(client):
    tell(8015, Text("Åska", "Thunder"), **ELSEWHERE)
    tell(8016, Text(en="Thunder"), **ELSEWHERE)
    assert list_news(opened(client, "/tillfalle/8015")) == [("Flyttad från Stora scenen. Åska", None)]
    assert list_news(opened(client, "/en/occasion/8015")) == [("Moved from Stora scenen. Thunder", None)]
    parts = [("Flyttad från Stora scenen.", None), ("Thunder", "en")]
    assert list_news(opened(client, "/tillfalle/8016")) == parts
    embedded = opened(client, "/lista?during=2026-07-01/2026-12-31").xpath(
        "//p[a[contains(@href, '8016')]]/em/bdi"
    )
    assert [(each.text, each.get("lang")) for each in embedded] == parts
    # Later among the details.
    models.News.objects.filter(occasion_id=8016).update(told_at=utc(2026, 7, 20))
    values = opened(client, "/tillfalle/8016").xpath("//div[dt='Ändrat']/dd")
    assert [(each.text.strip(), each.get("lang")) for each in values][1:] == parts


def languages(page: Element) -> dict[str, str]:
    """Return the texts that say what language they are in, by it."""
    return {text(each): each.get("lang") for each in page.xpath("//main//*[@lang]")}


@pytest.mark.parametrize(
    ("code", "said_of_it"),
    [
        ("fi", ["fi"]),
        ("en-GB", ["en-GB"]),
        ("zh-Hant", ["zh-Hant"]),
        ("zh-Hant-TW", ["zh-Hant-TW"]),
        # The page's own language need not be said again.
        ("sv", []),
        # No title is written in these: without words, in sign language, of an import's own making.
        ("zxx", []),
        ("sgn", []),
        ("de-formal", []),
        ("sv, en", []),
    ],
)
def test_the_title_says_its_language_where_the_code_is_one_of_writing(client, code, said_of_it):
    models.Language.objects.filter(events=JAZZ).update(code=code)
    assert opened(client, "/tillfalle/8001").xpath("//h1/@lang") == said_of_it


def test_the_title_of_an_event_without_language_says_none(client):
    models.Event.objects.filter(id=JAZZ).update(language=None)
    assert opened(client, "/en/occasion/8001").xpath("//h1/@lang") == []


@pytest.mark.parametrize(
    ("source", "name"),
    list(enumerate(["", " (YouTube)", " (Vimeo)", " (Twitch)", " (Facebook)", " (SVT Play)"])),
)
def test_a_stream_names_its_source(client, source, name):
    models.Stream.objects.filter(id=9003).update(source=source)
    assert facts(opened(client, "/tillfalle/8001"))["Sänds på nätet"] == [
        (f"Direkt{name}", {"href": ["https://video.example/direkt"]})
    ]


@pytest.mark.parametrize(
    ("minute", "state", "is_to_come"),
    [(-1, None, True), (0, "Pågår nu", True), (59, "Pågår nu", True), (60, "Har varit", False)],
)
def test_it_shows_whether_it_is_on_now_or_over(client, at, minute, state, is_to_come):
    at(utc(2026, 7, 29, 14) + timedelta(minutes=minute))
    page = opened(client, "/tillfalle/8001")
    assert texts(page, "//li[@class='state']") == ([state] if state else [])
    # What is over is nothing to buy a ticket for, or to write into a calendar.
    assert bool(page.xpath("//p[@class='tickets']")) is is_to_come
    assert bool(page.xpath("//details[@class='calendars']")) is is_to_come


def test_a_cancelled_occasion_is_neither_on_nor_over_and_has_no_calendar_links(client, at):
    at(utc(2026, 8, 1, 14, 30))
    page = opened(client, "/tillfalle/8003")
    assert page.xpath("//li[@class='state']|//p[@class='tickets']|//details[@class='calendars']") == []


def test_the_same_place_is_the_same_location_on_the_same_festival_day(client, at):
    at(utc(2026, 7, 29, 4))
    page = opened(client, "/tillfalle/8010")
    assert page.xpath("//section[@class='nearby']") == []
    models.Occasion.objects.filter(id=8014).update(location_id=5002, room_id=None)
    # PostgreSQL moves the revision once in each transaction, and a test is one.
    current.clear()
    nearby = "//section[@class='nearby']//a"
    assert [href for _, href in links(opened(client, "/tillfalle/8005"), nearby)] == ["/tillfalle/8014"]
    assert [href for _, href in links(opened(client, "/tillfalle/8014"), nearby)] == [
        "/tillfalle/8006",
        "/tillfalle/8005",
    ]
    # What has begun is not to come.
    at(models.Occasion.objects.get(id=8006).start)
    assert [href for _, href in links(opened(client, "/tillfalle/8014"), nearby)] == ["/tillfalle/8005"]


def test_a_busy_place_shows_the_occasions_nearest_in_time(client, at):
    at(utc(2026, 7, 29, 3))
    for number in range(20):
        start = utc(2026, 7, 29, 4) + timedelta(hours=number // 2, minutes=number % 2)
        models.Occasion.objects.create(
            id=9000 + number, event_id=CLOCKS, location_id=5002, start=start, end=start + timedelta(minutes=9)
        )
    paths = opened(client, "/tillfalle/8005").xpath("//section[@class='nearby']//a/@href")
    # From four hours before to the last, of which that of 13:01 is 59 minutes before.
    assert paths == [f"/tillfalle/{9000 + number}" for number in range(8, 20)]


def test_what_is_free_has_no_ticket_hours(client):
    for free in ("false", "true"):
        models.Event.objects.filter(id=JAZZ).update(free=free)
        current.clear()
        said = facts(opened(client, "/tillfalle/8001"))
        assert ("Biljettförsäljning den dagen" in said) is (free == "false")


def test_facts_are_words_with_links_to_their_filters(client):
    models.Event.objects.filter(id=JAZZ).update(audience="children seniors", age="6-12", free="true")
    models.Occasion.objects.filter(id=8002).update(
        booking="needed", booking_url="https://boka.example/", booking_from=utc(2026, 7, 30, 8),
        access="sign-language no-captions strobe-light",
    )  # fmt: skip
    models.Location.objects.filter(id=5001).update(access="step-free no-hearing-loop")
    page = opened(client, "/tillfalle/8002")
    said = facts(page)
    assert [said.get(each) for each in ("För", "Ålder", "Fri entré", "Bokning")] == [
        [("Barn", {"href": ["/?audience=children"]}), ("Seniorer", {"href": ["/?audience=seniors"]})],
        ["6–12 år"],
        [("Fri entré", {"href": ["/?free=true"]})],
        [("Behövs", {"href": ["/?booking=needed"]})],
    ]
    # The interface's flag has words of its own.
    assert said["Tillgänglighet i korthet"] == [
        ("Stegfritt: ja", {"href": ["/?access=step-free"]}),
        *("Hörslinga: nej", "Textat: nej", "Stroboskop: ja"),
    ]
    assert texts(page, "//ul[@class='marks']/li") == ["Höjdpunkt", "För barn · Fri entré · Teckenspråk"]
    assert links(page, "//p[@class='tickets']/a")[0] == (
        "Boka från tor 30 jul 10:00",
        "https://boka.example/",
    )


def test_what_a_price_says_is_not_said_again(client):
    models.Event.objects.filter(id=JAZZ).update(price="Gratis")
    assert {*facts(opened(client, "/tillfalle/8001"))} & {"Pris", "Fri entré"} == {"Pris"}


def test_a_full_occasion_says_so_wherever_it_is_shown(client):
    models.Occasion.objects.filter(event=JAZZ).update(booking_url="https://boka.example/")
    models.Occasion.objects.filter(id=8002).update(booking="full")
    page = opened(client, "/en/occasion/8002")
    assert texts(page, "//ul[@class='marks']/li")[0] == "Full"
    assert "Book" not in texts(page, "//p[@class='tickets']/a")
    shown = texts(opened(client, "/en/occasion/8001"), "//ol[@class='occasions']/li")
    assert [each for each in shown if "Full" in each] == ["tomorrow 16:00–17:00 Full Biblioteket, Källaren"]
    rows = {"/?during=2026-07-30": "//ol", "/plats/5001": "//ul", "/mitt-program?occation=8002": "//*"}
    for path, element in rows.items():
        marks = opened(client, path).xpath(f"{element}/li[@data-o='8002']/strong[@class='mark full']")
        assert [text(each) for each in marks] == ["Fullt"]
    assert texts(opened(client, "/?during=2026-07-30&view=grid"), "//strong[@class='mark full']") == ["Fullt"]
    assert texts(opened(client, "/lista?during=2026-07-30"), "//p[strong]/em")[-1] == "Fullt"
    # What is cancelled has no places to ask for.
    models.Occasion.objects.filter(id=8002).update(cancelled=True)
    assert opened(client, "/?during=2026-07-30").xpath("//strong[@class='mark full']") == []


EN = "https://program.example/en/occasion/8001"

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>&amp;{{ festival }}'


def test_texts_cannot_become_markup(client):
    models.Event.objects.filter(id=JAZZ).update(
        title=HOSTILE, intro_sv=HOSTILE, description_sv=HOSTILE, price=HOSTILE, image_caption=HOSTILE,
    )  # fmt: skip
    tell(8001, Text(HOSTILE))
    page = opened(client, "/tillfalle/8001")
    assert [dict(each.attrib) for each in page.xpath("//script[not(@src)]")] == [
        {"type": "application/ld+json"}
    ]
    assert [each.get("src") for each in page.xpath("//img")] == ["https://bilder.example/jazz.jpg"]
    assert {
        *texts(page, "//h1|//figcaption|//div[@class='intro']/p|//div[@class='description']/p"),
        *facts(page)["Pris"],
    } == {HOSTILE}
    assert page.xpath("string(//meta[@name='description']/@content)") == HOSTILE


def test_addresses_in_texts_are_links_and_paragraphs_stay(client):
    models.Event.objects.filter(id=JAZZ).update(
        intro_sv="Se www.a.se.", description_sv="Ett\ntvå.\n\nhttps://b.se/?c&d"
    )
    tell(8001, Text("Mejla a@b.se"))
    models.Organizer.objects.update(info_sv="Läs på www.c.se!")
    page = opened(client, "/tillfalle/8001")
    assert [
        each.get("href") for each in page.xpath("//main//a[@rel='noopener']")
    ] == ["mailto:a@b.se", "https://www.a.se", "https://b.se/?c&d", "https://www.c.se"]  # fmt: skip
    described = page.xpath("//div[@class='description']/p")
    assert [text(each) for each in described] == ["Ett\ntvå.", "https://b.se/?c&d"]
    assert len(described[0].xpath("br")) == 1


def test_what_is_no_web_address_is_no_link(client):
    """Imported rows pass no form, so their addresses may be anything."""
    address = "javascript:alert(1)"
    models.Event.objects.filter(id=JAZZ).update(external_url=address, ticket_url=address, image_url=address)
    models.Organizer.objects.update(external_url=address)
    models.Area.objects.update(external_url=address, ticket_url=address)
    models.SubArea.objects.update(external_url=address)
    models.Stream.objects.update(url=address)
    page = opened(client, "/tillfalle/8001")
    assert page.xpath("//figure") == []
    assert page.xpath("//article//a[@rel='external']") == []
    assert [href for _, href in links(page) if href.startswith("javascript")] == []
    assert facts(page)["Sänds på nätet"] == ["Direkt (SVT Play)"]


def test_a_template_for_occasion_urls_is_what_the_page_calls_canonical(client, settings):
    settings.OCCASION_URL_SV = "https://kulturnatten.example/{event_id}?tid={id}"
    page = opened(client, "/en/occasion/8001")
    assert page.xpath("//link[@rel='canonical']/@href") == [EN]
    own = "https://kulturnatten.example/7001?tid=8001"
    alternates = page.xpath("//link[@rel='alternate' and @hreflang]")
    assert [(each.get("hreflang"), each.get("href")) for each in alternates] == [
        *(("sv", own), ("x-default", own), ("en", EN))
    ]
    assert links(page, "//a[@class='twin']") == [("Svenska", "/tillfalle/8001")]
    swedish = opened(client, "/tillfalle/8001")
    assert swedish.xpath("//link[@rel='canonical']/@href") == [own]


@pytest.mark.parametrize(
    ("focus", "rules"),
    [
        ((50, 50), []),
        ((0, 100), [".focused{object-position:0% 100%}"]),
        ((50, 51), [".focused{object-position:50% 51%}"]),
    ],
)
def test_the_focus_of_an_image_is_set_unless_it_is_the_middle(client, focus, rules):
    models.Event.objects.filter(id=JAZZ).update(image_focus_x=focus[0], image_focus_y=focus[1])
    page = opened(client, "/tillfalle/8001")
    assert page.xpath("//figure/img/@class") == ["focused"] * len(rules)
    assert re.findall(r"\.focused\{[^}]*\}", page.xpath("string(//style)")) == rules
