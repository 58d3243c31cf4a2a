"""The contents that documents must have, composed from the values of a programme."""

from datetime import UTC, datetime, timedelta
from typing import Any

from feeds.listing import Listing
from feeds.summaries import excerpt
from feeds.vocabulary import Occasion, Text
from feeds.wording import format_time_span

ORGANIZER = {"sv": "Arrangör", "en": "Organizer"}
CANCELLED = {"sv": "INSTÄLLT.", "en": "CANCELLED."}


class ExpectedOccasion:
    """One occasion of a listing, as each format must show it."""

    def __init__(self, listing: Listing, occasion: Occasion) -> None:
        self.listing = listing
        self.occasion, self.event, self.place = occasion, occasion.event, occasion.place
        self.language, site = listing.language, listing.site
        festival = site.time
        self.span = format_time_span(
            festival.span(occasion.start, occasion.end), listing.snapshot.today, self.language
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
        self.cancellation = ""
        if occasion.cancelled:
            self.cancellation = f"{CANCELLED[self.language]} {occasion.change_info}".strip()

    def localize(self, text: Text) -> str:
        first, second = (text.en, text.sv) if self.language == "en" else (text.sv, text.en)
        return first or second

    @property
    def ext(self) -> dict[str, str]:
        location = self.place.location if self.place else None
        return {
            "areaName": self.event.area.full_name,
            "eventCancelled": str(self.occasion.cancelled).lower(),
            "eventChangedInfo": self.occasion.change_info,
            "eventHighlighted": str(self.event.highlighted).lower(),
            "eventSignInterpreted": str(self.event.sign_interpreted).lower(),
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
            "description": "\n\n".join(filter(None, (self.summary, self.by, self.cancellation))),
            "location": "\n".join(filter(None, (named, address))),
            "categories": self.names,
            "start": self.occasion.start.astimezone(UTC),
            "end": self.occasion.end.astimezone(UTC),
            "modified": self.event.last_modified.replace(microsecond=0),
            "url": self.url,
            "status": "CANCELLED" if self.occasion.cancelled else "CONFIRMED",
            "transparency": "TRANSPARENT",
        }

    @property
    def ics_shown(self) -> dict[str, Any]:
        """The occasion where what is cancelled is shown (`cancelled=show`)."""
        if not self.occasion.cancelled:
            return self.ics
        title = f"{CANCELLED[self.language]} {self.event.title}"
        return self.ics | {"status": "CONFIRMED", "title": title}

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
            "lines": [text for text in (self.summary, self.cancellation) if text],
        }

    @property
    def bbcode(self) -> dict[str, Any]:
        lines = [([], self.intro), ([], self.description), (["em"], self.by), (["em"], self.cancellation)]
        return {
            "time_span": f"{self.start}–{self.end}",
            "url": self.url,
            "title": self.event.title,
            "lines": [(tags, text.replace("\n", " ")) for tags, text in lines if text],
        }

    @property
    def json(self) -> dict[str, Any]:
        """The whole element but for what its area, sub area and organizer count."""
        event = self.event
        return {
            "id": event.id,
            "area": event.area.name,
            "subArea": event.sub_area and event.sub_area.name,
            "title": event.title,
            "organizer": event.organizer and event.organizer.name,
            "signInterpreted": event.sign_interpreted,
            "highlighted": event.highlighted,
            "production": event.production,
            "cancelled": self.occasion.cancelled,
            "recurring": len(self.siblings) > 1,
            "language": event.language
            and {"code": event.language.code, "name": _translatable(event.language.name)},
            "type": {
                "id": event.type.id,
                "name": _translatable(event.type.name),
                "color": event.type.color or None,
            },
            "location": self._json_location(),
            "occation": self.json_occasion,
            "price": event.price or None,
            "intro": _translatable(event.intro),
            "description": _translatable(event.description),
            "imageUrl": event.image_url or None,
            "imageCaption": event.image_caption or None,
            "externalUrl": event.external_url or None,
            "ticketUrl": event.ticket_url or None,
            "allOccations": [sibling.json_occasion for sibling in self.siblings],
            "updated": self._is_updated(),
            "changeInfo": self.occasion.change_info or None,
            "changeTimestamp": self.occasion.changed_at and self._local(self.occasion.changed_at),
            "lastModified": self._local(event.last_modified),
        }

    @property
    def siblings(self) -> list["ExpectedOccasion"]:
        every = self.listing.snapshot.programme.occasions
        return [ExpectedOccasion(self.listing, each) for each in every if each.event.id == self.event.id]

    @property
    def json_occasion(self) -> dict[str, Any]:
        start, end = (self._local(instant) for instant in (self.occasion.start, self.occasion.end))
        stream = self.occasion.stream
        day = self.listing.site.time.day_of(self.occasion.start)
        return {
            "id": self.occasion.id,
            "dayID": int(f"{day:%Y%m%d}"),
            "date": start[:10],
            "startTime": start[11:19],
            "endTime": end[11:19],
            "stream": stream and {"name": stream.name, "url": stream.url, "source": stream.source},
            "start": self.start,
            "timeSpan": self.span,
            "url": {"en": self.english, "sv": self.identity},
        }

    def _json_location(self) -> dict[str, Any] | None:
        if self.place is None:
            return None
        location, room = self.place.location, self.place.room
        return {
            "name": location.name,
            "isOnline": location.online,
            "address": location.address or None,
            "room": room.name if room else None,
            "fullName": ", ".join(filter(None, (location.name, room and room.name))),
            "floor": (room.floor or None) if room else None,
            "accessibilityInfo": _translatable(location.accessibility),
            "roomAccessibilityInfo": _translatable(room.accessibility if room else Text()),
            "publicTransportStation": location.public_transport_station or None,
        }

    def _is_updated(self) -> bool:
        changed_at, now = self.occasion.changed_at, self.listing.snapshot.now
        return changed_at is not None and timedelta(0) <= now - changed_at < timedelta(hours=36)

    def _local(self, instant: datetime) -> str:
        return f"{instant.astimezone(self.listing.site.time.zone).isoformat(timespec='microseconds')}"


def _translatable(text: Text) -> dict[str, str | None]:
    return {"en": text.en or None, "sv": text.sv or None}


def expect_occasions(listing: Listing) -> list[ExpectedOccasion]:
    return [ExpectedOccasion(listing, occasion) for occasion in listing.occasions]
