"""What a document must tell of its occasions, put together from the programme's own values."""

from datetime import UTC, datetime
from typing import Any

from feeds.listing import Listing
from feeds.vocabulary import Occasion, Text
from feeds.wording import time_span
from tests.feeds.reading import INVISIBLE

ORGANIZER = {"sv": "Arrangör", "en": "Organizer"}


class Told:
    """One occasion of a listing, in the words that documents use for it."""

    def __init__(self, listing: Listing, occasion: Occasion) -> None:
        self.occasion, self.event, self.place = occasion, occasion.event, occasion.place
        self.language, site = listing.language, listing.site
        reckoning = site.time
        self.span = time_span(
            reckoning.span(occasion.start, occasion.end), listing.snapshot.today, self.language
        )
        start, end = (instant.astimezone(reckoning.zone) for instant in (occasion.start, occasion.end))
        self.start, self.end = f"{start:%H:%M}", f"{end:%H:%M}"
        self.identity = f"{site.base_url}/tillfalle/{occasion.id}"
        english = f"{site.base_url}/en/occasion/{occasion.id}"
        self.url = english if self.language == "en" else self.identity
        self.intro = self.said(self.event.intro)
        self.description = self.said(self.event.description)
        self.names = [self.event.area.name, self.said(self.event.type.name)]
        by = self.event.organizer
        self.organizer = by.name if by else ""
        self.by = f"{ORGANIZER[self.language]}: {by.name}" if by else ""

    def said(self, text: Text) -> str:
        first, second = (text.en, text.sv) if self.language == "en" else (text.sv, text.en)
        return first or second

    @property
    def ext(self) -> dict[str, str]:
        location = self.place.location if self.place else None
        return {
            "areaName": self.event.area.full_name,
            "eventCancelled": str(self.occasion.cancelled).lower(),
            "eventChangedInfo": self.event.change_info,
            "eventHighlighted": str(self.event.highlighted).lower(),
            "eventSignInterpreted": str(self.event.sign_interpreted).lower(),
            "eventTitle": self.event.title,
            "locationAccessability": self.said(location.accessibility) if location else "",
            "locationAddress": location.address if location else "",
            "locationName": location.name if location else "",
            "locationPublicTransportStation": location.public_transport_station if location else "",
            "organizerName": self.organizer,
            "subAreaName": self.event.sub_area.full_name if self.event.sub_area else "",
        }

    @property
    def atom(self) -> dict[str, Any]:
        return {
            "id": self.identity,
            "title": f"{self.span} {self.event.title}",
            "intro": self.intro,
            "published": self.event.published_at,
            "modified": self.event.last_modified,
            "url": self.url,
            "category": " > ".join(self.names),
            "ext": self.ext,
        }

    def rss(self, dated: datetime) -> dict[str, Any]:
        return {
            "id": self.identity,
            "title": f"{self.span} {self.event.title}",
            "intro": self.intro,
            "dated": dated.replace(microsecond=0),
            "url": self.url,
            "category": " > ".join(self.names),
            "ext": self.ext,
        }

    @property
    def ics(self) -> dict[str, Any]:
        place = self.place
        named = (
            ", ".join(filter(None, (place.location.name, place.room and place.room.name))) if place else ""
        )
        address = place.location.address if place else ""
        return {
            "uid": str(self.occasion.identity.uuid),
            "title": self.event.title,
            "description": "\n\n".join(filter(None, (self.intro, self.by))),
            "location": "\n".join(filter(None, (named, address))),
            "categories": self.names,
            "start": self.occasion.start.astimezone(UTC),
            "end": self.occasion.end.astimezone(UTC),
            "modified": self.event.last_modified.replace(microsecond=0),
            "url": self.url,
            "status": "CANCELLED" if self.occasion.cancelled else "CONFIRMED",
        }

    @property
    def qx1(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "url": self.url,
            "target": "_blank",
            "rel": "noopener",
            "title": self.event.title,
            "struck": ["s"] if self.occasion.cancelled else [],
            "class": "cancelled" if self.occasion.cancelled else None,
            "breaks": ["br"] if self.intro else [],
            "intro": self.intro,
        }

    @property
    def bbcode(self) -> dict[str, Any]:
        lines = [([], self.intro), ([], self.description), (["em"], self.by)]
        return {
            "time_span": f"{self.start}–{self.end}",
            "url": self.url,
            "title": _visible(self.event.title),
            "struck": ["strike"] if self.occasion.cancelled else [],
            "lines": [(tags, _visible(text).replace("\n", " ")) for tags, text in lines if text],
        }


def _visible(text: str) -> str:
    return text.replace(INVISIBLE, "")


def told(listing: Listing) -> list[Told]:
    return [Told(listing, occasion) for occasion in listing.occasions]
