"""An occasion as schema.org's Event, in JSON-LD: only what is known for certain.

Prices are free text, and of every price or ticket link of the event there is one offer:

* `price` and `priceCurrency`, always together, if the text is one amount, or means free (`pages.prices`);
* else `description`, the text as it is: several prices, conditions, or free in an area that costs something,
  whose prices are added;
* `url` where there is a ticket link, whatever is known of the price.

A cancelled or past occasion has no offer. Availability and ticket types are unknown, so they are left out.
"""

import json
import re
from typing import Any

from feeds.links import safe_url
from feeds.names import fold
from feeds.snapshot import Snapshot
from feeds.vocabulary import Event, LanguageCode, Occasion, Organizer, Place
from pages.details import find_area_day
from pages.prices import is_free, parse_price

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
# A language as BCP 47 has it; `zxx` is none.
LANGUAGE = re.compile(r"(?!zxx)[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
ESCAPES = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}


def render_json_ld(snapshot: Snapshot, occasion: Occasion, language: LanguageCode) -> str:
    """Return the JSON-LD of an occasion, in which no text can end the script element."""
    document = {"@context": VOCABULARY, **build_event(snapshot, occasion, language)}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).translate(ESCAPES)


def build_event(snapshot: Snapshot, occasion: Occasion, language: LanguageCode) -> dict[str, Any]:
    event, site = occasion.event, snapshot.programme.site
    span = snapshot.programme.span(occasion)
    code = event.language.code if event.language else ""
    image = safe_url(event.image_url)
    return _known(
        {
            "@type": _kind(event),
            "name": event.title,
            "description": event.intro.within(language) or event.description.within(language),
            "url": site.occasion_url(occasion.identity, language),
            "startDate": span.start.isoformat(),
            "endDate": span.end.isoformat(),
            "eventStatus": f"{VOCABULARY}/{'EventCancelled' if occasion.cancelled else 'EventScheduled'}",
            "eventAttendanceMode": _mode(occasion),
            "location": _locations(occasion),
            "image": [image] if image else None,
            "inLanguage": code if LANGUAGE.fullmatch(code) else None,
            "organizer": _organizer(event.organizer) if event.organizer else None,
            "offers": _offer(snapshot, occasion),
            "isAccessibleForFree": _is_for_free(snapshot, occasion),
            "superEvent": _festival(snapshot, language),
        }
    )


def _known(properties: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in properties.items() if value not in (None, "", [])}


def _kind(event: Event) -> str:
    names = (fold(event.type.name.sv), fold(event.type.name.en))
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


def _locations(occasion: Occasion) -> Any:
    place, stream_url = occasion.place, _stream_url(occasion)
    locations = []
    if place is not None and not place.location.online:
        locations.append(_place(place))
    if place is None and not stream_url:
        locations.append(_area(occasion.event))
    if stream_url or (place is not None and place.location.online):
        name = place.full_name if place and place.location.online else ""
        url = stream_url or safe_url(occasion.event.external_url)
        locations.append(_known({"@type": "VirtualLocation", "name": name, "url": url}))
    return locations[0] if len(locations) == 1 else locations


def _area(event: Event) -> dict[str, Any]:
    """Return the area as the place of an event without a location."""
    area = event.sub_area or event.area
    return _known({"@type": "Place", "name": area.full_name, "address": area.address or event.area.address})


def _place(place: Place) -> dict[str, Any]:
    address = place.location.address
    return _known({"@type": "Place", "name": place.full_name, "address": address})


def _organizer(organizer: Organizer) -> dict[str, Any]:
    return _known({"@type": "Organization", "name": organizer.name, "url": safe_url(organizer.external_url)})


def _offer(snapshot: Snapshot, occasion: Occasion) -> dict[str, Any] | None:
    event = occasion.event
    if occasion.cancelled or occasion.end <= snapshot.now:
        return None
    offer = _known({**_cost(snapshot, occasion), "url": safe_url(event.ticket_url)})
    return {"@type": "Offer", **offer} if offer else None


def _cost(snapshot: Snapshot, occasion: Occasion) -> dict[str, str]:
    event = occasion.event
    if is_free(event.price) and not _is_for_free(snapshot, occasion):
        # Visitors pay for the area.
        paid = "; ".join(_prices_of_area(snapshot, occasion))
        return {"description": f"{event.price}; {event.area.full_name}: {paid}"}
    known = parse_price(event.price, snapshot.programme.site.time.zone_name)
    return {"price": known.amount, "priceCurrency": known.currency} if known else {"description": event.price}


def _is_for_free(snapshot: Snapshot, occasion: Occasion) -> bool | None:
    event = occasion.event
    if not is_free(event.price):
        return False if parse_price(event.price, snapshot.programme.site.time.zone_name) else None
    return True if all(map(is_free, _prices_of_area(snapshot, occasion))) else None


def _prices_of_area(snapshot: Snapshot, occasion: Occasion) -> list[str]:
    entered = find_area_day(snapshot, occasion)
    return list(filter(None, (occasion.event.area.price, entered.price_info if entered else "")))


def _festival(snapshot: Snapshot, language: LanguageCode) -> dict[str, Any] | None:
    festival = snapshot.programme.festival
    name = festival.name.within(language)
    url = safe_url(festival.website) or snapshot.programme.site.base_url
    return {"@type": "Festival", "name": name, "url": url} if name else None
