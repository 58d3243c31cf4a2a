"""The contents that documents must have, composed from the values of a programme."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from feeds.listing import Listing
from feeds.syndication import excerpt
from feeds.vocabulary import Occasion, Text
from feeds.wording import (
    format_booking,
    format_change,
    format_dated_span,
    format_full_span,
    format_time_span,
    format_urgent,
)

ORGANIZER = {"sv": "Arrangör", "en": "Organizer"}
CANCELLED = {"sv": "INSTÄLLT.", "en": "CANCELLED."}
PRICE = {"sv": "Pris", "en": "Price"}
READ_MORE = {"sv": "Läs mer", "en": "Read more"}


class ExpectedOccasion:
    """One occasion of a listing, as each format must show it."""

    def __init__(self, listing: Listing, occasion: Occasion) -> None:
        self.listing = listing
        self.occasion, self.event, self.place = occasion, occasion.event, occasion.place
        self.language, site = listing.language, listing.site
        festival = site.time
        self.span = format_time_span(
            festival.span(occasion.start, occasion.end),
            listing.snapshot.now.astimezone(festival.zone).date(),
            self.language,
        )
        start, end = (instant.astimezone(festival.zone) for instant in (occasion.start, occasion.end))
        self.start, self.end = f"{start:%H:%M}", f"{end:%H:%M}"
        self.identity = f"{site.base_url}/tillfalle/{occasion.id}"
        self.english = f"{site.base_url}/en/occasion/{occasion.id}"
        self.url = self.english if self.language == "en" else self.identity
        self.intro = self.localize(self.event.intro)
        self.description = self.localize(self.event.description)
        self.summary = self.intro or excerpt(self.description)
        self.names = [self.event.area.name, self.localize(self.event.type.name)]
        by = self.event.organizer
        self.organizer = by.name if by else ""
        self.by = f"{ORGANIZER[self.language]}: {by.name}" if by else ""
        self.change = format_change(occasion, festival, self.language)
        self.urgent = format_urgent(occasion, self.language)
        self.booking = format_booking(occasion, festival, self.language)
        self.book = f"{self.booking}: {occasion.booking_url}" if self.booking else ""
        self.cancellation = ""
        if occasion.cancelled:
            self.cancellation = f"{CANCELLED[self.language]} {self.localize(occasion.change_info)}".strip()

    def localize(self, text: Text) -> str:
        first, second = (text.en, text.sv) if self.language == "en" else (text.sv, text.en)
        return first or second

    @property
    def ext(self) -> dict[str, str]:
        location = self.place.location if self.place else None
        return {
            "areaName": self.event.area.full_name,
            "eventCancelled": str(self.occasion.cancelled).lower(),
            "eventChangedInfo": self.localize(self.occasion.change_info),
            "eventHighlighted": str(self.event.highlighted).lower(),
            "eventSignInterpreted": str("access:sign-language" in self.occasion.facts).lower(),
            "eventTitle": self.event.title,
            "locationAccessability": self.localize(location.accessibility) if location else "",
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
            "intro": self.summary,
            "published": self.event.published_at,
            "modified": self.event.last_modified,
            "url": self.url,
            "category": " > ".join(self.names),
            "content": self.content,
            "picture": self.event.image_url or None,
            "ext": self.ext,
        }

    @property
    def rss(self) -> dict[str, Any]:
        shared = {name: fact for name, fact in self.atom.items() if name != "published"}
        return {**shared, "dated": self.event.published_at.replace(microsecond=0)}

    @property
    def rss_wp(self) -> dict[str, Any]:
        """The same with a title and a date that hold nothing of the clock (decisions, "RSS `pubDate`")."""
        festival, programme = self.listing.site.time, self.listing.snapshot.programme
        local = self.occasion.start.astimezone(festival.zone)
        published = programme.published_years.get(local.year, self.event.published_at)
        year = min(local.year, published.astimezone(festival.zone).year)
        begin = datetime(year, 1, 1, tzinfo=festival.zone).astimezone(UTC)
        seconds = int((self.occasion.start - begin).total_seconds()) // 60
        span = format_dated_span(festival.span(self.occasion.start, self.occasion.end), self.language)
        word = {"sv": "INSTÄLLT: ", "en": "CANCELLED: "}[self.language] if self.occasion.cancelled else ""
        return {
            **self.rss,
            "title": f"{word}{span} {self.event.title}",
            "intro": " ".join(filter(None, (self.cancellation, self.summary))),
            "dated": (published - timedelta(seconds=seconds)).replace(microsecond=0),
        }

    @property
    def content(self) -> list[list[str]]:
        """The paragraphs of a post, and the lines of each."""
        event, place = self.event, self.place
        area = self.event.area
        where = [place.full_name, place.location.address] if place else [area.full_name, area.address]
        span = self.listing.site.time.span(self.occasion.start, self.occasion.end)
        paragraphs = [
            [self.change],
            [self.urgent],
            [format_full_span(span, self.language), *where],
            [f"picture {event.image_url}", event.image_caption] if event.image_url else [],
            *(
                part.split("\n")
                for text in (self.intro, self.description)
                for part in re.split(r"\n\s*\n", text)
            ),
            [self.by],
            [f"{PRICE[self.language]}: {event.price}" if event.price else ""],
            [f"{self.booking} {self.occasion.booking_url}" if self.booking else ""],
            [f"{READ_MORE[self.language]} {self.url}"],
        ]
        lines = ([line for line in each if line] for each in paragraphs)
        return [each for each in lines if each]

    @property
    def texts(self) -> tuple[str, ...]:
        """The paragraphs of a calendar's description."""
        return self.summary, self.by, self.urgent, self.book, self.change

    @property
    def position(self) -> tuple[float, float] | None:
        location = self.place.location if self.place else None
        return (location.latitude, location.longitude) if location and location.latitude is not None else None

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
            "description": "\n\n".join(filter(None, self.texts)),
            "location": "\n".join(filter(None, (named, address))),
            "position": self.position,
            "categories": self.names,
            "start": self.occasion.start.astimezone(UTC),
            "end": self.occasion.end.astimezone(UTC),
            "modified": self.event.last_modified.replace(microsecond=0),
            "url": self.url,
            "status": "CANCELLED" if self.occasion.cancelled else "CONFIRMED",
            "transparency": "TRANSPARENT",
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
            "lines": [text for text in (self.summary, self.urgent, self.book, self.cancellation) if text],
        }

    @property
    def bbcode(self) -> dict[str, Any]:
        lines = [
            ([], self.intro),
            ([], self.description),
            (["em"], self.by),
            *((["em"], text) for text in (self.urgent, self.book, self.cancellation)),
        ]
        return {
            "time_span": f"{self.start}–{self.end}",
            "url": self.url,
            "title": self.event.title,
            "lines": [(tags, text.replace("\n", " ")) for tags, text in lines if text],
        }


def expect_occasions(listing: Listing) -> list[ExpectedOccasion]:
    return [ExpectedOccasion(listing, occasion) for occasion in listing.occasions]
