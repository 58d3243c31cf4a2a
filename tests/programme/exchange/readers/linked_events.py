"""Events, places and keywords as Linked Events writes them, for tests to import."""

from typing import Any

API = "https://api.fest.example/v1"
PARK = {
    "id": "tprek:7",
    "@id": f"{API}/place/tprek:7/",
    "@type": "Place",
    "name": {"fi": "Puisto", "sv": "Parken", "en": "The park"},
    "street_address": {"fi": "Puistotie 1", "sv": "Parkvägen 1"},
    "address_locality": {"fi": "Helsinki", "sv": "Helsingfors"},
    "position": {"type": "Point", "coordinates": [24.9, 60.2]},
}
MUSIC = {
    "id": "yso:p1808",
    "@id": f"{API}/keyword/yso:p1808/",
    "@type": "Keyword",
    "name": {"fi": "musiikki", "sv": "musik"},
}
CHILDREN = {
    "id": "yso:p4354",
    "@id": f"{API}/keyword/yso:p4354/",
    "@type": "Keyword",
    "name": {"fi": "lapset (ikäryhmät)", "sv": "barn (åldersgrupper)"},
}
JAZZ: dict[str, Any] = {
    "id": "fest:jazz", "@id": f"{API}/event/fest:jazz/", "@type": "Event/LinkedEvent",
    "data_source": "fest", "name": {"fi": "Jatsia", "sv": "Jazz i parken", "en": "Jazz in the park"},
    "short_description": {"sv": "Fyra timmar.", "en": "Four hours."},
    "description": {"sv": "<p>Fyra timmar.</p><p>Med <b>kaffe</b>.</p>", "en": "<p>With coffee.</p>"},
    "location_extra_info": {"sv": "Vid dammen"}, "location": {"@id": PARK["@id"]},
    "keywords": [{"@id": f"{API}/keyword/unknown/"}, {"@id": MUSIC["@id"]}],
    "provider": {"sv": "Parkbolaget"}, "in_language": [{"@id": f"{API}/language/sv/"}],
    "offers": [{"is_free": False, "price": {"sv": "5–15 €"}, "info_url": {"sv": "https://tickets.example/jazz"}}],
    "images": [{"url": "https://fest.example/jazz.jpg", "alt_text": {"sv": "En saxofon"}, "photographer_name": "Bo"}],
    "info_url": {"sv": "https://fest.example/jazz"}, "super_event": None, "super_event_type": None,
    "sub_events": [], "event_status": "EventScheduled", "start_time": "2026-07-28T15:00:00Z",
    "end_time": "2026-07-28T22:00:00+03:00",
}  # fmt: skip


def event(name: str, /, **more: Any) -> dict[str, Any]:
    return JAZZ | {"id": f"fest:{name}", "@id": f"{API}/event/fest:{name}/"} | more


def page(*events: dict[str, Any], **meta: Any) -> dict[str, Any]:
    return {"meta": {"count": len(events), "next": None} | meta, "data": list(events)}
