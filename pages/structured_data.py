"""An occasion as schema.org's Event in JSON-LD, with the properties that Google requires
(https://developers.google.com/search/docs/appearance/structured-data/event).
"""

import json
import re
from typing import Any

from feeds.fact import NO
from feeds.facts import ACCESS, AGE, AUDIENCE, BOOKING, FREE, FULL, derive_free, find_tokens, group_tokens
from feeds.names import fold
from feeds.snapshot import Snapshot
from feeds.vocabulary import Event, Festival, LanguageCode, Occasion, Place, safe_url
from pages.details import find_area_day

VOCABULARY = "https://schema.org"
# The names that festivals give to types for which schema.org has an exact equivalent.
KINDS = {
    "MusicEvent": ("konsert", "konserter", "concert", "concerts"),
    "TheaterEvent": ("teater", "teaterföreställning", "theatre", "theater"),
    "ScreeningEvent": ("film", "filmvisning", "bio", "film screening", "screening"),
    "ExhibitionEvent": ("utställning", "utställningar", "exhibition", "exhibitions"),
    "ComedyEvent": ("standup", "stand-up", "ståuppkomik", "stand-up comedy"),
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names}
# A language tag (BCP 47), except `zxx`, no language.
LANGUAGE = re.compile(r"(?!zxx)[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
# `Storgatan 1, 123 45 Åsunda`
WITH_POSTCODE = re.compile(r"(?P<street>.+), ?(?P<postcode>\d{3} ?\d{2}) (?P<town>[^\d,]+)")
BY_OTHERS = 3
AVAILABILITY = {
    BOOKING.token("not-needed"): "InStock",
    BOOKING.token("needed"): "InStock",
    # Waiting list: no place is left at present.
    BOOKING.token("waiting-list"): "SoldOut",
    FULL: "SoldOut",
}
ESCAPES = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}


def write_json_ld(thing: dict[str, Any]) -> str:
    """Return JSON-LD in which no text can end the script element."""
    document = {"@context": VOCABULARY, **thing}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).translate(ESCAPES)


def build_event(snapshot: Snapshot, occasion: Occasion, language: LanguageCode) -> dict[str, Any]:
    event, programme = occasion.event, snapshot.programme
    site, festival, span = programme.site, programme.festival, programme.span(occasion)
    code = event.language.code if event.language else ""
    image = safe_url(event.image_url) or safe_url(festival.theme.logo_url)
    former = None if occasion.cancelled else occasion.previous_start
    status = "Cancelled" if occasion.cancelled else "Rescheduled" if former else "Scheduled"
    return _known(
        {
            "@type": _kind(event),
            "name": event.title,
            "description": event.intro.within(language) or event.description.within(language),
            "url": site.occasion_url(occasion.identity, language),
            "startDate": span.start.isoformat(),
            "endDate": span.end.isoformat(),
            "previousStartDate": former and site.time.local(former).isoformat(timespec="seconds"),
            "eventStatus": f"{VOCABULARY}/Event{status}",
            "eventAttendanceMode": _mode(occasion),
            "location": _locations(occasion, festival, language),
            "image": _images(event, image),
            "inLanguage": code if LANGUAGE.fullmatch(code) else None,
            "keywords": [each.name.within(language) for each in event.types] if event.further_types else None,
            "organizer": _organizer(snapshot, event, language),
            "offers": _offer(snapshot, occasion),
            "isAccessibleForFree": _is_for_free(snapshot, occasion),
            **_audience(occasion, language),
            "superEvent": _festival(snapshot, occasion, language),
        }
    )


def _images(event: Event, url: str) -> list[Any]:
    if url and url == event.image_url and event.image_alt:
        words = {"description": event.image_alt, "caption": event.image_caption}
        return [_known({"@type": "ImageObject", "url": url, "contentUrl": url, **words})]
    return [*filter(None, [url])]


def _known(properties: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in properties.items() if value not in (None, "", [])}


def _kind(event: Event) -> str:
    names = (fold(name) for each in event.types for name in (each.name.sv, each.name.en))
    return next((KIND_OF[name] for name in names if name in KIND_OF), "Event")


def _mode(occasion: Occasion) -> str | None:
    place, streamed = occasion.place, bool(_stream_url(occasion))
    if place is None and not streamed:
        return None
    online = place is None or place.location.online
    name = "Online" if online else "Mixed" if streamed else "Offline"
    return f"{VOCABULARY}/{name}EventAttendanceMode"


def _stream_url(occasion: Occasion) -> str:
    return safe_url(occasion.stream.url) if occasion.stream else ""


def _audience(occasion: Occasion, language: LanguageCode) -> dict[str, Any]:
    """Return the audience and the ages, if stated."""
    codes = group_tokens(occasion.facts)
    kinds = (AUDIENCE.label(each).within(language) for each in codes.get(AUDIENCE.name, ()))
    ages = "".join(codes.get(AGE.name, ()))
    first, _, last = ages.partition("-")
    limits = {"suggestedMinAge": first and int(first), "suggestedMaxAge": last and int(last)}
    audience = _known({"audienceType": ", ".join(kinds), **limits})
    stated = {"@type": "PeopleAudience", **audience} if audience else None
    return {"audience": stated, "typicalAgeRange": ages and f"{first or 0}-{last}"}


def _locations(occasion: Occasion, festival: Festival, language: LanguageCode) -> Any:
    place, event, stream_url = occasion.place, occasion.event, _stream_url(occasion)
    locations = []
    if place is not None and not place.location.online:
        location = place.location
        at = _place(place.full_name, location.address, event, festival)
        position = {"latitude": location.latitude, "longitude": location.longitude}
        geo = None if location.latitude is None else {"@type": "GeoCoordinates", **position}
        locations.append(at | _known({"geo": geo, "amenityFeature": _amenities(place, language)}))
    if place is None and not stream_url:
        # Its sub area, unless that is a theme or a series.
        area = event.sub_area if event.sub_area and event.sub_area.physical else event.area
        locations.append(_place(area.full_name, "", event, festival))
    if stream_url or (place is not None and place.location.online):
        name = place.full_name if place and place.location.online else ""
        url = stream_url or safe_url(event.external_url)
        locations.append(_known({"@type": "VirtualLocation", "name": name, "url": url}))
    return locations[0] if len(locations) == 1 else locations


def _place(name: str, address: str, event: Event, festival: Festival) -> dict[str, Any]:
    """Return a place, with its own address or else its area's."""
    of_area = (event.sub_area.address if event.sub_area else "") or event.area.address
    return _known({"@type": "Place", "name": name, "address": _address(address or of_area, festival)})


def _amenities(place: Place, language: LanguageCode) -> list[dict[str, Any]]:
    """Return the stated features of a place, present and absent ones."""
    known = group_tokens(find_tokens(place.stated)).get(ACCESS.name, ())
    return [
        {
            "@type": "LocationFeatureSpecification",
            "name": ACCESS.label(code.removeprefix(NO)).within(language),
            "value": not code.startswith(NO),
        }
        for code in known
    ]


def _address(text: str, festival: Festival) -> dict[str, str] | None:
    """Return an address in parts, completed with the festival's town and country."""
    street, postcode, town = text, "", festival.town
    if found := WITH_POSTCODE.fullmatch(text):
        street, postcode, town = found["street"], found["postcode"], found["town"]
    elif town and fold(text).endswith(f", {fold(town)}"):
        street = text.rpartition(",")[0]
    parts = {"streetAddress": street.strip(), "postalCode": postcode}
    parts |= {"addressLocality": town.strip(), "addressCountry": festival.country}
    return {"@type": "PostalAddress", **_known(parts)} if any(parts.values()) else None


def _organizer(snapshot: Snapshot, event: Event, language: LanguageCode) -> dict[str, Any] | None:
    """Return the organizer, by default the festival, unless the event is produced by others."""
    if event.organizer is None and event.production == BY_OTHERS:
        return None
    name, url = snapshot.programme.festival.name.within(language), _website(snapshot)
    if event.organizer:
        name, url = event.organizer.name, event.organizer.external_url
    return _known({"@type": "Organization", "name": name, "url": safe_url(url)}) if name else None


def _offer(snapshot: Snapshot, occasion: Occasion) -> dict[str, Any] | None:
    """Return the offer if there is a price or a ticket link; None if cancelled or past."""
    event = occasion.event
    if occasion.cancelled or occasion.end <= snapshot.now:
        return None
    tickets, opens = safe_url(event.ticket_url) or safe_url(occasion.booking_url), occasion.booking_from
    # A free event without tickets cannot be sold out.
    is_open = not tickets and _is_for_free(snapshot, occasion)
    stated = [AVAILABILITY[each] for each in occasion.facts if each in AVAILABILITY]
    available = stated or ["InStock"] * bool(is_open)
    begins = snapshot.programme.site.time.local(opens).isoformat() if opens else ""
    availability = f"{VOCABULARY}/{available[0]}" if available else ""
    booking = {"url": tickets, "validFrom": begins, "availability": availability}
    offer = _known({**_cost(snapshot, occasion), **booking})
    return {"@type": "Offer", **offer} if offer else None


def _cost(snapshot: Snapshot, occasion: Occasion) -> dict[str, str]:
    price = occasion.event.price
    if not _is_for_free(snapshot, occasion):
        # Free admission within an area that charges one is not free.
        price = "" if is_free(price) else price
    elif not is_free(price):
        price = "0 kr"
    known = parse_price(price, snapshot.programme.site.time.zone_name)
    return dict(zip(("price", "priceCurrency"), known or (), strict=False))


def _is_for_free(snapshot: Snapshot, occasion: Occasion) -> bool | None:
    event = occasion.event
    if stated := next((each for each in FREE.codes if FREE.token(each) in occasion.facts), ""):
        return stated == "true"
    if not is_free(event.price):
        return False if parse_price(event.price, snapshot.programme.site.time.zone_name) else None
    entered = find_area_day(snapshot, occasion)
    of_area = (event.area.price, entered.price_info if entered else "")
    return all(map(is_free, filter(None, of_area))) or None


def _festival(snapshot: Snapshot, occasion: Occasion, language: LanguageCode) -> dict[str, Any] | None:
    programme = snapshot.programme
    festival, local = programme.festival, programme.site.time.local
    name = programme.find_title(language)
    if not name:
        return None
    begins, ends = programme.find_years(occasion)
    town = {"@type": "Place", "name": festival.town, "address": _address("", festival)}
    logo = safe_url(festival.theme.logo_url)
    return _known(
        {
            "@type": "Festival",
            "name": name,
            "description": festival.subtitle.within(language),
            "url": _website(snapshot),
            "startDate": local(begins).isoformat(timespec="seconds"),
            "endDate": local(ends).isoformat(timespec="seconds"),
            "location": town if festival.town else None,
            "image": [logo] if logo else None,
        }
    )


def _website(snapshot: Snapshot) -> str:
    return safe_url(snapshot.programme.festival.website) or snapshot.programme.site.base_url


# --- Amounts in prices, which are free text -----------------------------------------------------

AMOUNT = r"(?P<whole>\d{1,3}(?:[ \u00a0]\d{3})+|\d{1,6})(?:[,.](?P<part>\d{2}))?"
UNIT = "(?P<unit>kr|kronor|sek|:-|€|eur|euro)"
AFTER = re.compile(rf"{AMOUNT} ?{UNIT}[.!]?")
BEFORE = re.compile(rf"(?P<unit>sek|€|eur) ?{AMOUNT}[.!]?")
# Units that mean the same currency everywhere.
CURRENCIES = {"sek": "SEK", "€": "EUR", "eur": "EUR", "euro": "EUR"}
# Where kronor are Swedish: Denmark, Norway and Iceland have their own.
SWEDISH_ZONE = "Europe/Stockholm"


def is_free(text: str) -> bool:
    return derive_free(text) == "true"


def parse_price(text: str, zone_name: str) -> tuple[str, str] | None:
    """Return amount and currency, None without a single amount, or for kronor of an unknown country."""
    folded, local = fold(text), "SEK" if zone_name == SWEDISH_ZONE else ""
    found = AFTER.fullmatch(folded) or BEFORE.fullmatch(folded)
    currency = CURRENCIES.get(found["unit"], local) if found else local
    if currency and is_free(text):
        return "0", currency
    if not currency or not found:
        return None
    whole = int(re.sub(r"\D", "", found["whole"]))
    return f"{whole}.{found['part']}" if found["part"] else f"{whole}", currency
