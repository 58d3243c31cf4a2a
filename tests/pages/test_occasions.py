"""The page of an occasion: every fact of it, in both languages."""

from typing import Any

import pytest

from programme import models
from tests.pages.reading import Element, facts, links, opened, said, text, texts
from tests.programmes import ABROAD, BARE, JAZZ, MARATHON, NIGHT, utc

pytestmark = pytest.mark.usefixtures("sample", "at")

TITLE = r"Jazz, blues & soul; allt på \New \n ]]> <b>fest</b> [b]nu[/b]"
SV, EN = "https://program.example/tillfalle/8001", "https://program.example/en/occasion/8001"
START, END = "2026-07-29T16:00:00+02:00", "2026-07-29T17:00:00+02:00"
PUBLISHED, MODIFIED = "2026-06-01T09:00:00+02:00", "2026-07-28T14:03:12+02:00"
IMAGE = {
    "src": "https://bilder.example/jazz.jpg",
    "alt": "",
    "loading": "lazy",
    "decoding": "async",
    "referrerpolicy": "no-referrer",
}
AREA = "https://angtorget.example/?a=1&b=2"
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
            (each.get("hreflang"), each.get("href")) for each in page.xpath("//link[@rel='alternate']")
        ],
        "site": links(page, "//body/header/a"),
        "when": said(page.xpath("//main/article/header/p[@class='when']")[0]),
        "headings": texts(page, "//h1|//h2"),
        "marks": texts(page, "//ul[@class='marks']/li"),
        "notices": notices(page),
        "intro": [said(each) for each in page.xpath("//div[@class='intro']/p")],
        "description": [said(each) for each in page.xpath("//div[@class='description']/p")],
        "images": [dict(each.attrib) for each in page.xpath("//figure/img")],
        "captions": texts(page, "//figure/figcaption"),
        "facts": facts(page),
        "others": others(page),
    }


def notices(page: Element) -> list[Any]:
    return [said(each) for each in page.xpath("//p[starts-with(@class, 'notice')]")]


def others(page: Element) -> list[Any]:
    return [said(each) for each in page.xpath("//ol/li")]


def test_an_occasion_is_shown_in_swedish_with_all_its_facts(client):
    assert everything(opened(client, "/tillfalle/8001")) == {
        "language": "sv",
        "title": f"{TITLE}, onsdag 29 juli 2026 kl. 16:00 – Kulturnatten i Åsunda",
        "summary": "Kom, kom; kom!\nTa med <i>alla</i> & [url=x]en[/url] vän \\ fiende ]]>",
        "canonical": SV,
        "alternates": [("sv", SV), ("en", EN)],
        "site": [("Kulturnatten i Åsunda", "/"), ("English", "/en/occasion/8001")],
        "when": ("idag 16:00–17:00, Biblioteket, Sal 2", {"datetime": [START]}),
        "headings": [TITLE, "Fakta", "Fler tillfällen"],
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
                ("Stora Ångtorget", {"href": [AREA]}),
                "Ångtorget 1, Torggatan 1, Åsunda",
                "Mitt i stan.",
            ],
            "Delområde": [
                ("Scenen på Ångtorget", {"href": ["https://scenen.example/"]}),
                "Scenen, Torggatan 2",
                "Under tak.",
            ],
            "Typ": ["Konsert"],
            "Språk": ["svenska"],
            "Arrangör": [("Föreningen Jazz", {"href": ["https://jazz.example/"]}), "Jazz sedan 1957."],
            "Produktion": ["tillsammans med andra"],
            "Sänds på nätet": [("Direkt (SVT Play)", {"href": ["https://video.example/direkt"]})],
            "Läs mer": [("https://jazz.example/fest", {"href": ["https://jazz.example/fest"]})],
            "Pris": ["50 kr; barn 0 kr"],
            "Biljetter": [("Köp biljett", {"href": [TICKETS]})],
            "Området öppet den dagen": ["10:00–03:00"],
            "Biljettförsäljning den dagen": ["09:30–18:00"],
            "Pris i området": ["100 kr, barn gratis", "Fri entré före 12"],
            "Biljetter till området": [("Köp biljett", {"href": [AREA_TICKETS]})],
            "Publicerat": [("måndag 1 juni 2026 kl. 09:00", {"datetime": [PUBLISHED]})],
            "Senast uppdaterat": [("tisdag 28 juli 2026 kl. 14:03", {"datetime": [MODIFIED]})],
        },
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


def test_an_occasion_is_shown_in_english_with_all_its_facts(client):
    assert everything(opened(client, "/en/occasion/8001")) == {
        "language": "en",
        "title": f"{TITLE}, Wednesday 29 July 2026, 16:00 – Åsunda Culture Night",
        "summary": 'Come, come; "come"!\nBring a friend.',
        "canonical": EN,
        "alternates": [("sv", SV), ("en", EN)],
        "site": [("Åsunda Culture Night", "/en/"), ("Svenska", "/tillfalle/8001")],
        "when": ("today 16:00–17:00, Biblioteket, Sal 2", {"datetime": [START]}),
        "headings": [TITLE, "Facts", "Other occasions"],
        "marks": ["Highlighted in the programme", "Sign language interpreted"],
        "notices": [
            (
                'Changed Tuesday 28 July 2026, 08:00: Ny sal: "Sal 2" <nu>',
                {"datetime": ["2026-07-28T08:00:00+02:00"]},
            )
        ],
        "intro": ['Come, come; "come"!\nBring a friend.'],
        "description": ["First.\nThen more."],
        "images": [IMAGE],
        "captions": ["Bild: Åsa"],
        "facts": {
            "Time": [("Wednesday 29 July 2026, 16:00–17:00", {"datetime": [START, END]})],
            "Festival day": ["Premiär"],
            "Location": ["Biblioteket"],
            "Room": ["Sal 2"],
            "Floor": ["2 tr"],
            "Address": ["Storgatan 1, Åsunda"],
            "Nearest public transport": ["Stortorget"],
            "Accessibility": ["Ramp on the left"],
            "Accessibility of the room": ["Induction loop"],
            "Area": [
                ("Stora Ångtorget", {"href": [AREA]}),
                "Ångtorget 1, Torggatan 1, Åsunda",
                "In the middle of town.",
            ],
            "Sub area": [
                ("Scenen på Ångtorget", {"href": ["https://scenen.example/"]}),
                "Scenen, Torggatan 2",
                ("Under tak.", {"lang": ["sv"]}),
            ],
            "Type": ["Concert"],
            "Language": ["Swedish"],
            "Organizer": [("Föreningen Jazz", {"href": ["https://jazz.example/"]}), "Jazz since 1957."],
            "Production": ["together with others"],
            "Streamed online": [("Direkt (SVT Play)", {"href": ["https://video.example/direkt"]})],
            "Read more": [("https://jazz.example/fest", {"href": ["https://jazz.example/fest"]})],
            "Price": ["50 kr; barn 0 kr"],
            "Tickets": [("Buy tickets", {"href": [TICKETS]})],
            "Area open that day": ["10:00–03:00"],
            "Ticket sales that day": ["09:30–18:00"],
            "Price in the area": ["100 kr, barn gratis", "Fri entré före 12"],
            "Tickets for the area": [("Buy tickets", {"href": [AREA_TICKETS]})],
            "Published": [("Monday 1 June 2026, 09:00", {"datetime": [PUBLISHED]})],
            "Last updated": [("Tuesday 28 July 2026, 14:03", {"datetime": [MODIFIED]})],
        },
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
    assert everything(opened(client, "/tillfalle/8012")) == {
        "language": "sv",
        "title": "Bara en titel, fredag 1 januari 2027 kl. 00:00 – Kulturnatten i Åsunda",
        "summary": "",
        "canonical": "https://program.example/tillfalle/8012",
        "alternates": [
            ("sv", "https://program.example/tillfalle/8012"),
            ("en", "https://program.example/en/occasion/8012"),
        ],
        "site": [("Kulturnatten i Åsunda", "/"), ("English", "/en/occasion/8012")],
        "when": ("fre 1 jan 2027 00:00–01:00", {"datetime": ["2027-01-01T00:00:00+01:00"]}),
        "headings": ["Bara en titel", "Fakta", "Fler tillfällen"],
        "marks": [],
        "notices": [],
        "intro": [],
        "description": [],
        "images": [],
        "captions": [],
        "facts": {
            "Tid": [
                (
                    "fredag 1 januari 2027 kl. 00:00–01:00",
                    {"datetime": ["2027-01-01T00:00:00+01:00", "2027-01-01T01:00:00+01:00"]},
                )
            ],
            "Område": ["Ångtorget"],
            "Typ": ["Övrigt, blandat"],
            "Publicerat": [
                ("torsdag 25 december 2025 kl. 00:30", {"datetime": ["2025-12-25T00:30:00+01:00"]})
            ],
            "Senast uppdaterat": [
                ("måndag 20 juli 2026 kl. 09:00", {"datetime": ["2026-07-20T09:00:00+02:00"]})
            ],
        },
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


# --- Time --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "spoken", "moments"),
    [
        (
            "/tillfalle/8004",
            "onsdag 29 juli 2026 kl. 22:00 till torsdag 30 juli 2026 kl. 03:00",
            ["2026-07-29T22:00:00+02:00", "2026-07-30T03:00:00+02:00"],
        ),
        (
            "/en/occasion/8009",
            "Friday 31 July 2026, 22:00 to Sunday 2 August 2026, 04:00",
            ["2026-07-31T22:00:00+02:00", "2026-08-02T04:00:00+02:00"],
        ),
        (
            "/tillfalle/8008",
            "söndag 25 oktober 2026 kl. 01:30–03:30",
            ["2026-10-25T01:30:00+02:00", "2026-10-25T03:30:00+01:00"],
        ),
    ],
    ids=["past midnight", "over several days", "when the clock goes back"],
)
def test_the_time_is_said_in_words_and_with_its_offsets(client, path, spoken, moments):
    times = next(iter(facts(opened(client, path)).values()))
    assert times == [(spoken, {"datetime": moments})]


def test_the_festival_day_is_the_evening_before_where_days_begin_later(client, settings):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    page = opened(client, "/tillfalle/8007")
    assert text(page.xpath("//p[@class='when']")[0]) == "lör 28 mar 01:30–03:30, Magasinet; kaj 3, port B"
    assert facts(page)["Tid"][0][0] == "söndag 29 mars 2026 kl. 01:30–03:30"
    assert facts(page)["Festivaldag"] == ["lördag 28 mars 2026"]


@pytest.mark.parametrize(
    ("hours", "said_of_it"),
    [
        ({"opens": "10:00", "closes": "23:30"}, ["10:00–23:30"]),
        ({"opens": "10:00", "closes": None}, ["från 10:00"]),
        ({"opens": None, "closes": "23:30"}, ["till 23:30"]),
        ({"opens": None, "closes": None}, None),
    ],
)
def test_the_areas_hours_are_said_as_far_as_they_are_known(client, hours, said_of_it):
    models.AreaDay.objects.update(**hours)
    assert facts(opened(client, "/tillfalle/8001")).get("Området öppet den dagen") == said_of_it


# --- Cancelled and changed -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "title", "notice"),
    [
        (
            "/tillfalle/8003",
            f"Inställt: {TITLE}, lördag 1 augusti 2026 kl. 16:00 – Kulturnatten i Åsunda",
            "Inställt. Det här tillfället är inställt."
            " Evenemangets andra tillfällen gäller om inget annat står.",
        ),
        (
            "/en/occasion/8003",
            f"Cancelled: {TITLE}, Saturday 1 August 2026, 16:00 – Åsunda Culture Night",
            "Cancelled. This occasion has been cancelled."
            " The event's other occasions stand unless they say otherwise.",
        ),
    ],
)
def test_an_occasion_cancelled_alone_says_so(client, path, title, notice):
    page = opened(client, path)
    assert text(page.find("head/title")) == title
    assert notices(page)[0] == notice


def test_an_only_occasion_cancelled_alone_does_not_speak_of_others(client):
    models.Occasion.objects.filter(id=8004).update(cancelled=True)
    page = opened(client, "/tillfalle/8004")
    assert notices(page) == ["Inställt. Det här tillfället är inställt."]


def test_an_occasion_of_a_cancelled_event_says_so_and_of_the_others_too(client):
    sv, en = opened(client, "/tillfalle/8009"), opened(client, "/en/occasion/8009")
    assert notices(sv) == ["Inställt. Hela evenemanget är inställt."]
    assert notices(en) == ["Cancelled. The whole event has been cancelled."]
    assert texts(sv, "//ol/li") == ["igår 12:00–12:00 Inställt Nätet"]


def test_a_change_without_a_note_says_that_there_is_one(client):
    models.Event.objects.filter(id=MARATHON).update(changed_at=utc(2026, 7, 29, 6))
    page = opened(client, "/en/occasion/8009")
    changed = "Changed Wednesday 29 July 2026, 08:00: The details have changed."
    assert notices(page)[1] == (changed, {"datetime": ["2026-07-29T08:00:00+02:00"]})


def test_a_change_that_is_no_news_any_more_is_one_of_the_facts(client):
    page = opened(client, "/tillfalle/8004")
    assert notices(page) == []
    assert facts(page)["Ändrat"] == [
        ("tisdag 28 juli 2026 kl. 02:00", {"datetime": ["2026-07-28T02:00:00+02:00"]}),
        "Ny tid",
    ]


# --- Languages and places --------------------------------------------------------------------------


def languages(page: Element) -> dict[str, str]:
    """Return the texts that say what language they are in, by it."""
    return {text(each): each.get("lang") for each in page.xpath("//main//*[@lang]")}


def test_a_text_missing_in_english_is_in_swedish_and_says_so(client):
    assert languages(opened(client, "/en/occasion/8004")) == {
        "Dikter från שלום till 世界.": "sv",
        "Till gryningen 🌅": "sv",
        "Övrigt, blandat": "sv",
    }
    assert languages(opened(client, "/tillfalle/8004")) == {}


def test_a_text_missing_in_swedish_is_in_english_and_says_so(client):
    assert languages(opened(client, "/tillfalle/8005")) == {
        "Only in English": "en",
        "Nothing in Swedish.": "en",
        "Really nothing.": "en",
    }


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


def test_an_online_location_says_so(client):
    assert facts(opened(client, "/tillfalle/8005"))["Plats"] == ["Nätet", "På nätet"]


@pytest.mark.parametrize(
    ("production", "said_of_it"),
    [(0, None), (1, ["av festivalen"]), (2, ["tillsammans med andra"]), (3, ["av andra"])],
)
def test_the_production_is_said_in_words(client, production, said_of_it):
    models.Event.objects.filter(id=JAZZ).update(production=production)
    assert facts(opened(client, "/tillfalle/8001")).get("Produktion") == said_of_it


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (0, "Direkt"),
        (1, "Direkt (YouTube)"),
        (2, "Direkt (Vimeo)"),
        (3, "Direkt (Twitch)"),
        (4, "Direkt (Facebook)"),
        (5, "Direkt (SVT Play)"),
    ],
)
def test_a_stream_names_its_source(client, source, name):
    models.Stream.objects.filter(id=9003).update(source=source)
    assert facts(opened(client, "/tillfalle/8001"))["Sänds på nätet"] == [
        (name, {"href": ["https://video.example/direkt"]})
    ]


# --- Texts and addresses from outside ---------------------------------------------------------------


HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>&amp;{{ festival }}'


def test_texts_cannot_become_markup(client):
    models.Event.objects.filter(id=JAZZ).update(
        title=HOSTILE, intro_sv=HOSTILE, description_sv=HOSTILE, price=HOSTILE, image_caption=HOSTILE,
        change_info=HOSTILE,
    )  # fmt: skip
    page = opened(client, "/tillfalle/8001")
    assert page.xpath("//script") == []
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
    assert links(page, "//article//dl//a") == []
    assert facts(page)["Arrangör"] == ["Föreningen Jazz", "Jazz sedan 1957."]


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
        ("en", EN),
    ]
    assert links(page, "//body/header/a")[1] == ("Svenska", "/tillfalle/8001")
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
            assert {href for _, href in links(page, "//ol//a")} == paths


@pytest.mark.parametrize(
    ("focus", "style"),
    [((50, 50), None), ((0, 100), "object-position: 0% 100%"), ((50, 51), "object-position: 50% 51%")],
)
def test_what_must_stay_of_an_image_is_said_where_it_is_not_its_middle(client, focus, style):
    models.Event.objects.filter(id=JAZZ).update(image_focus_x=focus[0], image_focus_y=focus[1])
    [image] = opened(client, "/tillfalle/8001").xpath("//figure/img")
    assert image.get("style") == style
