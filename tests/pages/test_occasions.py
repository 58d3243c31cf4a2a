"""The page of an occasion: every fact of it, in both languages."""

import re
from typing import Any

import pytest

from programme import models
from tests.pages.reading import TITLE, Element, facts, links, notices, opened, said, text, texts
from tests.programmes import ABROAD, BARE, JAZZ, MARATHON, NIGHT, utc

pytestmark = pytest.mark.usefixtures("sample", "at")

SV, EN = "https://program.example/tillfalle/8001", "https://program.example/en/occasion/8001"
START, END = "2026-07-29T16:00:00+02:00", "2026-07-29T17:00:00+02:00"
PUBLISHED, MODIFIED = "2026-06-01T09:00:00+02:00", "2026-07-28T14:03:12+02:00"
IMAGE = {
    "src": "https://bilder.example/jazz.jpg",
    "alt": "Bild: Åsa",
    "decoding": "async",
    "referrerpolicy": "no-referrer",
}
AREA = "https://angtorget.example/?a=1&b=2"
IN_AREA = "/?area=%C3%85ngtorget"
TICKETS = "https://biljetter.example/jazz?a=1&b=2"
AREA_TICKETS = "https://biljetter.example/angtorget"


def everything(page: Element) -> dict[str, Any]:
    """What a page says, part by part."""
    return {
        "language": page.get("lang"),
        "title": text(page.find("head/title")),
        "summary": page.xpath("string(//meta[@name='description']/@content)"),
        "canonical": page.xpath("string(//link[@rel='canonical']/@href)"),
        "alternates": [
            (each.get("hreflang"), each.get("href"))
            for each in page.xpath("//link[@rel='alternate' and @hreflang]")
        ],
        "twin": links(page, "//a[@class='twin']"),
        "kicker": links(page, "//p[@class='kicker']/a"),
        "when": said(page.xpath("//main/article/header/p[@class='when']")[0]),
        "headings": texts(page, "//h1|//h2"),
        "marks": texts(page, "//ul[@class='marks']/li"),
        "notices": notices(page),
        "intro": [said(each) for each in page.xpath("//div[@class='intro']/p")],
        "description": [said(each) for each in page.xpath("//div[@class='description']/p")],
        "images": [dict(each.attrib) for each in page.xpath("//figure/img")],
        "captions": texts(page, "//figure/figcaption"),
        "facts": facts(page),
        "tickets": links(page, "//p[@class='tickets']/a"),
        "calendars": texts(page, "//details[@class='calendars']//li/a"),
        "others": others(page),
        "nearby": [
            (*links(each)[0], text(each.find("p"))) for each in page.xpath("//section[@class='nearby']//li")
        ],
        "onward": links(page, "//p[@class='onward']/a"),
    }


def others(page: Element) -> list[Any]:
    return [said(each) for each in page.xpath("//ol[@class='occasions']/li")]


def test_an_occasion_is_shown_in_swedish_with_all_its_facts(client):
    assert everything(opened(client, "/tillfalle/8001")) == {
        "language": "sv",
        "title": f"{TITLE}, onsdag 29 juli 2026 kl. 16:00 – Kulturnatten i Åsunda",
        "summary": "Kom, kom; kom! Ta med <i>alla</i> & [url=x]en[/url] vän \\ fiende ]]>",
        "canonical": SV,
        "alternates": [("sv", SV), ("x-default", SV), ("en", EN)],
        "twin": [("English", "/en/occasion/8001")],
        "kicker": [("Ångtorget", IN_AREA), ("Konsert", "/?type=4001")],
        "when": ("idag 16:00–17:00, Biblioteket, Sal 2", {"datetime": [START]}),
        "headings": [TITLE, "När och var", "Fler tillfällen", "Samma plats, samma dag", "Mer om tillfället"],
        "marks": ["Framhävt i programmet", "Teckenspråkstolkat"],
        "notices": [
            (
                'Ändrat tisdag 28 juli 2026 kl. 08:00: Ny sal: "Sal 2" <nu>',
                {"datetime": ["2026-07-28T08:00:00+02:00"]},
            )
        ],
        "intro": ["Kom, kom; kom!\nTa med <i>alla</i> & [url=x]en[/url] vän \\ fiende ]]>"],
        "description": ["Först.", "Sedan [i]mer[/i] & <p>mer</p>."],
        "images": [IMAGE],
        "captions": ["Bild: Åsa"],
        "facts": {
            "Tid": [("onsdag 29 juli 2026 kl. 16:00–17:00", {"datetime": [START, END]})],
            "Festivaldag": ["Premiär"],
            "Plats": ["Biblioteket"],
            "Lokal": ["Sal 2"],
            "Våning": ["2 tr"],
            "Adress": ["Storgatan 1, Åsunda"],
            "Närmaste hållplats": ["Stortorget"],
            "Tillgänglighet": ["Ramp till vänster"],
            "Tillgänglighet i lokalen": ["Hörslinga"],
            "Område": [
                ("Stora Ångtorget", {"href": [IN_AREA]}),
                "Ångtorget 1, Torggatan 1, Åsunda",
                "Mitt i stan.",
                ("Webbplats", {"href": [AREA]}),
            ],
            "Delområde": [
                ("Scenen på Ångtorget", {"href": [f"{IN_AREA}&subarea=Scenen"]}),
                "Scenen, Torggatan 2",
                "Under tak.",
                ("Webbplats", {"href": ["https://scenen.example/"]}),
            ],
            "Typ": [("Konsert", {"href": ["/?type=4001"]})],
            "Språk": ["svenska"],
            "Tolkning": ["Teckenspråkstolkat"],
            "Arrangör": [
                ("Föreningen Jazz", {"href": ["/?organizer=3001"]}),
                "Jazz sedan 1957.",
                ("Webbplats", {"href": ["https://jazz.example/"]}),
            ],
            "Produktion": ["tillsammans med andra"],
            "Sänds på nätet": [("Direkt (SVT Play)", {"href": ["https://video.example/direkt"]})],
            "Läs mer": [("https://jazz.example/fest", {"href": ["https://jazz.example/fest"]})],
            "Pris": ["50 kr; barn 0 kr"],
            "Området öppet den dagen": ["10:00–03:00"],
            "Biljettförsäljning den dagen": ["09:30–18:00"],
            "Pris i området": ["100 kr, barn gratis", "Fri entré före 12"],
            "Biljetter till området": [("Köp biljett", {"href": [AREA_TICKETS]})],
            "Publicerat": [("måndag 1 juni 2026 kl. 09:00", {"datetime": [PUBLISHED]})],
            "Senast uppdaterat": [("tisdag 28 juli 2026 kl. 14:03", {"datetime": [MODIFIED]})],
        },
        "tickets": [("Köp biljett", TICKETS)],
        "calendars": [
            *("Kalenderfil (.ics)", "Google Kalender", "Outlook.com", "Outlook, arbete och skola"),
        ],
        "nearby": [
            ("När klockan ställs om", "/tillfalle/8014", "16:00–17:00 Biblioteket, Sal 2"),
        ],
        "onward": [("Hela dagen: Ångtorget", f"/?date=2026-07-29&{IN_AREA[2:]}")],
        "others": [
            (
                "imorgon 16:00–17:00 Biblioteket, Källaren",
                {"href": ["/tillfalle/8002"], "datetime": ["2026-07-30T16:00:00+02:00"]},
            ),
            (
                "lör 1 aug 16:00–17:00 Inställt Magasinet; kaj 3, port B, Övre, golvet",
                {"href": ["/tillfalle/8003"], "datetime": ["2026-08-01T16:00:00+02:00"]},
            ),
        ],
    }


def test_an_occasion_is_shown_in_english(client):
    shown = everything(opened(client, "/en/occasion/8001"))
    terms = shown.pop("facts")
    assert list(terms) == [
        *("Time", "Festival day", "Location", "Room", "Floor", "Address", "Nearest public transport"),
        *(
            "Streamed online",
            "Language",
            "Interpretation",
            "Price",
            "Accessibility",
            "Accessibility of the room",
        ),
        *("Area", "Sub area", "Type", "Organizer", "Production", "Read more", "Area open that day"),
        *("Ticket sales that day", "Price in the area", "Tickets for the area", "Published", "Last updated"),
    ]
    assert terms["Time"] == [("Wednesday 29 July 2026, 16:00–17:00", {"datetime": [START, END]})]
    assert terms["Sub area"][2] == ("Under tak.", {"lang": ["sv"]})
    assert terms["Type"] == [("Concert", {"href": ["/en/?type=4001"]})]
    named = ("Accessibility", "Language", "Interpretation", "Production")
    assert [terms[each] for each in named] == [
        *(["Ramp on the left"], ["Swedish"], ["Sign language interpreted"], ["together with others"]),
    ]
    swedish = everything(opened(client, "/tillfalle/8001"))
    del swedish["facts"]
    assert shown == swedish | {
        "language": "en",
        "title": f"{TITLE}, Wednesday 29 July 2026, 16:00 – Åsunda Culture Night",
        "summary": 'Come, come; "come"! Bring a friend.',
        "canonical": EN,
        "twin": [("Svenska", "/tillfalle/8001")],
        "kicker": [("Ångtorget", f"/en{IN_AREA}"), ("Concert", "/en/?type=4001")],
        "when": ("today 16:00–17:00, Biblioteket, Sal 2", {"datetime": [START]}),
        "headings": [
            *(TITLE, "When and where", "Other occasions", "Same place, same day", "More about this occasion"),
        ],
        "marks": ["Highlighted in the programme", "Sign language interpreted"],
        "notices": [
            (
                'Changed Tuesday 28 July 2026, 08:00: Ny sal: "Sal 2" <nu>',
                {"datetime": ["2026-07-28T08:00:00+02:00"]},
            )
        ],
        "intro": ['Come, come; "come"!\nBring a friend.'],
        "description": ["First.\nThen more."],
        "tickets": [("Buy tickets", TICKETS)],
        "calendars": [
            *("Calendar file (.ics)", "Google Calendar", "Outlook.com", "Outlook for work and school"),
        ],
        "nearby": [("När klockan ställs om", "/en/occasion/8014", "16:00–17:00 Biblioteket, Sal 2")],
        "onward": [("The whole day: Ångtorget", f"/en/?date=2026-07-29&{IN_AREA[2:]}")],
        "others": [
            (
                "tomorrow 16:00–17:00 Biblioteket, Källaren",
                {"href": ["/en/occasion/8002"], "datetime": ["2026-07-30T16:00:00+02:00"]},
            ),
            (
                "Sat 1 Aug 16:00–17:00 Cancelled Magasinet; kaj 3, port B, Övre, golvet",
                {"href": ["/en/occasion/8003"], "datetime": ["2026-08-01T16:00:00+02:00"]},
            ),
        ],
    }


def test_an_occasion_of_a_bare_event_says_only_what_is_known(client):
    models.Area.objects.update(full_name="", info_sv="", info_en="", external_url="", price="", ticket_url="")
    models.Area.objects.update(location_name="", address="")
    models.Event.objects.filter(id=BARE).update(last_modified=utc(2026, 7, 20, 7))
    said_of_it = everything(opened(client, "/tillfalle/8012"))
    assert {part: found for part, found in said_of_it.items() if found} == {
        "language": "sv",
        "title": "Bara en titel, fredag 1 januari 2027 kl. 00:00 – Kulturnatten i Åsunda",
        "summary": "fredag 1 januari 2027 kl. 00:00–01:00",
        "canonical": "https://program.example/tillfalle/8012",
        "alternates": [
            ("sv", "https://program.example/tillfalle/8012"),
            ("x-default", "https://program.example/tillfalle/8012"),
            ("en", "https://program.example/en/occasion/8012"),
        ],
        "twin": [("English", "/en/occasion/8012")],
        "kicker": [("Ångtorget", IN_AREA), ("Övrigt, blandat", "/?type=4002")],
        "when": ("fre 1 jan 2027 00:00–01:00", {"datetime": ["2027-01-01T00:00:00+01:00"]}),
        "headings": ["Bara en titel", "När och var", "Fler tillfällen", "Mer om tillfället"],
        "facts": {
            "Tid": [
                (
                    "fredag 1 januari 2027 kl. 00:00–01:00",
                    {"datetime": ["2027-01-01T00:00:00+01:00", "2027-01-01T01:00:00+01:00"]},
                )
            ],
            "Område": [("Ångtorget", {"href": [IN_AREA]})],
            "Typ": [("Övrigt, blandat", {"href": ["/?type=4002"]})],
            "Publicerat": [
                ("torsdag 25 december 2025 kl. 00:30", {"datetime": ["2025-12-25T00:30:00+01:00"]})
            ],
            "Senast uppdaterat": [
                ("måndag 20 juli 2026 kl. 09:00", {"datetime": ["2026-07-20T09:00:00+02:00"]})
            ],
        },
        "calendars": [
            *("Kalenderfil (.ics)", "Google Kalender", "Outlook.com", "Outlook, arbete och skola"),
        ],
        "onward": [("Hela dagen: Ångtorget", f"/?date=2027-01-01&{IN_AREA[2:]}")],
        "others": [
            (
                "tis 29 jul 2025 00:30–02:00",
                {"href": ["/tillfalle/8011"], "datetime": ["2025-07-29T00:30:00+02:00"]},
            ),
            ("idag 16:00–17:00", {"href": ["/tillfalle/8015"], "datetime": [START]}),
            ("idag 16:00–17:00", {"href": ["/tillfalle/8016"], "datetime": [START]}),
            ("idag 16:00–18:00", {"href": ["/tillfalle/8013"], "datetime": [START]}),
        ],
    }


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
    assert [each.get("src") for each in page.xpath("//img")] == [IMAGE["src"]]
    assert {
        *texts(page, "//h1|//figcaption|//div[@class='intro']/p|//div[@class='description']/p"),
        *facts(page)["Pris"],
    } == {HOSTILE}
    assert page.xpath("string(//meta[@name='description']/@content)") == HOSTILE


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


def test_an_uploaded_image_is_shown_from_its_absolute_address(client):
    models.Event.objects.filter(id=JAZZ).update(image="events/jazz.jpg")
    page = opened(client, "/tillfalle/8001")
    assert page.xpath("//figure/img/@src") == ["https://program.example/media/events/jazz.jpg"]


# --- Addresses -----------------------------------------------------------------------------------------


def test_a_template_for_occasion_urls_is_what_the_page_calls_canonical(client, settings):
    settings.OCCASION_URL_SV = "https://kulturnatten.example/{event_id}?tid={id}"
    page = opened(client, "/en/occasion/8001")
    assert page.xpath("//link[@rel='canonical']/@href") == [EN]
    assert everything(page)["alternates"] == [
        ("sv", "https://kulturnatten.example/7001?tid=8001"),
        ("x-default", "https://kulturnatten.example/7001?tid=8001"),
        ("en", EN),
    ]
    assert everything(page)["twin"] == [("Svenska", "/tillfalle/8001")]
    swedish = opened(client, "/tillfalle/8001")
    assert swedish.xpath("//link[@rel='canonical']/@href") == ["https://kulturnatten.example/7001?tid=8001"]


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
