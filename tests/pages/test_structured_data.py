"""An occasion in schema.org's words: valid by its vocabulary, and nothing claimed that is not known."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.programme import Programme
from feeds.snapshot import Snapshot
from feeds.vocabulary import Occasion, Text, Theme
from pages.structured_data import build_event, is_free, parse_price, write_json_ld
from programme import models
from tests.conftest import NOW
from tests.feeds.strategies import programmes
from tests.pages.reading import opened
from tests.pages.schema_org import loaded
from tests.programmes import utc


@pytest.fixture
def snapshot(sample_programme: Programme) -> Snapshot:
    return Snapshot(sample_programme, NOW)


@pytest.fixture
def complete(sample_programme: Programme) -> Snapshot:
    """The sample of a festival that states where it is and has a logo."""
    theme = Theme(logo_url="https://program.example/media/logo.png")
    festival = replace(sample_programme.festival, town="Åsunda", country="SE", theme=theme)
    return Snapshot(replace(sample_programme, festival=festival), NOW)


def of(snapshot: Snapshot, number: int, written_in: str = "sv", **event: Any) -> dict[str, Any]:
    """Return an occasion of the sample, with something of its event exchanged."""
    occasion = snapshot.programme.by_id[number]
    return build_event(snapshot, replace(occasion, event=replace(occasion.event, **event)), written_in)


@pytest.mark.parametrize(
    ("number", "instant", "is_offered"),
    [(8001, utc(2026, 7, 29, 14, 59), True), (8001, utc(2026, 7, 29, 15), False), (8003, NOW, False)],
    ids=["goes on", "over", "cancelled"],
)
def test_an_occasion_that_nobody_can_attend_has_no_offer(sample_programme, number, instant, is_offered):
    data = of(Snapshot(sample_programme, instant), number, price="100 kr", ticket_url="https://t.example/")
    assert ("offers" in data) == is_offered


def test_each_end_has_the_offset_of_its_moment(snapshot):
    data = of(snapshot, 8008)
    assert (data["startDate"], data["endDate"]) == ("2026-10-25T01:30:00+02:00", "2026-10-25T03:30:00+01:00")


@pytest.mark.parametrize(
    ("number", "mode", "places"),
    [
        (8002, "Offline", ["Place"]),
        (8001, "Mixed", ["Place", "VirtualLocation"]),
        (8005, "Online", ["VirtualLocation"]),
        # In its area, as nearly as is known.
        (8011, None, ["Place"]),
    ],
)
def test_it_says_where_people_attend(snapshot, number, mode, places):
    data = of(snapshot, number)
    held = data.get("location", [])
    assert data.get("eventAttendanceMode") == (
        f"https://schema.org/{mode}EventAttendanceMode" if mode else None
    )
    assert [each["@type"] for each in (held if isinstance(held, list) else [held])] == places


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (Text("Konsert", "Concert"), "MusicEvent"),
        (Text("", "THEATRE"), "TheaterEvent"),
        (Text("Utställning"), "ExhibitionEvent"),
        # A kind among others, and schema.org's DanceEvent is a social dance.
        (Text("Konsert och samtal"), "Event"),
        (Text("Dans", "Dance"), "Event"),
    ],
)
def test_only_a_type_that_means_just_that_becomes_one_of_schema_org(snapshot, name, kind):
    event_type = replace(snapshot.programme.by_id[8001].event.type, name=name)
    assert of(snapshot, 8001, type=event_type)["@type"] == kind


AVAILABLE = {"availability": "https://schema.org/InStock"}
FREE, SUM = {"price": "0", "priceCurrency": "SEK"}, {"price": "120", "priceCurrency": "SEK"}


@pytest.mark.parametrize(
    ("price", "area", "offer", "is_free"),
    [
        ("Fri entré", "", FREE, True),
        ("Fri entré", "Gratis", FREE, True),
        ("0,00 kr", "", FREE, True),
        ("120 kr", "", SUM, False),
        ("120 kr", "100 kr", SUM, False),
        ("12 €", "", {"price": "12", "priceCurrency": "EUR"}, False),
        # Who comes pays for the area.
        ("Fri entré", "100 kr", {}, None),
        ("0 kr", "100 kr", {}, None),
        ("Pris vid dörren", "", {}, None),
        ("120 kr, barn 60 kr", "Gratis", {}, None),
        # The area's price is not the event's.
        ("", "100 kr", {}, None),
        ("", "", {}, None),
    ],
)
@pytest.mark.parametrize("url", ["", "https://biljetter.example/"])
def test_an_amount_and_a_ticket_link_are_an_offer(snapshot, price, area, offer, is_free, url):  # noqa: PLR0917
    own = replace(snapshot.programme.by_id[8002].event.area, price=area, ticket_url="", days=())
    data = of(snapshot, 8002, price=price, ticket_url=url, area=own)
    # What is free and not booked cannot be sold out.
    expected = offer | ({"url": url} if url else AVAILABLE if is_free else {})
    assert data.get("offers") == ({"@type": "Offer", **expected} if expected else None)
    assert data.get("isAccessibleForFree") is is_free
    assert list(loaded.vocabulary.faults(data)) == []


def test_what_is_stated_to_be_free_is_free_in_a_paid_area_too(snapshot):
    occasion = snapshot.programme.by_id[8001]
    for price in ("Gratis", "Insamling", ""):
        event = replace(occasion.event, price=price, ticket_url="")
        stated = build_event(snapshot, replace(occasion, event=event, facts=("free:true",)), "sv")
        assert stated["isAccessibleForFree"] is True
        # The office that sells tickets to the area has nothing to do with it.
        assert stated["offers"] == {"@type": "Offer", **FREE, **AVAILABLE}


@pytest.mark.parametrize("code", ["zxx", "sv, en", "", "Swedish!"])
def test_an_invalid_language_code_is_left_out(snapshot, code):
    language = replace(snapshot.programme.by_id[8001].event.language, code=code)
    assert "inLanguage" not in of(snapshot, 8001, language=language)


# --- What Google requires and recommends ------------------------------------------------------------------


def test_what_is_moved_has_its_former_start_unless_it_is_cancelled(snapshot):
    occasion = replace(snapshot.programme.by_id[8001], previous_start=utc(2026, 7, 28, 14))
    moved = build_event(snapshot, occasion, "sv")
    assert moved["eventStatus"] == "https://schema.org/EventRescheduled"
    assert moved["previousStartDate"] == "2026-07-28T16:00:00+02:00"
    cancelled = build_event(snapshot, replace(occasion, cancelled=True), "sv")
    assert cancelled["eventStatus"] == "https://schema.org/EventCancelled"
    assert "previousStartDate" not in cancelled


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("Storgatan 1", ("Storgatan 1", None, "Åsunda")),
        ("Storgatan 1, åsunda", ("Storgatan 1", None, "Åsunda")),
        ("Storgatan 1, 123 45 Åsunda", ("Storgatan 1", "123 45", "Åsunda")),
        ("Gamla bruket, Bruksvägen 9, 12345 Ånäs", ("Gamla bruket, Bruksvägen 9", "12345", "Ånäs")),
        ("Vid stranden, mot Ånäs", ("Vid stranden, mot Ånäs", None, "Åsunda")),
        # The area's.
        ("", ("Torggatan 1", None, "Åsunda")),
    ],
)
def test_an_address_is_in_its_parts(complete, address, parts):
    occasion = complete.programme.by_id[8002]
    location = replace(occasion.place.location, address=address)
    moved = replace(occasion, place=replace(occasion.place, location=location))
    area = replace(occasion.event, sub_area=None)
    found = build_event(complete, replace(moved, event=area), "sv")["location"]["address"]
    assert (found["@type"], found["addressCountry"]) == ("PostalAddress", "SE")
    assert tuple(map(found.get, ("streetAddress", "postalCode", "addressLocality"))) == parts


def test_a_place_has_its_coordinates(complete):
    occasion = complete.programme.by_id[8002]
    location = replace(occasion.place.location, latitude=57.70887, longitude=11.97456)
    moved = replace(occasion, place=replace(occasion.place, location=location))
    assert build_event(complete, moved, "sv")["location"]["geo"] == {
        "@type": "GeoCoordinates",
        "latitude": 57.70887,
        "longitude": 11.97456,
    }
    assert "geo" not in build_event(complete, occasion, "sv")["location"]


@pytest.mark.usefixtures("at", "sample")
@pytest.mark.parametrize(("physical", "name"), [(False, r"Parken; norr, söder & \mitt"), (True, "Scenen")])
def test_without_a_location_it_is_in_its_sub_area_unless_that_is_a_theme(client, physical, name):
    models.SubArea.objects.update(physical=physical)
    models.Occasion.objects.update(location=None, room=None)
    page = opened(client, "/tillfalle/8005")
    found = json.loads(page.xpath("string(//script[@type='application/ld+json'])"))
    assert found["location"]["name"] == name


def test_others_are_not_called_the_organizer(complete):
    assert complete.programme.by_id[8005].event.organizer is None
    assert "organizer" not in of(complete, 8005)
    assert of(complete, 8005, production=0)["organizer"]["name"] == "Kulturnatten i Åsunda"


# developers.google.com/search/docs/appearance/structured-data/event, as of 2026: required, then recommended, and
# when we leave out what is recommended: where nothing is known.
REQUIRED = ["name", "startDate", "location", "location.address"]
LOCATED = ["location.name", "location.address.addressLocality", "location.address.addressCountry"]
ALWAYS = ["endDate", "eventStatus", "image", *LOCATED, "location.address.streetAddress"]
WHERE_KNOWN = {
    "description": lambda each: each.event.intro != Text() or each.event.description != Text(),
    "organizer.name": lambda each: each.event.organizer or each.event.production != 3,
    "offers": lambda each: (
        not each.cancelled
        and each.end > NOW
        and (parse_price(each.event.price, STOCKHOLM) or each.event.ticket_url)
    ),
}


def find(thing: Any, path: str) -> Any:
    name, _, rest = path.partition(".")
    if isinstance(thing, list):
        # A place, beside a stream of it.
        thing = next(each for each in thing if each["@type"] == "Place")
    value = thing.get(name)
    return find(value, rest) if rest and value else value


@pytest.mark.parametrize("language", ["sv", "en"])
def test_every_occasion_with_a_place_has_what_google_requires_and_recommends(complete, language):
    checked = 0
    for occasion in complete.programme.occasions:
        data = build_event(complete, occasion, language)
        if occasion.place and occasion.place.location.online:
            continue
        checked += 1
        known = [path for path, is_known in WHERE_KNOWN.items() if is_known(occasion)]
        assert [path for path in (*REQUIRED, *ALWAYS, *known) if not find(data, path)] == []
        festival = [*REQUIRED, "endDate", "image", *LOCATED]
        assert [path for path in festival if not find(data["superEvent"], path)] == []
        assert list(loaded.vocabulary.faults(data)) == []
    assert checked == 13


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (("audience:children", "audience:seniors", "age:6-12"), {
            "audience": {"@type": "PeopleAudience", "audienceType": "children, seniors", "suggestedMinAge": 6, "suggestedMaxAge": 12},
            "typicalAgeRange": "6-12",
        }),
        (("age:18-",), {"audience": {"@type": "PeopleAudience", "suggestedMinAge": 18}, "typicalAgeRange": "18-"}),
        (("age:-5",), {"audience": {"@type": "PeopleAudience", "suggestedMaxAge": 5}, "typicalAgeRange": "0-5"}),
        (("free:true",), {"isAccessibleForFree": True, "offers": FREE | AVAILABLE}),
        (("free:false",), {"isAccessibleForFree": False}),
        (("booking:full",), {"offers": {"availability": "https://schema.org/SoldOut"}}),
        (("booking:waiting-list",), {"offers": {"availability": "https://schema.org/SoldOut"}}),
        (("booking:needed", "free:true"), {"isAccessibleForFree": True, "offers": FREE | AVAILABLE}),
    ],
)  # fmt: skip
def test_facts_are_in_the_words_of_schema_org(snapshot, facts, expected):
    occasion = snapshot.programme.by_id[8014]
    bare = build_event(snapshot, replace(occasion, facts=()), "en")
    data = build_event(snapshot, replace(occasion, facts=facts), "en")
    if "offers" in expected:
        expected["offers"] |= {"@type": "Offer"}
    assert {name: value for name, value in data.items() if bare.get(name) != value} == expected
    assert list(loaded.vocabulary.faults(data)) == []


def test_booking_has_its_address_and_beginning(snapshot):
    occasion = replace(
        snapshot.programme.by_id[8014],
        facts=("booking:needed",),
        booking_url="https://boka.example/",
        booking_from=utc(2026, 7, 30, 8),
    )
    assert build_event(snapshot, occasion, "sv")["offers"] == {
        "@type": "Offer",
        "url": "https://boka.example/",
        "validFrom": "2026-07-30T10:00:00+02:00",
        "availability": "https://schema.org/InStock",
    }


def test_a_place_has_what_it_is_known_to_have_and_not_to(snapshot):
    occasion = snapshot.programme.by_id[8001]
    place = replace(
        occasion.place,
        location=replace(occasion.place.location, stated=("step-free loud",)),
        room=replace(occasion.place.room, stated=("no-step-free accessible-toilet no-seats",)),
    )
    data = build_event(snapshot, replace(occasion, place=place), "en")
    place = next(each for each in data["location"] if each["@type"] == "Place")
    assert [(each["name"], each["value"]) for each in place["amenityFeature"]] == [
        ("step-free", False),
        ("accessible toilet", True),
        ("seats", False),
    ]
    assert list(loaded.vocabulary.faults(data)) == []


# --- By schema.org's own vocabulary ---------------------------------------------------------------------


AMOUNTS = {"120 kr": "120", "1 450:-": "1450", "12 €": "12"}
prices = st.sampled_from(
    ["", "Gratis", "120 kr", "1 450:-", "12 €", "från 50 kr", '<b>\u2028"50 kr" & mer</b>']
)
addresses = st.sampled_from(["", "javascript:alert(1)", "https://x.example/?a=1&b=2", "x"])


@given(programmes(), prices, addresses, st.sampled_from(["sv", "en"]))
def test_whatever_is_entered_is_valid_and_stays_in_its_element(programme, price, address, language):
    snapshot = Snapshot(programme, NOW)
    for occasion in programme.occasions:
        event = replace(
            occasion.event, price=price, ticket_url=address, image_url=address, external_url=address
        )
        edited: Occasion = replace(occasion, event=event)
        written = write_json_ld(build_event(snapshot, edited, language))
        assert not set("<>&\u2028\u2029") & set(written)
        document = json.loads(written)
        assert document.pop("@context") == "https://schema.org"
        assert document == build_event(snapshot, edited, language)
        assert list(loaded.vocabulary.faults(document)) == []
        offer = document.get("offers", {})
        can_be_gone_to = not edited.cancelled and edited.end > NOW
        bookable = (
            edited.booking_url
            or edited.booking_from
            or any(each.startswith("booking") for each in edited.facts)
        )
        linked = address.startswith("https") or bookable
        assert can_be_gone_to or not offer
        assert "url" in offer or not (can_be_gone_to and address.startswith("https"))
        assert linked or bool(offer) == ("price" in offer)
        assert ("price" in offer) == ("priceCurrency" in offer)
        if can_be_gone_to and price in AMOUNTS and "free:true" not in edited.facts:
            assert offer["price"] == AMOUNTS[price]


# --- On the page ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("sample", "at")
def test_the_festival_is_what_it_is_part_of_even_without_a_website(client):
    models.Festival.objects.update(website="", saved_at=utc(2026, 7, 1))
    [held] = opened(client, "/tillfalle/8001").xpath("//script/text()")
    assert json.loads(held)["superEvent"]["url"] == "https://program.example"


# --- Prices in free text: read where they say one thing, and left alone where they might say another


STOCKHOLM = "Europe/Stockholm"


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("Fri entré", "0"),
        ("Gratis", "0"),
        ("120 kr", "120"),
        ("120:-", "120"),
        ("SEK 120", "120"),
        ("1 450 kr", "1450"),
        ("1\u00a0450 kr", "1450"),
        ("95,50 kr", "95.50"),
        ("0120 kr", "120"),
        ("0,00 kr", "0"),
    ],
)
def test_one_price_is_read(text, amount):
    assert parse_price(text, STOCKHOLM) == (amount, "SEK")


@pytest.mark.parametrize(
    "text",
    [
        *("", "120", "från 120 kr", "120 kr, barn 60 kr", "100-150 kr", "50 kr; barn 0 kr"),
        *("Gratis, ta med matta", "Fri entré, fika 25 kr", "Museientré 70 kr", "1.450 kr", "1 45 kr"),
        *("12 $", "12 kr/€", "gratis för barn"),
    ],
)
def test_what_might_mean_something_else_is_not_read(text):
    assert parse_price(text, STOCKHOLM) is None
    assert not is_free(text)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("120 kr", None),
        ("Gratis", None),
        ("0 kr", None),
        ("0 SEK", ("0", "SEK")),
        ("120 SEK", ("120", "SEK")),
    ],
)
def test_kronor_are_swedish_in_the_swedish_time_zone(text, known):
    assert parse_price(text, "Europe/Copenhagen") == known


@pytest.mark.parametrize("text", ["12 €", "12€", "€12", "12 EUR", "EUR 12", "12 euro"])
@pytest.mark.parametrize("zone_name", [STOCKHOLM, "Europe/Helsinki"])
def test_euros_are_euros_everywhere(text, zone_name):
    assert parse_price(text, zone_name) == ("12", "EUR")


@given(st.integers(1, 999_999))
def test_every_amount_is_what_it_says(amount):
    assert parse_price(f"{amount} kr", STOCKHOLM) == parse_price(
        f"{amount:,} kr".replace(",", " "), STOCKHOLM
    )
    assert parse_price(f"{amount} kr", STOCKHOLM) == (str(amount), "SEK")
