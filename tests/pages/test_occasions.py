"""The page of an occasion: texts and addresses from outside, and links to what is around it."""

import re

import pytest

from programme import models
from tests.pages.reading import facts, links, opened, text, texts
from tests.programmes import ABROAD, BARE, JAZZ, MARATHON, NIGHT

pytestmark = pytest.mark.usefixtures("sample", "at")

EN = "https://program.example/en/occasion/8001"
# --- Texts and addresses from outside ---------------------------------------------------------------


HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>&amp;{{ festival }}'


def test_texts_cannot_become_markup(client):
    models.Event.objects.filter(id=JAZZ).update(
        title=HOSTILE, intro_sv=HOSTILE, description_sv=HOSTILE, price=HOSTILE, image_caption=HOSTILE,
        change_info=HOSTILE,
    )  # fmt: skip
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
        intro_sv="Se www.a.se.", description_sv="Ett\ntvå.\n\nhttps://b.se/?c&d", change_info="Mejla a@b.se"
    )
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


# --- Addresses -----------------------------------------------------------------------------------------


def test_a_template_for_occasion_urls_is_what_the_page_calls_canonical(client, settings):
    settings.OCCASION_URL_SV = "https://kulturnatten.example/{event_id}?tid={id}"
    page = opened(client, "/en/occasion/8001")
    assert page.xpath("//link[@rel='canonical']/@href") == [EN]
    own = "https://kulturnatten.example/7001?tid=8001"
    alternates = page.xpath("//link[@rel='alternate' and @hreflang]")
    assert [(each.get("hreflang"), each.get("href")) for each in alternates] == [
        *(("sv", own), ("x-default", own), ("en", EN)),
    ]
    assert links(page, "//a[@class='twin']") == [("Svenska", "/tillfalle/8001")]
    swedish = opened(client, "/tillfalle/8001")
    assert swedish.xpath("//link[@rel='canonical']/@href") == [own]


def test_every_event_leads_to_each_of_its_other_occasions(client):
    every = {
        event.id: set(event.occasions.values_list("id", flat=True))
        for event in models.Event.objects.filter(id__in=[JAZZ, NIGHT, ABROAD, MARATHON, BARE])
    }
    for occasions in every.values():
        for occasion_id in occasions:
            page = opened(client, f"/tillfalle/{occasion_id}")
            paths = {f"/tillfalle/{other}" for other in occasions - {occasion_id}}
            assert {href for _, href in links(page, "//ol[@class='occasions']//a")} == paths


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
